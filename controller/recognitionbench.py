"""How well moves are recognised: random games by a clumsy hand, on the simulated board in its own time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

from controller.clumsy.habits import KINDS, Habits
from controller.clumsy.rig import Rig
from controller.clumsy.truth import format_truth
from controller.core.messages import Answer
from controller.core.session import Session
from controller.errors import CommandError
from controller.scoring import FATAL, Failure, Scorer, Tally
from controller.startup import board_game, field_parameters
from controller.trace import TraceHeader, TraceInput, TraceWriter, board_facts
from hardware.boardfile import Board, load_board
from hardware.ports import Frame, Unit

_ANSWER_MS = 1000
"""How long a player takes to answer a question."""
_LATER_MS = 60_000


@dataclass(frozen=True, slots=True)
class Course:
    """One kind of games: how they are played and how their frames come."""

    kind: str
    habits: Habits
    rate_hz: float = 25.0
    over_bus: bool = False
    board: str = "avalam"

    @property
    def source(self) -> str:
        """Where the frames come from."""
        return "bus" if self.over_bus else "field"


def course(
    kind: str, *, rate_hz: float = 25.0, over_bus: bool | None = None, board: str = "avalam"
) -> Course:
    """The course of a kind; faults go over the simulated bus unless it is said otherwise.

    Raises: KeyError.
    """
    habits = KINDS[kind]
    return Course(kind, habits, rate_hz, habits.faults if over_bus is None else over_bus, board)


@dataclass(slots=True)
class GameResult:
    """One game: what it came to, and what was fed, for whoever wants to see it again.

    `cpu_ms` holds the processor time of every frame.
    """

    course: Course
    seed: int
    header: TraceHeader
    tally: Tally = field(default_factory=Tally)
    cpu_ms: list[float] = field(default_factory=list)
    items: list[Frame | TraceInput] = field(default_factory=list)
    truth: dict[str, Any] = field(default_factory=dict)


class _Game:
    """One game, from the set-up to the last frame."""

    def __init__(self, course: Course, seed: int, turns: int | None) -> None:
        board = load_board(course.board)
        self._game = board_game(board)
        self._rig = Rig(
            board,
            self._game,
            course.habits,
            seed=seed,
            rate_hz=course.rate_hz,
            over_bus=course.over_bus,
            turns=turns,
        )
        self._session = Session(self._game, board.names, self._rig.calibration, field_parameters(board))
        self._scorer = Scorer()
        self._told = 0
        self._asked_ms: int | None = None
        self._result = GameResult(course, seed, _header(self._rig, course, board), self._scorer.tally)

    def play(self) -> GameResult:
        """Play until the game ends, or until the position agreed is no longer the one on the board."""
        t_ms = 0
        for frame in self._rig.frames():
            t_ms = frame.t_ms
            self._frame(frame)
            if self._scorer.is_over:
                break
        self._scorer.finish(t_ms, agrees=self._agrees(), lights=self._lights_left(t_ms))
        heights = {cell: len(owners) for cell, owners in self._rig.wooden.stacks().items()}
        self._result.truth = format_truth(self._rig.truth, heights, self._rig.troubles.log)
        return self._result

    def _frame(self, frame: Frame) -> None:
        for truth in self._rig.truth[self._told :]:
            self._scorer.happened(truth)
        self._told = len(self._rig.truth)
        self._result.items.append(frame)
        began_ns = time.thread_time_ns()
        effects = self._session.frame(frame)
        self._result.cpu_ms.append((time.thread_time_ns() - began_ns) / 1e6)
        for event in effects.events:
            self._scorer.reported(event)
        self._answer(frame.t_ms)
        self._scorer.look(frame.t_ms)

    def _answer(self, t_ms: int) -> None:
        """Answer a question truthfully, after a while, where the truth is among what is asked."""
        question = self._session.view().question if self._asks() else ()
        if not question:
            self._asked_ms = None
            return
        self._asked_ms = t_ms if self._asked_ms is None else self._asked_ms
        move = self._scorer.expected_move()
        if move not in question or t_ms - self._asked_ms < _ANSWER_MS:
            return
        self._asked_ms = None
        command = Answer(str(move))
        self._result.items.append(TraceInput(t_ms, command))
        try:
            effects = self._session.command(command, t_ms)
        except CommandError:
            return
        for event in effects.events:
            self._scorer.reported(event)

    def _asks(self) -> bool:
        return self._scorer.tally.asked > 0

    def _agrees(self) -> bool:
        """Whether exactly what the game says stands on the board, owners and all."""
        record = self._session.record
        agreed = self._game.stacks(record.positions[0], record.moves)
        return {cell: tuple(owners) for cell, owners in agreed.items()} == self._rig.wooden.stacks()

    def _lights_left(self, t_ms: int) -> str:
        """What is lit long after everything has come to rest, masked places aside."""
        if self._scorer.is_over:
            return ""
        lights = self._session.lights(t_ms + _LATER_MS)
        return " ".join(f"{cell}:{m.value}" for cell, m in sorted(lights.items()) if m.value != "masked")


def _header(rig: Rig, course: Course, board: Board) -> TraceHeader:
    record = rig.play.record
    return TraceHeader(
        board.game,
        Unit.MT,
        board.names,
        course.rate_hz,
        settings=record.settings,
        calibration=rig.calibration,
        board=board_facts(board),
    )


def play_game(course: Course, seed: int, turns: int | None = None) -> GameResult:
    """Play one game, of so many turns or to its end; the same course and seed give the same frames.

    Raises: BoardFileError, UnknownGameError, ConfigError.
    """
    return _Game(course, seed, turns).play()


def play_games(course: Course, moves: int, seed: int = 1) -> Iterator[GameResult]:
    """Whole games with the seeds from `seed` on, until that many moves were recognised or failed."""
    played = 0
    while played < moves:
        result = play_game(course, seed)
        yield result
        played += result.tally.moves + sum(f.what in FATAL for f in result.tally.failures)
        seed += 1


def save_game(result: GameResult, folder: Path) -> Path:
    """Write a game as a trace with its truth beside it; the trace's path.

    Raises: OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    course = result.course
    name = f"{course.board}-{course.kind}-{course.rate_hz:g}hz-{course.source}-{result.seed}"
    path = folder / f"{name}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        writer = TraceWriter(stream, result.header)
        for item in result.items:
            if isinstance(item, TraceInput):
                writer.input(item.t_ms, item.command)
            else:
                writer.frame(item)
    truth = folder / f"{name}.truth.json"
    truth.write_text(json.dumps(result.truth, indent=1) + "\n", encoding="utf-8")
    return path


