"""A daemon for tests of the page: the real rules of Avalam, no sensors, no threads, no disk.

What the hand sets down is judged at once. Everything that the real daemon would publish later is
published before the call returns, so tests need not wait.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from controller.api import News, Snapshot
from controller.core.lights import Meaning, render
from controller.core.messages import (
    Answer,
    Choose,
    Command,
    Confirm,
    DeclineDraw,
    Draw,
    MoveView,
    NewGame,
    Notice,
    Phase,
    Resign,
    TakeBack,
    Task,
    View,
)
from controller.diagnostics import Report
from controller.errors import CommandError
from engines.base import Outcome, Reason, Termination
from engines.errors import EngineError
from engines.registry import game
from hardware.boardfile import Board, load_board
from hardware.leds.power import gamma_corrected
from hardware.ports import Colour, Fault
from tests.fakes.table import FakeTable

TOKEN = "only the daemon's user knows"


def healthy_report(board: Board) -> Report:
    """Every place well: a piece on each but the one in the middle."""
    full = [name != "e5" for name in board.names]
    counters = {"nacks": 3, "timeouts": 0, "bus_errors": 1, "scan_bytes": 310, "scan_transactions": 80}
    return Report(
        t_ms=1000,
        cells=board.names,
        values=tuple(12.5 if piece else 0.1 for piece in full),
        occupied=tuple(full),
        noise_mt=(0.025,) * len(full),
        margins_mt=tuple(9.3 if piece else 3.1 for piece in full),
        thresholds_mt=(3.2,) * len(full),
        states=("ok",) * len(full),
        calibrated_at="2026-11-30T12:00:00+00:00",
        status={
            "rate_hz": 24.9,
            "wanted_rate_hz": 25,
            "frame_ms": 0.62,
            "renewals": 0,
            "entries": 7,
            "durable": 7,
            "sensors": counters,
        },
    )


class FakeDaemon:
    """`DaemonApi` for tests. `publish` puts out any view; `held` keeps answers to commands back."""

    def __init__(self, *, simulated: bool = True) -> None:
        self._game: Any = game("avalam")
        self._board = load_board("avalam")
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[News], None]] = []
        self._playable = True
        self.faults: tuple[Fault, ...] = ()
        self.commands: list[Command] = []
        self.recordings: list[Callable[[str], None]] = []
        self.held: list[Future[Snapshot]] | None = None
        self.report = healthy_report(self._board)
        self._seq = 1
        self._chosen: dict[str, str] = {}
        self._game_id = 1
        self._begin({})
        self._table = FakeTable(self._board, self._stacks, self._table_changed) if simulated else None
        self._snapshot = Snapshot(1, self._view(), (), (Colour(0, 0, 0),) * 49)

    # ---------------------------------------------------------------- DaemonApi

    @property
    def board(self) -> Board:
        return self._board

    @property
    def table(self) -> FakeTable | None:
        return self._table

    @property
    def version(self) -> str:
        return "0.0-test"

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def submit(self, command: Command) -> Future[Snapshot]:
        answer: Future[Snapshot] = Future()
        with self._lock:
            self.commands.append(command)
            if self.held is not None:
                self.held.append(answer)
                return answer
            try:
                self._carry_out(command)
            except CommandError as error:
                answer.set_exception(error)
            else:
                self.publish()
                answer.set_result(self._snapshot)
        return answer

    def subscribe(self, callback: Callable[[News], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def settings(self) -> Mapping[str, tuple[str, ...]]:
        return {setting.name: setting.allowed for setting in self._game.settings}

    def record(self, write: Callable[[str], None]) -> Callable[[], None]:
        self.recordings.append(write)
        return lambda: self.recordings.remove(write)

    def is_operator(self, token: str) -> bool:
        return token == TOKEN

    def playable(self) -> bool:
        return self._playable

    def status(self) -> Mapping[str, Any]:
        return {"rate_hz": 25.0, "scans": 1000}

    def diagnostics(self) -> Report:
        return self.report

    # ---------------------------------------------------------------- for tests

    @property
    def subscribers(self) -> int:
        return len(self._callbacks)

    def break_down(self) -> None:
        self._playable = False

    def play(self, *moves: str) -> None:
        """Make moves as a tidy person would."""
        for move in moves:
            self._moves.append(self._game.parse_move(move, self._position()))
            if self._table is not None:
                self._table.stacks = dict(self._stacks())
        self.publish()
        self._tell("table")

    def change(self, **fields: Any) -> None:
        """Publish the view with some fields replaced, whatever the game says."""
        self.publish(replace(self._view(), **fields))

    def publish(self, view: View | None = None) -> None:
        with self._lock:
            self._seq += 1
            shown = view or self._view()
            self._snapshot = Snapshot(self._seq, shown, self.faults, self._pixels(shown))
            self._tell("view")
            self._tell("strip")

    # ---------------------------------------------------------------- the game

    def _begin(self, settings: Mapping[str, str]) -> None:
        self._chosen = {s.name: settings.get(s.name, s.default) for s in self._game.settings}
        self._start = self._game.initial(**self._chosen)
        self._moves: list[Any] = []
        self._outcome: Outcome | None = None
        self._offer: int | None = None
        self._notice: Notice | None = None
        self._tasks: tuple[Task, ...] = ()
        self._lifted: str | None = None
        self._question: tuple[str, ...] = ()
        self._is_guided = False

    def _position(self, plies: int | None = None) -> Any:
        position = self._start
        for move in self._moves[:plies]:
            position = position.play(move)
        return position

    def _stacks(self) -> Mapping[str, tuple[int, ...]]:
        return self._game.stacks(self._start, self._moves)  # type: ignore[no-any-return]

    def _carry_out(self, command: Command) -> None:  # noqa: C901 - one case a command
        match command:
            case TakeBack(plies):
                if not 0 < plies <= len(self._moves):
                    raise CommandError(Reason("nothing_to_take_back"))
                del self._moves[-plies:]
                self._outcome = None
                self._is_guided = True
                self._judge()
            case Resign(player):
                self._require_running()
                self._outcome = Outcome(Termination.RESIGNATION, (1 - player,), self._scores())
            case Draw(player):
                self._require_running()
                if self._offer == 1 - player:
                    self._outcome = Outcome(Termination.AGREEMENT, (0, 1), self._scores())
                self._offer = player if self._outcome is None else None
            case DeclineDraw():
                if self._offer is None:
                    raise CommandError(Reason("no_draw_offer"))
                self._offer = None
            case NewGame(settings):
                for name, value in settings.items():
                    if value not in self.settings().get(name, ()):
                        raise CommandError(Reason("not_a_setting", (name, value)))
                self._begin(settings)
                self._game_id += 1
                if self._table is not None:
                    self._table.reset()
            case Answer(move):
                if move not in self._question:
                    raise CommandError(Reason("no_question"))
                self._question = ()
            case Confirm() | Choose():
                raise CommandError(Reason("not_now"))

    def _require_running(self) -> None:
        if self._view().outcome is not None:
            raise CommandError(Reason("game_over"))

    def _scores(self) -> tuple[int, ...]:
        return self._game.scores(self._position())  # type: ignore[no-any-return]

    def _table_changed(self) -> None:
        with self._lock:
            table = self._table
            if table is None:
                return
            agreed = self._stacks()
            short = [c for c in agreed if len(table.stacks.get(c, ())) < len(agreed[c])]
            if table.hand is None:
                self._lifted = None
                self._judge()
            elif short and self._lifted is None and not self._tasks:
                self._lifted = short[0]
                self._notice = None
            self.publish()
            self._tell("table")

    def _judge(self) -> None:
        """Compare the table with the agreed position: a move, a take-back, or something to put right."""
        stands = self._table.stacks if self._table is not None else self._stacks()
        self._notice, self._tasks = None, ()
        agreed = self._stacks()
        if stands == agreed:
            self._is_guided = False
            return
        origin = next((c for c in sorted(agreed) if len(stands.get(c, ())) < len(agreed[c])), None)
        target = next((c for c in sorted(stands) if len(stands[c]) > len(agreed.get(c, ()))), None)
        if self._is_guided:
            self._ask_for(origin, target)
        elif not self._accepts(stands):
            self._refuse(origin, target, split=origin in stands)

    def _accepts(self, stands: Mapping[str, tuple[int, ...]]) -> bool:
        """Whether that is a take-back or a legal move; then it is made."""
        if self._moves and stands == self._game.stacks(self._start, self._moves[:-1]):
            self._moves.pop()
            return True
        for move in self._position().legal_moves():
            if stands == self._game.stacks(self._start, [*self._moves, move]):
                self._moves.append(move)
                return True
        return False

    def _ask_for(self, origin: str | None, target: str | None) -> None:
        if origin is None or target is None:
            cell = origin or target or "e5"
            kind, owners = ("place" if origin else "remove"), self._stacks().get(cell, (None,))
            self._tasks = (Task(kind, cell, owner=owners[-1], height=1),)
        else:
            self._tasks = (Task("move", origin, target, height=len(self._stacks()[origin])),)

    def _refuse(self, origin: str | None, target: str | None, *, split: bool) -> None:
        self._ask_for(origin, target)
        if origin is None or target is None:
            cell = origin or target or "e5"
            code = "missing_piece" if origin else "extra_piece"
            self._notice = Notice(Reason(code, (cell,)), (cell,))
            return
        reason = Reason("split_tower", (origin,)) if split else None
        try:
            reason = reason or self._game.refusal(self._position(), origin, target)
        except EngineError:
            reason = None
        self._notice = Notice(reason or Reason("not_a_move"), (origin, target))

    # ---------------------------------------------------------------- the view

    def _view(self) -> View:
        position = self._position()
        outcome = self._outcome or position.outcome()
        targets = self._targets(position) if self._lifted and outcome is None else ()
        phase = Phase.OVER if outcome else Phase.FIX if self._tasks else Phase.PLAY
        return View(
            game="avalam",
            game_id=self._game_id,
            settings=dict(self._chosen),
            player_names=self._game.player_names,
            phase=phase,
            to_move=None if outcome else position.player_to_move,
            scores=self._game.scores(position),
            position=self._game.format_position(position),
            stacks=dict(self._stacks()),
            moves=self._move_views(),
            lifted=self._lifted,
            targets=targets,
            lights=self._lights(targets),
            notice=self._notice,
            tasks=self._tasks,
            question=self._question,
            draw_offer=self._offer,
            placing=None,
            outcome=outcome,
            unknown=(),
            masked=(),
        )

    def _move_views(self) -> tuple[MoveView, ...]:
        views = []
        for ply, move in enumerate(self._moves):
            position = self._position(ply)
            text, shown = self._game.format_move(move, position), self._game.display_move(move, position)
            views.append(MoveView(position.player_to_move, text, shown))
        return tuple(views)

    def _targets(self, position: Any) -> tuple[str, ...]:
        return tuple(m.target for m in position.legal_moves() if getattr(m, "origin", None) == self._lifted)

    def _lights(self, targets: tuple[str, ...]) -> dict[str, str]:
        lights: dict[str, str] = {}
        if self._lifted:
            lights = dict.fromkeys(targets, Meaning.TARGET.value)
            lights[self._lifted] = (Meaning.LIFTED if targets else Meaning.WRONG).value
        for task in self._tasks:
            lights[task.cell] = Meaning.TO.value
            if task.origin:
                lights[task.origin] = Meaning.FROM.value
        return lights

    def _pixels(self, view: View) -> tuple[Colour, ...]:
        numbers = {cell.name: cell.pixel for cell in self._board.cells}
        lights = {numbers[cell]: Meaning(meaning) for cell, meaning in view.lights.items()}
        return gamma_corrected(render(lights, 0, self._board.strip_length))

    def _tell(self, kind: str) -> None:
        for callback in tuple(self._callbacks):
            callback(News(kind, self._snapshot))
