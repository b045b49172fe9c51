"""The journal's lines and the game they tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.messages import Entry
from controller.entries import find_lines, format_line, parse_line, rebuild_record
from controller.errors import JournalError
from engines.base import Termination

AT = "2026-12-01T10:00:00.000Z"
BEGIN = Entry("game", {"game": "avalam", "settings": {"tiebreak": "fives"}})
MOVE = Entry("move", {"move": "c9d8"})

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
entries = st.builds(
    Entry,
    st.sampled_from(["game", "move", "chance", "amend", "takeback", "end"]),
    st.dictionaries(texts, texts | st.integers(), max_size=3),
)


@given(st.integers(1, 10**9), st.integers(0, 10**6), entries)
def test_a_line_tells_its_entry(game_id: int, seq: int, entry: Entry) -> None:
    text = format_line(game_id, seq, AT, entry)
    line = parse_line(text)
    assert line is not None
    assert (line.key, line.at, line.entry, line.text) == ((game_id, seq), AT, entry, text)
    assert text.isascii()


def test_the_form_of_a_line_stays() -> None:
    assert format_line(3, 12, AT, MOVE) == (
        'tablier-entry/1 3 12 2026-12-01T10:00:00.000Z move {"move":"c9d8"} 223757ee'
    )


@given(entries, st.data())
def test_a_line_with_any_wrong_byte_is_not_read(entry: Entry, data: st.DataObject) -> None:
    text = format_line(1, 2, AT, entry)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda c: c != text[at]))
    assert parse_line(text[:at] + other + text[at + 1 :]) is None


@given(st.lists(entries, max_size=5), st.binary(max_size=30))
def test_lines_are_found_in_any_heap_of_bytes(content: list[Entry], between: bytes) -> None:
    lines = [format_line(7, n, AT, entry) for n, entry in enumerate(content)]
    heap = between + b"".join(line.encode() + between for line in lines)
    assert [line.text for line in find_lines(heap)] == lines


def test_the_game_is_what_its_entries_say_in_order() -> None:
    record = rebuild_record(
        [
            BEGIN,
            MOVE,
            Entry("move", {"move": "f1g1"}),
            Entry("amend", {"move": "f1g2"}),
            Entry("move", {"move": "i5h4"}),
            Entry("takeback", {"plies": 1}),
            Entry("end", {"termination": "resignation", "winners": [1], "scores": [24, 22]}),
        ]
    )
    assert record.move_texts == ("c9d8", "f1g2")
    assert record.settings["tiebreak"] == "fives"
    assert record.ending is not None
    assert (record.ending.termination, record.ending.winners) == (Termination.RESIGNATION, (1,))


def test_a_takeback_after_the_end_opens_the_game_again() -> None:
    end = Entry("end", {"termination": "agreement", "winners": [0, 1], "scores": [24, 23]})
    assert rebuild_record([BEGIN, MOVE, end, Entry("takeback", {"plies": 1})]).outcome is None
    record = rebuild_record([BEGIN, MOVE, end, Entry("takeback", {"plies": 0})])
    assert (record.outcome, record.move_texts) == (None, ("c9d8",))


def test_a_drawn_set_up_is_an_entry() -> None:
    pawns = "r" * 24 + "-" + "b" * 24
    begin = Entry("game", {"game": "avalam", "settings": {"setup": "random"}})
    record = rebuild_record([begin, Entry("chance", {"move": shuffle_text(pawns)})])
    assert record.position.chance() is None


def shuffle_text(pawns: str) -> str:
    from engines.avalam.moves import Shuffle
    from engines.avalam.notation import format_move

    return format_move(Shuffle(pawns))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "does not begin with an entry of kind game"),
        ([MOVE], "does not begin with an entry of kind game"),
        ([Entry("game", {"game": "chess"})], "entry 0: there is no game 'chess'"),
        ([Entry("game", {})], "entry 0: 'game'"),
        ([BEGIN, Entry("move", {"move": "a1a2"})], "entry 1: "),
        ([BEGIN, MOVE, Entry("takeback", {"plies": 2})], "entry 2: cannot take back 2 moves"),
        ([BEGIN, MOVE, Entry("dance", {})], "entry 2: unknown kind 'dance'"),
        ([BEGIN, Entry("move", {})], "entry 1: 'move'"),
    ],
)
def test_a_stored_game_that_cannot_be_played_names_its_entry(content: list[Entry], said: str) -> None:
    with pytest.raises(JournalError, match=said):
        rebuild_record(content)
