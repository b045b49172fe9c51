"""Hand scripts played on a simulated board before a session: what the hands did, and what it made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.messages import Event, Mismatch, Moved, PlaceFault, Refused, View, to_json
from controller.core.session import Session
from controller.startup import field_parameters
from engines.record import Record
from engines.registry import game
from hardware.boardfile import load_board
from hardware.errors import BusError
from hardware.ports import Frame
from hardware.sensing.field import field_scanner
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.script import parse_script
from hardware.simulator.scriptrunner import ScriptRunner
from hardware.simulator.troubles import Troubles
from tests.fakes.player import calibration

BOARD = load_board("avalam")
_PERIOD_MS = 40
_BEFORE_MS = 600
_AFTER_MS = 2000


@dataclass(frozen=True, slots=True)
class Performance:
    """What came of a script: every event with its time, the board's truth, and the session as it stands."""

    events: tuple[Event, ...]
    stands: dict[str, tuple[int, ...]]
    session: Session

    @property
    def view(self) -> View:
        return self.session.view()

    @property
    def moves(self) -> list[str]:
        return [move.move for move in self.view.moves]

    @property
    def told(self) -> list[str]:
        """The events in words, without lifts: `move c9d8`, `illegal too_high`, `place e4 noisy`."""
        return [_words(event) for event in self.events if to_json(event)["event"] != "lift"]


def rehearse(
    text: str, moves: Sequence[str] = (), *, seed: int = 1, after_ms: int = _AFTER_MS
) -> Performance:
    """Play a script on the board of a game in which `moves` were made, and watch for a while afterwards."""
    avalam: Any = game("avalam")
    record = Record(avalam)
    for move in moves:
        record.push(avalam.parse_move(move, record.position))
    wooden = SimulatedBoard(BOARD, seed=seed)
    stacks = avalam.stacks(record.positions[0], record.moves)
    wooden.set_up({cell: [owner or 0 for owner in owners] for cell, owners in stacks.items()})
    scanner = field_scanner(
        BOARD, wooden.open_bus, "simulated bus", wooden.clock, reset_muxes=wooden.bus.reset_muxes
    )
    scanner.start()
    session = Session(avalam, scanner.cells, calibration(seed), field_parameters(BOARD), record=record)
    runner = ScriptRunner(wooden, parse_script(text, BOARD.names), Troubles(wooden))
    events: list[Event] = []

    def turn() -> None:
        try:
            frame = scanner.scan()
        except BusError:
            frame = Frame(wooden.clock.now_ms(), (None,) * len(scanner.cells))
        events.extend(session.frame(frame).events)
        wooden.advance_ms(max(0, _PERIOD_MS - (wooden.clock.now_ms() - frame.t_ms)))

    _let_pass(_BEFORE_MS, wooden, turn)
    events.clear()
    while not runner.is_over:
        runner.go_on()
        turn()
    if runner.failure is not None:
        raise runner.failure
    end_ms = wooden.clock.now_ms() + after_ms
    while wooden.clock.now_ms() < end_ms:
        runner.go_on()
        turn()
    return Performance(tuple(events), wooden.stacks(), session)


def _let_pass(duration_ms: int, wooden: SimulatedBoard, turn: Any) -> None:
    end_ms = wooden.clock.now_ms() + duration_ms
    while wooden.clock.now_ms() < end_ms:
        turn()


def _words(event: Event) -> str:
    match event:
        case Refused(reason=reason):
            return f"illegal {reason.code}"
        case PlaceFault(cell=cell, fault=fault):
            return f"place {cell} {fault or 'well'}"
        case Mismatch(missing=missing, extra=extra):
            return f"mismatch -{' '.join(missing)} +{' '.join(extra)}"
        case Moved(move=move):
            return f"move {move}"
    data = to_json(event)
    rest = [str(data[key]) for key in ("move", "moves") if key in data]
    return " ".join([data["event"], *rest])
