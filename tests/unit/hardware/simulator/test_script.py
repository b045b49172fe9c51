"""The language of hand scripts: what each line means, and what is said about a wrong one."""

from __future__ import annotations

import pytest

from hardware.boardfile import load_board
from hardware.simulator.script import (
    FORMS,
    LONGEST_MS,
    MOST_LINES,
    Break,
    Carry,
    Command,
    Heal,
    Hover,
    Knock,
    Lift,
    Line,
    Move,
    Nudge,
    Put,
    ScriptError,
    Wait,
    Wave,
    parse_script,
)

CELLS = load_board("avalam").names


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("lift c9", Lift("c9")),
        ("lift c9 top 2", Lift("c9", 2)),
        ("carry d8 high", Carry("d8", None)),
        ("carry d8 low", Carry("d8", 6.0)),
        ("carry d8 at 2.5", Carry("d8", 2.5)),
        ("carry d8 at 2.5 mm", Carry("d8", 2.5)),
        ("hover d8 12 mm 800 ms", Hover("d8", 12.0, 800)),
        ("hover d8 12 1 s", Hover("d8", 12.0, 1000)),
        ("drop", Put(None)),
        ("put back", Put("back")),
        ("put aside", Put("aside")),
        ("put d8", Put("d8")),
        ("move c9 d8", Move("c9", "d8", None, "high")),
        ("move c9 d8 top 1 slide", Move("c9", "d8", 1, "slide")),
        ("nudge e4", Nudge("e4")),
        ("wave e4 e5 e6", Wave(("e4", "e5", "e6"))),
        ("knock c9 d8", Knock(("c9", "d8"))),
        ("wait 500 ms", Wait(500)),
        ("wait 2s", Wait(2000)),
        ("fault dead e4", Break("e4", "dead")),
        ("fault stuck e4 5 s", Break("e4", "stuck", 5000)),
        ("fault unread e4", Break("e4", "unread", 1000)),
        ("fault unread e4 300 ms", Break("e4", "unread", 300)),
        ("fault bus hang 2 s", Break("bus", "hang", 2000)),
        ("fault strip lost", Break("strip", "lost")),
        ("heal e4", Heal("e4")),
        ("heal bus", Heal("bus")),
        ("heal all", Heal("all")),
    ],
)
def test_what_a_line_means(line: str, command: Command) -> None:
    assert parse_script(line, CELLS) == (Line(1, command),)


def test_comments_case_spaces_and_empty_lines_do_not_matter() -> None:
    text = "# a quick look\n\n  LIFT   C9  # up\nput back\n"
    assert parse_script(text, CELLS) == (Line(3, Lift("c9")), Line(4, Put("back")))


def test_the_other_hand_does_what_happens_meanwhile() -> None:
    (line,) = parse_script("meanwhile move f1 g1", CELLS)
    assert line == Line(1, Move("f1", "g1", None, "high"), meanwhile=True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("jump c9", f"line 1: there is no command 'jump'; allowed: {', '.join(FORMS)}, meanwhile"),
        ("meanwhile wait 1 s", "line 1: there is no command 'wait'; allowed: move, nudge, wave, knock"),
        ("meanwhile", "line 1: there is no command ''; allowed: move, nudge, wave, knock"),
        ("lift", "line 1: cannot be understood; it is written: lift CELL [top N]"),
        ("drop it", "line 1: cannot be understood; it is written: drop"),
        ("put", "line 1: cannot be understood; it is written: put back|aside or put CELL"),
        ("wait 5", "line 1: cannot be understood; it is written: wait N ms|s"),
        ("heal bus e4", "line 1: cannot be understood; it is written: heal bus|strip|all or heal CELL"),
        ("lift a1", "line 1: the board has no place 'a1'; allowed: a4 to i6 as on the board"),
        ("knock c9 z9", "line 1: the board has no place 'z9'; allowed: a4 to i6 as on the board"),
        ("lift c9 top 0", "line 1: 0 is out of range; allowed: 1 to 10"),
        ("carry c9 at 101", "line 1: 101 is out of range; allowed: 0 to 100"),
        ("wait 0 ms", f"line 1: 0 is out of range; allowed: 1 to {LONGEST_MS}"),
        ("wait 601 s", f"line 1: 601000 is out of range; allowed: 1 to {LONGEST_MS}"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_allowed(line: str, said: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(line, CELLS)
    assert str(caught.value) == said
    assert "\n" not in said


def test_the_line_is_the_one_that_is_wrong() -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script("lift c9\n\n# now down\nput it down", CELLS)
    assert (caught.value.line, caught.value.code) == (4, "usage")


def test_a_script_ends_some_time() -> None:
    assert parse_script("\n" * MOST_LINES, CELLS) == ()
    with pytest.raises(ScriptError, match=f"at most {MOST_LINES} lines"):
        parse_script("drop\n" * (MOST_LINES + 1), CELLS)
