"""A small language for what people and mishaps do at a simulated board: one command a line. Pure.

    lift c9 top 2         # and it stays in the hand
    hover d8 12 mm 800 ms
    drop
    fault noisy e4 5 s    # by itself it is well again after five seconds

`parse_script` gives the commands; `hardware.simulator.scriptrunner` carries them out in board time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

MOST_LINES = 200
LONGEST_MS = 600_000
MOST_PIECES = 10
HIGHEST_MM = 100
CELL_FAULTS = ("dead", "stuck", "noisy", "unread", "restarted")
BUS_FAULTS = ("hang", "fails", "gone")
HEIGHTS = ("high", "low")
MANNERS = ("high", "low", "slide")
UNREAD_MS = 1000
"""How long a place stays unread where the script does not say."""

_TEXTS = {
    "unknown_command": "there is no command {0!r}; allowed: {1}",
    "usage": "cannot be understood; it is written: {0}",
    "place": "the board has no place {0!r}; allowed: {1}",
    "number": "{0} is out of range; allowed: {1} to {2}",
    "too_long": "the script goes on; at most {0} lines are allowed",
    "nothing_there": "nothing stands on {0}; a tower must stand there",
    "too_few": "only {1} stand on {0}; fewer must be taken",
    "empty_hand": "the hand is empty; it must lift something first",
    "full_hand": "the hand holds something; it must set that down first",
}


class ScriptError(ValueError):
    """A line that cannot be carried out: `code` with `params` says why, `line` counts from 1."""

    def __init__(self, line: int, code: str, *params: str | int) -> None:
        super().__init__(f"line {line}: {_TEXTS[code].format(*params)}")
        self.line = line
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Lift:
    """Take the tower on a place, or its `count` top pieces, straight up; it stays in the hand."""

    cell: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Carry:
    """Bring what is held over a place, `gap_mm` above all that stands on the way; None: high up."""

    cell: str
    gap_mm: float | None


@dataclass(frozen=True, slots=True)
class Hover:
    """Bring what is held over a place, sink to `gap_mm` above what stands there, and stay a while."""

    cell: str
    gap_mm: float
    duration_ms: int


@dataclass(frozen=True, slots=True)
class Put:
    """Set down what is held: on a place, `back` where it was taken, `aside`, or (None) where it is."""

    where: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """Take a tower, or its `count` top pieces, from one place to another."""

    origin: str
    target: str
    count: int | None
    manner: str


@dataclass(frozen=True, slots=True)
class Nudge:
    """Touch the tower on a place in passing."""

    cell: str


@dataclass(frozen=True, slots=True)
class Wave:
    """Pass with a bracelet over these places."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Knock:
    """Sweep the towers on these places aside, one right after the other."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """Let time pass."""

    duration_ms: int


@dataclass(frozen=True, slots=True)
class Break:
    """Something fails: `part` is a place, `bus` or `strip`; it heals after `duration_ms`, if given."""

    part: str
    kind: str
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Heal:
    """A place, `bus`, `strip` or `all` is well again."""

    part: str


Gesture = Lift | Carry | Hover | Put | Move | Nudge | Wave | Knock
Command = Gesture | Wait | Break | Heal


@dataclass(frozen=True, slots=True)
class Line:
    """A command with the number of its line; `meanwhile`: by the other hand, while the script goes on."""

    number: int
    command: Command
    meanwhile: bool = False


_C = r"([a-z]\d{1,2})"
_TIME = r"(\d{1,7}) ?(ms|s)"
_MM = r"(\d{1,3}(?:\.\d{1,2})?)(?: ?mm)?"
_TOP = r"(?: top (\d{1,3}))?"
_SOME = r"((?:[a-z]\d{1,2} ?)+)"


def parse_script(text: str, cells: Collection[str]) -> tuple[Line, ...]:
    """The commands of a script for a board with these places.

    Empty lines and what follows a `#` say nothing; case and the number of spaces do not matter.
    Raises: ScriptError for the first line that is wrong.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise ScriptError(MOST_LINES + 1, "too_long", MOST_LINES)
    found = []
    for number, line in enumerate(lines, 1):
        words = " ".join(line.partition("#")[0].lower().split())
        if words:
            found.append(_line(number, words, cells))
    return tuple(found)


def _line(number: int, words: str, cells: Collection[str]) -> Line:
    first, _, rest = words.partition(" ")
    meanwhile = first == "meanwhile"
    if meanwhile:
        first, _, rest = rest.partition(" ")
        allowed: Collection[str] = MEANWHILE
    else:
        allowed = (*FORMS, "meanwhile")
    if first not in allowed:
        raise ScriptError(number, "unknown_command", first[:20], ", ".join(allowed))
    forms = FORMS[first]
    for form in forms:
        match = re.fullmatch(form.pattern, rest)
        if match is not None:
            reader = _Reader(number, cells)
            return Line(number, form.make(reader, match.groups()), meanwhile)
    raise ScriptError(number, "usage", " or ".join(f"{first} {form.shown}".strip() for form in forms))