@dataclass(slots=True)
class Report:
    """What the games of one course came to together."""

    course: Course
    games: int = 0
    tally: Tally = field(default_factory=Tally)
    cpu_ms: list[float] = field(default_factory=list)
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    """Each with the seed of its game."""

    def add(self, result: GameResult) -> None:
        """Add a game."""
        self.games += 1
        self.tally.add(result.tally)
        self.cpu_ms += result.cpu_ms
        self.failures += [(result.seed, failure) for failure in result.tally.failures]

    def figures(self) -> dict[str, Any]:
        """The figures as they are printed: counts, ms of board time, ms of the processor a frame."""
        tally = self.tally
        return {
            "kind": self.course.kind,
            "source": self.course.source,
            "rate_hz": self.course.rate_hz,
            "games": self.games,
            "moves": tally.moves,
            "wrong": tally.count("wrong") + tally.count("position"),
            "missing": tally.count("missing"),
            "asked": tally.asked,
            "early": tally.count("early"),
            "taken_back": tally.taken_back,
            "mistakes": tally.mistakes,
            "unnamed": tally.count("unnamed") + tally.count("reason") + tally.count("unrestored"),
            "alarms": tally.count("alarm"),
            "lights": tally.count("lights"),
            "p50_ms": part(tally.delays_ms, 0.5),
            "p99_ms": part(tally.delays_ms, 0.99),
            "named_p99_ms": part(tally.naming_delays_ms, 0.99),
            "cpu_mean_ms": round(sum(self.cpu_ms) / max(1, len(self.cpu_ms)), 3),
            "cpu_max_ms": round(max(self.cpu_ms, default=0.0), 2),
        }


def part(values: Sequence[float], share: float) -> float | None:
    """The value below which this share of all lies, by the nearest rank; None of nothing."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)] if values else None


def failure_json(course: Course, seed: int, failure: Failure) -> Mapping[str, Any]:
    """A failure with all it takes to see it again."""
    return {"kind": course.kind, "rate_hz": course.rate_hz, "source": course.source, "seed": seed} | asdict(
        failure
    )
