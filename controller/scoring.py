"""Comparing what was recognised with what happened, event by event, in order."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from controller.clumsy.truth import TruthEvent
from controller.core.messages import (
    Amended,
    Asked,
    Event,
    Mismatch,
    Moved,
    Refused,
    Restored,
    TakenBack,
)

PATIENCE_MS: Final = 6000
"""What is not recognised so long after it happened is missing; the reverse is wrong."""
FATAL: Final = frozenset({"wrong", "missing", "position"})
"""After one of these the position agreed is not the one on the board: nothing later can be judged."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that was recognised otherwise than it happened. `number` counts moves and take-backs.

    `what` is `wrong` (a move that was not made, or not then), `missing`, `early` (known before it
    stood), `position` (board and game differ at the end), `unnamed` (a mistake without its reason, or
    with other cells), `reason` (the right cells, another reason), `unrestored`, `alarm` (a mistake
    that nobody made) or `lights` (lit at the end).
    """

    what: str
    t_ms: int
    number: int
    truth: str
    reported: str


@dataclass(slots=True)
class Tally:
    """What one game, or many, came to. Delays in ms count from when the last piece stood."""

    moves: int = 0
    asked: int = 0
    mistakes: int = 0
    taken_back: int = 0
    failures: list[Failure] = field(default_factory=list)
    delays_ms: list[int] = field(default_factory=list)
    naming_delays_ms: list[int] = field(default_factory=list)

    def count(self, what: str) -> int:
        """How many failures of one sort there are."""
        return sum(failure.what == what for failure in self.failures)

    def add(self, other: Tally) -> None:
        """Add what another game came to."""
        self.moves += other.moves
        self.asked += other.asked
        self.mistakes += other.mistakes
        self.taken_back += other.taken_back
        self.failures += other.failures
        self.delays_ms += other.delays_ms
        self.naming_delays_ms += other.naming_delays_ms


class Scorer:
    """Compares one game. Give it truth and events as they come, and the time of every frame."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._truth: deque[TruthEvent] = deque()
        self._events: deque[Event] = deque()
        self._standing: TruthEvent | None = None
        self._misnamed = ""

    @property
    def is_over(self) -> bool:
        """Whether the position agreed is lost, so that the rest of the game says nothing."""
        return any(failure.what in FATAL for failure in self.tally.failures)

    def happened(self, truth: TruthEvent) -> None:
        """Take in what happened."""
        self._truth.append(truth)

    def reported(self, event: Event) -> None:
        """Take in what was recognised; what says nothing about the position is passed over."""
        if isinstance(event, Asked):
            self.tally.asked += 1
        elif isinstance(event, Mismatch):
            self._guided(event)
        elif isinstance(event, Moved | TakenBack | Amended | Refused | Restored):
            self._events.append(event)

    def look(self, now_ms: int) -> None:
        """Match what can be matched at this time."""
        while not self.is_over and self._match(now_ms):
            pass

    def finish(self, now_ms: int, *, agrees: bool, lights: str = "") -> None:
        """Nothing more will come. `agrees` says that board and game are alike, `lights` what is lit."""
        self.look(now_ms + 2 * PATIENCE_MS)
        if not self.is_over and not agrees:
            self._fail("position", now_ms, "", "another position")
        if lights:
            self._fail("lights", now_ms, "", lights)

    def expected_move(self) -> str | None:
        """The move that was made and is not recognised yet: what a player would answer."""
        return next((truth.text for truth in self._truth if truth.kind == "move"), None)

    def _guided(self, event: Mismatch) -> None:
        """A guided rebuild began: nobody knocked the board over."""
        if (event.missing or event.extra) and event.t_ms > PATIENCE_MS:
            self._fail("alarm", event.t_ms, self._now(), f"mismatch {event.missing} {event.extra}")

    def _match(self, now_ms: int) -> bool:
        truth = self._truth[0] if self._truth else None
        event = self._events[0] if self._events else None
        if truth is not None and event is not None:
            return self._compare(truth, event, now_ms)
        if truth is not None and now_ms - truth.t_ms > PATIENCE_MS:
            return self._pass_over(truth)
        if event is not None and (now_ms - event.t_ms > PATIENCE_MS or self._is_answered(event)):
            return self._reject(event)
        return False

    def _is_answered(self, event: Event) -> bool:
        """Whether an event without a counterpart is about a mistake that stands named already."""
        return self._standing is not None and isinstance(event, Refused)

    def _compare(self, truth: TruthEvent, event: Event, now_ms: int) -> bool:
        if _is_about(event, truth):
            self._truth.popleft()
            self._events.popleft()
            self._agreed(truth, event)
            return True
        if isinstance(event, Refused) and truth.kind == "illegal" and event.t_ms >= (truth.from_ms or 0):
            self._misnamed = _report(event)  # it may still be named rightly
            self._events.popleft()
            return True
        if isinstance(event, Restored) and truth.kind == "illegal" and event.t_ms > truth.t_ms:
            return self._ended(truth, event, now_ms)
        if isinstance(event, Refused | Restored):
            return self._reject(event)
        if truth.is_move:
            return self._pass_over(truth, event)
        moved = next((later for later in self._truth if later.is_move), None)
        if moved is None:  # it may belong to what is about to stand
            return now_ms - event.t_ms > PATIENCE_MS and self._reject(event)
        return self._pass_over(truth, event) if _is_about(event, moved) else self._reject(event)

    def _ended(self, mistake: TruthEvent, event: Event, now_ms: int) -> bool:
        """A mistake was over before it was named rightly, or is about to be."""
        if any(truth.kind == "restored" for truth in self._truth):
            return self._pass_over(mistake, event)
        return now_ms - event.t_ms > PATIENCE_MS and self._reject(event)

    def _agreed(self, truth: TruthEvent, event: Event) -> None:
        tally = self.tally
        delay_ms = event.t_ms - truth.t_ms
        if delay_ms < 0 and truth.kind != "restored":
            self._fail("early", event.t_ms, _tell(truth), f"{-delay_ms} ms before it stood")
        if truth.is_move:
            tally.moves += truth.kind == "move"
            tally.taken_back += truth.kind == "takeback"
            tally.delays_ms.append(delay_ms)
        elif isinstance(event, Refused):
            self._standing = truth
            self._misnamed = ""
            tally.mistakes += 1
            tally.naming_delays_ms.append(delay_ms)
            if truth.reason and truth.reason != event.reason.code:
                self._fail("reason", event.t_ms, _tell(truth), str(event.reason))
        else:
            self._standing = None

    def _pass_over(self, truth: TruthEvent, event: Event | None = None) -> bool:
        """Something happened that was not recognised, or not as what it was."""
        reported = "nothing" if event is None else _report(event)
        if truth.kind == "illegal":
            self.tally.mistakes += 1
            self._fail("unnamed", truth.t_ms, _tell(truth), self._misnamed or reported)
            self._misnamed = ""
        elif truth.kind == "restored":
            self._standing = None
            self._fail("unrestored", truth.t_ms, _tell(truth), reported)
        elif event is None or any(_is_about(event, t) for t in self._truth):
            self._fail("missing", truth.t_ms, _tell(truth), reported)
        else:
            self._fail("wrong", event.t_ms, _tell(truth), reported)
        self._truth.popleft()
        return True

    def _reject(self, event: Event) -> bool:
        """Something was reported that did not happen."""
        self._events.popleft()
        if isinstance(event, Refused):
            if self._standing is None:
                self._fail("alarm", event.t_ms, self._now(), _report(event))
        elif not isinstance(event, Restored):
            self._fail("wrong", event.t_ms, self._now(), _report(event))
        return True

    def _now(self) -> str:
        return _tell(self._truth[0]) if self._truth else "nothing"

    def _fail(self, what: str, t_ms: int, truth: str, reported: str) -> None:
        number = self.tally.moves + self.tally.taken_back + 1
        self.tally.failures.append(Failure(what, t_ms, number, truth, reported))


def _key(event: Event) -> tuple[str, str]:
    match event:
        case Moved(_, move):
            return "move", move
        case TakenBack(_, move):
            return "takeback", move
        case Amended(_, move):
            return "amend", move
        case Refused(_, _, cells):
            return "illegal", "".join(cells)
        case _:
            return "restored", ""


def _is_about(event: Event, truth: TruthEvent) -> bool:
    """Whether an event says what happened; a mistake's cells may come in either order."""
    kind, text = _key(event)
    if isinstance(event, Refused):
        return truth.kind == kind and truth.text in (text, "".join(reversed(event.cells)))
    return (kind, text) == (truth.kind, truth.text)


def _tell(truth: TruthEvent) -> str:
    since = "" if truth.from_ms is None else f"{truth.from_ms}-"
    return f"{truth.kind} {truth.text} {truth.reason} at {since}{truth.t_ms}".replace("  ", " ")


def _report(event: Event) -> str:
    kind, text = _key(event)
    reason = f" {event.reason}" if isinstance(event, Refused) else ""
    return f"{kind} {text}{reason} at {event.t_ms}"
