"""What the parts of the daemon say to each other: events, commands, journal entries and the view.

All are plain immutable values with codes and parameters, never texts for people; texts are made at
the edge. `to_json` turns any of them into JSON-able data, with the name of its kind first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar

from engines.base import Outcome, Reason

# ---------------------------------------------------------------- events: what the board showed


@dataclass(frozen=True, slots=True)
class Event:
    """Something the board showed, at the frame at which it was known."""

    t_ms: int


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A legal move was made."""

    event: ClassVar[str] = "move"
    move: str


@dataclass(frozen=True, slots=True)
class Amended(Event):
    """The last move went on: this one stands instead of it."""

    event: ClassVar[str] = "amend"
    move: str


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The last move was undone by restoring the pieces; `move` is the one undone."""

    event: ClassVar[str] = "takeback"
    move: str


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """Something stands on the board that the rules refuse, or that cannot be a move."""

    event: ClassVar[str] = "illegal"
    reason: Reason
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """The board shows the agreed position again after a refusal or a guided rebuild."""

    event: ClassVar[str] = "restored"


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """Several legal moves with different results fit; the players must say which."""

    event: ClassVar[str] = "ask"
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """A piece was provisionally lifted (two agreeing frames); `cell` is None when it is down again."""

    event: ClassVar[str] = "lift"
    cell: str | None


@dataclass(frozen=True, slots=True)
class Mismatch(Event):
    """Places that differ from the agreed position at rest; both empty when they agree again.

    `missing` should hold pieces and are empty, `extra` should be empty and hold one. `moved` pairs
    (from, to) say which piece to bring where, as far as that is known.
    """

    event: ClassVar[str] = "mismatch"
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    moved: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceFault(Event):
    """A place became dead, noisy, stuck or unread (`fault`), or is well again (`fault` is None)."""

    event: ClassVar[str] = "place"
    cell: str
    fault: str | None


# ---------------------------------------------------------------- commands: what people want


@dataclass(frozen=True, slots=True)
class Command:
    """A wish of a person, from the page or a button."""


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Take the last `plies` moves back; the board is then guided to the position before."""

    command: ClassVar[str] = "takeback"
    plies: int = 1


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """`player` gives up."""

    command: ClassVar[str] = "resign"
    player: int


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """`player` offers a draw, or accepts the one the other player offered."""

    command: ClassVar[str] = "draw"
    player: int


@dataclass(frozen=True, slots=True)
class DeclineDraw(Command):
    """`player` declines the draw that was offered, or withdraws their own offer."""

    command: ClassVar[str] = "decline_draw"
    player: int


@dataclass(frozen=True, slots=True)
class NewGame(Command):
    """Begin a new game with these settings (those not named keep their defaults)."""

    command: ClassVar[str] = "new_game"
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer(Command):
    """The answer to a question: which move was meant."""

    command: ClassVar[str] = "answer"
    move: str


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """A person confirms that the board stands as the page shows it (set-up, rebuild, power back)."""

    command: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """Choose the colour to place next in a free set-up."""

    command: ClassVar[str] = "choose"
    player: int


@dataclass(frozen=True, slots=True)
class Calibrate(Command):
    """Begin a calibration, led by the lights: `way` is `carry` (one piece) or `setup` (the set-up board)."""

    command: ClassVar[str] = "calibrate"
    way: str = "carry"


@dataclass(frozen=True, slots=True)
class SkipPlace(Command):
    """Go on with the calibration without what it waits for."""

    command: ClassVar[str] = "skip_place"


@dataclass(frozen=True, slots=True)
class EndCalibration(Command):
    """Break the calibration off, or dismiss what it found; the game goes on where it stood."""

    command: ClassVar[str] = "end_calibration"


_ABOUT_THE_GAME = (TakeBack, Resign, Draw, DeclineDraw, NewGame, Answer, Confirm, Choose)
_ABOUT_THE_BOARD = (Calibrate, SkipPlace, EndCalibration)
COMMANDS: Mapping[str, type[Command]] = {kind.command: kind for kind in (*_ABOUT_THE_GAME, *_ABOUT_THE_BOARD)}