_Number = TypeVar("_Number", int, float)


class _Reader:
    """Turns the words of one line into values, within their bounds."""

    def __init__(self, number: int, cells: Collection[str]) -> None:
        self._number = number
        self._cells = cells

    def cell(self, word: str) -> str:
        if word not in self._cells:
            names = sorted(self._cells)
            raise ScriptError(self._number, "place", word, f"{names[0]} to {names[-1]} as on the board")
        return word

    def some(self, words: str) -> tuple[str, ...]:
        return tuple(self.cell(word) for word in words.split())

    def count(self, word: str | None) -> int | None:
        return None if word is None else self._within(int(word), 1, MOST_PIECES)

    def mm(self, word: str) -> float:
        return self._within(float(word), 0, HIGHEST_MM)

    def ms(self, value: str, unit: str) -> int:
        return self._within(int(value) * (1000 if unit == "s" else 1), 1, LONGEST_MS)

    def perhaps_ms(self, value: str | None, unit: str | None) -> int | None:
        return None if value is None or unit is None else self.ms(value, unit)

    def _within(self, value: _Number, least: int, most: int) -> _Number:
        if not least <= value <= most:
            raise ScriptError(self._number, "number", f"{value:g}", least, most)
        return value


_Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write a command: its pattern, how it is shown, and what it makes."""

    pattern: str
    shown: str
    make: Callable[[_Reader, _Words], Command]


def _carry(read: _Reader, words: _Words) -> Command:
    cell, height, gap = words
    low = {"high": None, "low": 6.0}
    return Carry(read.cell(cell), read.mm(gap) if gap else low[height])


def _move(read: _Reader, words: _Words) -> Command:
    origin, target, count, manner = words
    return Move(read.cell(origin), read.cell(target), read.count(count), manner or "high")


def _break(read: _Reader, words: _Words) -> Command:
    kind, cell, value, unit = words
    duration_ms = read.perhaps_ms(value, unit)
    return Break(read.cell(cell), kind, UNREAD_MS if kind == "unread" and not value else duration_ms)


def _break_part(part: str) -> Callable[[_Reader, _Words], Command]:
    return lambda read, words: Break(part, words[0], read.perhaps_ms(words[1], words[2]))


_AWHILE = rf"(?: {_TIME})?"

FORMS: Mapping[str, tuple[_Form, ...]] = {
    "lift": (_Form(_C + _TOP, "CELL [top N]", lambda read, w: Lift(read.cell(w[0]), read.count(w[1]))),),
    "carry": (_Form(rf"{_C} (?:(high|low)|at {_MM})", "CELL high|low|at N", _carry),),
    "hover": (
        _Form(
            rf"{_C} {_MM} {_TIME}",
            "CELL N mm N ms",
            lambda read, w: Hover(read.cell(w[0]), read.mm(w[1]), read.ms(w[2], w[3])),
        ),
    ),
    "drop": (_Form("", "", lambda _, __: Put(None)),),
    "put": (
        _Form("(back|aside)", "back|aside", lambda _, w: Put(w[0])),
        _Form(_C, "CELL", lambda read, w: Put(read.cell(w[0]))),
    ),
    "move": (_Form(rf"{_C} {_C}{_TOP}(?: (high|low|slide))?", "CELL CELL [top N] [high|low|slide]", _move),),
    "nudge": (_Form(_C, "CELL", lambda read, w: Nudge(read.cell(w[0]))),),
    "wave": (_Form(_SOME, "CELL ...", lambda read, w: Wave(read.some(w[0]))),),
    "knock": (_Form(_SOME, "CELL ...", lambda read, w: Knock(read.some(w[0]))),),
    "wait": (_Form(_TIME, "N ms|s", lambda read, w: Wait(read.ms(w[0], w[1]))),),
    "fault": (
        _Form(rf"({'|'.join(CELL_FAULTS)}) {_C}{_AWHILE}", f"{'|'.join(CELL_FAULTS)} CELL [N ms|s]", _break),
        _Form(
            rf"bus ({'|'.join(BUS_FAULTS)}){_AWHILE}",
            f"bus {'|'.join(BUS_FAULTS)} [N ms|s]",
            _break_part("bus"),
        ),
        _Form(rf"strip (lost){_AWHILE}", "strip lost [N ms|s]", _break_part("strip")),
    ),
    "heal": (
        _Form("(bus|strip|all)", "bus|strip|all", lambda _, w: Heal(w[0])),
        _Form(_C, "CELL", lambda read, w: Heal(read.cell(w[0]))),
    ),
}
"""Every command with the ways to write it."""

MEANWHILE = ("move", "nudge", "wave", "knock")
"""What the other hand can do while the script goes on: gestures that begin and end with an empty hand."""