# ---------------------------------------------------------------- journal: what must not be lost


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the journal: the game is what its entries say, in order.

    `kind` is one of `game` (data: game, settings), `move`, `chance`, `amend` (data: move),
    `takeback` (data: plies), `end` (data: termination, winners, scores).
    """

    kind: str
    data: Mapping[str, Any]


# ---------------------------------------------------------------- the view: what everybody may see


class Phase(Enum):
    """What the session waits for."""

    SETUP = "setup"
    """The pieces are being set up; play begins by itself when the board matches."""
    PLAY = "play"
    """Somebody is to move."""
    FIX = "fix"
    """The board differs from the agreed position and must be put right first."""
    CONFIRM = "confirm"
    """The board seems right after a rebuild or a restart; a person must confirm."""
    OVER = "over"
    """The game is over."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move of the list: its player, its text and the form for people."""

    player: int
    move: str
    display: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What to tell the players now: a reason with the cells it is about."""

    reason: Reason
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to put right.

    `kind` is `move` (bring what stands on `origin` to `cell`), `place` (a piece of `owner` is missing
    on `cell`) or `remove` (take the piece on `cell` away). `height` is what should stand there.
    """

    kind: str
    cell: str
    origin: str | None = None
    owner: int | None = None
    height: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """The whole public state of the board's game. Cells are keyed by name.

    `stacks` holds the owners of the pieces bottom first, of the agreed position. `lights` holds the
    meaning of the light under each lit cell (see `controller.core.lights.Meaning`).
    """

    game: str
    game_id: int
    settings: Mapping[str, str]
    player_names: tuple[str, ...]
    phase: Phase
    to_move: int | None
    scores: tuple[int, ...]
    position: str
    stacks: Mapping[str, tuple[int | None, ...]]
    moves: tuple[MoveView, ...]
    lifted: str | None
    targets: tuple[str, ...]
    lights: Mapping[str, str]
    notice: Notice | None
    tasks: tuple[Task, ...]
    question: tuple[str, ...]
    draw_offer: int | None
    placing: int | None
    outcome: Outcome | None
    unknown: tuple[str, ...]
    masked: tuple[str, ...]


def to_json(value: Any) -> Any:
    """JSON-able data for any message: dataclasses by field, enums by value, the kind first."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {k: getattr(value, k) for k in ("event", "command") if hasattr(value, k)}
        return named | {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(k): to_json(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(v) for v in value]
    return value


_NAME = re.compile(r"[a-z_]{1,40}")


def parse_command(data: Any) -> Command:
    """The command in a JSON object `{"command": name, ...}`.

    Raises: ValueError in one line: what is wrong and what is allowed.
    """
    if not isinstance(data, Mapping):
        raise ValueError("a command is a JSON object with the key 'command'")
    name = data.get("command")
    kind = COMMANDS.get(name) if isinstance(name, str) and _NAME.fullmatch(name) else None
    if kind is None:
        raise ValueError(f"unknown command {name!r}; allowed: {', '.join(COMMANDS)}")
    known = {f.name: f for f in fields(kind)}
    wrong = sorted(set(data) - set(known) - {"command", "id"})
    if wrong:
        raise ValueError(f"{name}: unknown key {wrong[0]!r}; allowed: {', '.join(known) or 'none'}")
    given = {key: _checked(f"{name}.{key}", data[key], str(known[key].type)) for key in known if key in data}
    try:
        return kind(**given)
    except TypeError:
        missing = sorted(set(known) - set(given))
        raise ValueError(f"{name}: missing {', '.join(missing)}") from None


def _checked(where: str, value: Any, kind: str) -> Any:
    if kind == "int":
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1000:
            raise ValueError(f"{where}: must be a whole number from 0 to 1000, not {value!r}")
    elif kind == "str":
        if not isinstance(value, str) or len(value) > 100:
            raise ValueError(f"{where}: must be a text of at most 100 characters")
    elif not isinstance(value, Mapping) or not all(
        isinstance(k, str) and isinstance(v, str) for k, v in value.items()
    ):
        raise ValueError(f"{where}: must be an object of texts")
    return value
