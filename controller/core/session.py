"""The session: the record of the game on the board, and what the players must do next.

Pure. Frames and commands go in, effects come out; time arrives inside them. The session owns the
record; the recogniser tells it what the hands did, and is told which position was agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel, FieldParameters
from controller.core.guidance import placements, restorations
from controller.core.lights import Meaning
from controller.core.messages import (
    Amended,
    Answer,
    Asked,
    Choose,
    Command,
    Confirm,
    DeclineDraw,
    Draw,
    Entry,
    Event,
    Lifted,
    Mismatch,
    Moved,
    MoveView,
    NewGame,
    Notice,
    Phase,
    PlaceFault,
    Refused,
    Resign,
    Restored,
    TakeBack,
    TakenBack,
    Task,
    View,
)
from controller.core.occupancy import OccupancyRecogniser
from controller.core.recogniser import Recogniser
from controller.core.rules import EngineRules, Node
from controller.core.seen import Seen
from controller.errors import CommandError
from engines.base import BoardGame, Chance, Outcome, Reason
from engines.errors import SettingError
from engines.record import Record
from hardware.ports import Frame

LAST_MOVE_MS = 3000
"""How long the last move stays lit."""
_WRONG_ONCE_MS = 700
"""How long a piece that may not move says so when lifted."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What a frame or a command led to.

    `entries` must be durable before a view that rests on them is shown. `changed` says that the view
    differs from the one before.
    """

    events: tuple[Event, ...] = ()
    entries: tuple[Entry, ...] = ()
    changed: bool = False


@dataclass(slots=True)
class _Collected:
    """The events and entries of one frame or command, while they come together."""

    events: list[Event] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


class Session:
    """One board's game: the agreed record, what the board shows, and what is still to be done."""

    def __init__(
        self,
        game: BoardGame,
        cells: tuple[str, ...],
        calibration: Calibration | None = None,
        geometry: FieldParameters | None = None,
        *,
        record: Record | None = None,
        game_id: int = 0,
        restored: bool = False,
    ) -> None:
        """A session over a board whose frames come in the order of `cells`.

        A field board has a calibration and a geometry; without them it is an occupancy board.
        `record` is the game to go on with; a new one with default settings begins without it.
        `restored` says that the game comes from the journal, so that a person should confirm it.
        Raises: ValueError if `cells` are not those of the game.
        """
        if sorted(cells) != sorted(game.cells):
            raise ValueError(f"the board's cells are not those of {game.name}")
        self.game = game
        self.game_id = game_id
        self._order = tuple(cells.index(cell) for cell in game.cells)
        self._record = record or Record(game)
        self._rules = EngineRules(game)
        self._recogniser = self._make_recogniser(calibration, geometry)
        self._unconfirmed = restored and bool(self._record.moves)
        self._placing: int | None = None
        self._draw_offer: int | None = None
        self._notice: Notice | None = None
        self._last_cells: tuple[str, ...] = ()
        self._last_ms = -LAST_MOVE_MS
        self._lift_ms = 0
        self._faults: dict[int, str] = {}
        self._missing: tuple[int, ...] = ()
        self._extra: tuple[int, ...] = ()
        self._view: View | None = None

    def _make_recogniser(
        self, calibration: Calibration | None, geometry: FieldParameters | None
    ) -> Recogniser | OccupancyRecogniser:
        start, keys = self._agreed()
        if calibration is None or geometry is None:
            return OccupancyRecogniser(self._rules, len(self._order), start, keys)
        model = FieldModel(_in_order(geometry, self._order))
        return Recogniser(self._rules, model, _calibration_in_order(calibration, self._order), start, keys)

    # ------------------------------------------------------------------ what is agreed

    @property
    def record(self) -> Record:
        """The game as agreed; do not change it from outside."""
        return self._record

    def begin(self) -> Effects:
        """The entries that open a game which is not in the journal yet."""
        return Effects((), (self._game_entry(),), changed=True)

    def _game_entry(self) -> Entry:
        data = {"game": self.game.name, "settings": self._record.settings}
        return Entry("game", data if self._record.start is None else data | {"start": self._record.start})

    def _agreed(self) -> tuple[Node, tuple[str, ...]]:
        """The start of the game for the recogniser, and the moves since."""
        positions, texts = self._record.positions, self._record.move_texts
        chance = sum(1 for position in positions[:-1] if position.chance() is not None)
        return Node(positions[chance], closed=False), texts[chance:]

    def _realign(self) -> None:
        """Tell the recogniser which position is agreed now."""
        self._recogniser.reset(*self._agreed())
        self._see()

    def _see(self) -> None:
        """Tell the recogniser which moves are possible at the agreed position."""
        node = Node(self._record.position, self._placing, closed=self._record.ending is not None)
        self._recogniser.see_as(node)

    def chance(self) -> Chance | None:
        """The chance event that is due, to be drawn outside and handed to `play_chance`."""
        chance: Chance | None = self._record.position.chance()
        return chance

    def play_chance(self, move: Any) -> Effects:
        """Take the outcome of the chance event that is due.

        Raises: IllegalMoveError.
        """
        position = self._record.position
        text = self.game.format_move(move, position)
        self._record.push(move)
        self._realign()
        return self._done((), (Entry("chance", {"move": text}),))

    # ------------------------------------------------------------------ frames

    def frame(self, frame: Frame) -> Effects:
        """What one scan means.

        Raises: ValueError if the frame has not one value a cell.
        """
        values = frame.values
        if len(values) != len(self._order):
            raise ValueError(f"a frame needs {len(self._order)} values, not {len(values)}")
        seen = self._recogniser.feed(frame.t_ms, [values[k] for k in self._order])
        out = _Collected()
        for item in seen:
            self._take(item, out)
        self._watch_faults(frame.t_ms, out)
        # the phase also changes without an event: a set-up is complete, the board agrees again
        is_stale = self._view is not None and (
            self._view.phase is not self._phase() or self._view.question != self._recogniser.asked
        )
        return self._done(tuple(out.events), tuple(out.entries)) if out.events or is_stale else Effects()

    def _watch_faults(self, t_ms: int, out: _Collected) -> None:
        now = self._recogniser.places.faults
        if now == self._faults:
            return
        changed = sorted(k for k in now.keys() | self._faults.keys() if now.get(k) != self._faults.get(k))
        out.events.extend(PlaceFault(t_ms, self.game.cells[k], now.get(k)) for k in changed)
        self._faults = dict(now)

    def _take(self, seen: Seen, out: _Collected) -> None:
        """Turn one thing the recogniser saw into events, entries and state."""
        takers: Mapping[str, Callable[[Seen, _Collected], None]] = {
            "move": self._take_move,
            "amend": self._take_amend,
            "takeback": self._take_takeback,
            "illegal": self._take_illegal,
            "restored": self._take_restored,
            "ask": self._take_ask,
            "lift": self._take_lift,
            "mismatch": self._take_mismatch,
        }
        takers[seen.kind](seen, out)

    def _take_move(self, seen: Seen, out: _Collected) -> None:
        for key in seen.keys:
            self._push(key, seen.t_ms)
            out.events.append(Moved(seen.t_ms, key))
            out.entries.append(Entry("move", {"move": key}))
        out.entries.extend(self._ending_by_rule())

    def _take_amend(self, seen: Seen, out: _Collected) -> None:
        key = seen.keys[0]
        self._record.pop()
        self._push(key, seen.t_ms)
        out.events.append(Amended(seen.t_ms, key))
        out.entries.append(Entry("amend", {"move": key}))
        out.entries.extend(self._ending_by_rule())

    def _take_takeback(self, seen: Seen, out: _Collected) -> None:
        self._record.pop(len(seen.keys))
        out.events.extend(TakenBack(seen.t_ms, key) for key in seen.keys)
        out.entries.append(Entry("takeback", {"plies": len(seen.keys)}))
        self._quiet()

    def _take_illegal(self, seen: Seen, out: _Collected) -> None:
        if self._record.outcome is not None:
            return  # the game is over: the pieces may go wherever people put them
        cells = self._names(seen.places)
        reason = seen.reason if isinstance(seen.reason, Reason) else self._physical(*seen.reason)
        self._notice = Notice(reason, cells)
        out.events.append(Refused(seen.t_ms, reason, cells))

    def _physical(self, code: str, place: int) -> Reason:
        return Reason(code, (self.game.cells[place],))

    def _take_restored(self, seen: Seen, out: _Collected) -> None:
        self._notice = None
        out.events.append(Restored(seen.t_ms))

    def _take_ask(self, seen: Seen, out: _Collected) -> None:
        out.events.append(Asked(seen.t_ms, seen.keys))

    def _take_lift(self, seen: Seen, out: _Collected) -> None:
        self._lift_ms = seen.t_ms
        out.events.append(Lifted(seen.t_ms, self.game.cells[seen.places[0]] if seen.places else None))

    def _take_mismatch(self, seen: Seen, out: _Collected) -> None:
        self._missing, self._extra = seen.places, seen.extra
        moved = tuple((task.origin, task.cell) for task in self._tasks() if task.origin is not None)
        out.events.append(Mismatch(seen.t_ms, self._names(seen.places), self._names(seen.extra), moved))

    def _push(self, key: str, t_ms: int) -> None:
        before = self._record.position
        move = self.game.parse_move(key, before)
        self._last_cells = tuple(change.cell for change in self.game.changes(move, before))
        self._last_ms = t_ms
        self._record.push(move)
        self._unconfirmed = False
        self._quiet()

    def _quiet(self) -> None:
        """The board moved on: what was asked, offered or refused before is settled."""
        self._notice, self._draw_offer, self._placing = None, None, None

    def _ending_by_rule(self) -> tuple[Entry, ...]:
        outcome = self._record.outcome
        return () if outcome is None else (_end_entry(outcome),)

    def _names(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.game.cells[k] for k in places)

    # ------------------------------------------------------------------ commands

    def command(self, command: Command, t_ms: int) -> Effects:
        """Carry out what a person asks for.

        Raises: CommandError with the reason for people; nothing has changed then.
        """
        match command:
            case TakeBack(plies):
                return self._command_takeback(plies)
            case Resign(player):
                self._check_player(player)
                return self._end(lambda: self._record.resign(player))
            case Draw(player):
                return self._command_draw(player)
            case DeclineDraw(player):
                return self._command_decline(player)
            case NewGame(settings):
                return self._command_new_game(settings)
            case Answer(move):
                return self._command_answer(move, t_ms)
            case Confirm():
                return self._command_confirm(t_ms)
            case Choose(player):
                return self._command_choose(player)
            case _:
                raise CommandError(Reason("not_now"))

    def _command_takeback(self, plies: int) -> Effects:
        played = len(self._record.moves) - (1 if self._begins_by_chance() else 0)
        if self._record.ending is not None and plies == 1:
            # what was ended by word is opened again by word; no piece has to go back
            self._record.reopen()
            self._realign()
            return self._done((), (Entry("takeback", {"plies": 0}),))
        if plies < 1 or plies > played:
            raise CommandError(Reason("nothing_to_take_back"))
        self._record.pop(plies)
        self._quiet()
        self._last_cells = ()
        self._realign()
        return self._done((), (Entry("takeback", {"plies": plies}),))

    def _begins_by_chance(self) -> bool:
        return self._record.positions[0].chance() is not None and bool(self._record.moves)

    def _check_player(self, player: int) -> None:
        if player not in range(len(self.game.player_names)):
            raise CommandError(Reason("no_such_player", (player,)))
        if self._record.outcome is not None:
            raise CommandError(Reason("game_over"))

    def _end(self, ending: Callable[[], Outcome]) -> Effects:
        outcome = ending()
        self._quiet()
        self._realign()
        return self._done((), (_end_entry(outcome),))

    def _command_draw(self, player: int) -> Effects:
        self._check_player(player)
        if self._draw_offer is None:
            self._draw_offer = player
            return self._done()
        if self._draw_offer == player:
            raise CommandError(Reason("draw_already_offered"))
        return self._end(self._record.agree_draw)

    def _command_decline(self, player: int) -> Effects:
        self._check_player(player)
        if self._draw_offer is None:
            raise CommandError(Reason("no_draw_offer"))
        self._draw_offer = None
        return self._done()

    def _command_new_game(self, settings: Mapping[str, str]) -> Effects:
        try:
            record = Record(self.game, settings)
        except SettingError as error:
            raise CommandError(Reason("wrong_setting", (str(error),))) from None
        self._record = record
        self.game_id += 1
        self._unconfirmed = False
        self._quiet()
        self._last_cells = ()
        self._realign()
        self._recogniser.set_up()
        return self._done((), (self._game_entry(),))

    def _command_answer(self, move: str, t_ms: int) -> Effects:
        if not self._recogniser.asked:
            raise CommandError(Reason("no_question"))
        if move not in self._recogniser.asked:
            raise CommandError(Reason("not_an_answer", (move,)))
        out = _Collected()
        for seen in self._recogniser.answer(move, t_ms):
            self._take(seen, out)
        return self._done(tuple(out.events), tuple(out.entries))

    def _command_confirm(self, t_ms: int) -> Effects:
        if self._phase() is Phase.CONFIRM:
            self._unconfirmed = False
            return self._done()
        if not self._recogniser.trust():
            raise CommandError(Reason("nothing_to_confirm"))
        self._notice = None
        self._unconfirmed = False
        return self._done((Restored(t_ms),))

    def _command_choose(self, player: int) -> Effects:
        self._check_player(player)
        if self._placing_now() is None:
            raise CommandError(Reason("not_now"))
        self._placing = player
        self._see()
        return self._done()

    def _done(self, events: tuple[Event, ...] = (), entries: tuple[Entry, ...] = ()) -> Effects:
        self._view = None
        return Effects(events, entries, changed=True)

    # ------------------------------------------------------------------ what people see

    def view(self) -> View:
        """The whole public state; the same object as long as nothing changes."""
        if self._view is None:
            self._view = self._make_view()
        return self._view

    def _phase(self) -> Phase:
        if self._record.outcome is not None:
            return Phase.OVER
        if not self._recogniser.ready and not self._record_moved():
            return Phase.SETUP
        if not self._recogniser.ready or not self._recogniser.agrees():
            return Phase.FIX
        return Phase.CONFIRM if self._unconfirmed else Phase.PLAY

    def _record_moved(self) -> bool:
        return len(self._record.moves) > (1 if self._begins_by_chance() else 0)

    def _tasks(self) -> tuple[Task, ...]:
        """What has to be put right on the board, the first thing first."""
        owners = self.game.owners(self._record.position)
        heights = self.game.heights(self._record.position)
        if not self._recogniser.ready or self._recogniser.lost:
            return placements(self.game.cells, heights, owners, self._missing, self._extra)
        return restorations(self.game.cells, heights, owners, self._recogniser.standing())

    def _lifted(self) -> str | None:
        place = self._recogniser.lifted
        return None if place is None else self.game.cells[place]

    def _targets(self, lifted: str | None) -> tuple[str, ...]:
        if lifted is None or self._phase() not in (Phase.PLAY, Phase.CONFIRM):
            return ()
        place = self.game.cells.index(lifted)
        return self._names(self._recogniser.targets(place))

    def _placing_now(self) -> int | None:
        """Whose piece comes from the box next, in a set-up by the players; None elsewhere."""
        if self._record.outcome is not None or self._record.position.chance() is not None:
            return None
        if not self._recogniser.arrives():
            return None
        return self._rules.placing(Node(self._record.position, self._placing))

    def _make_view(self) -> View:
        record, game = self._record, self.game
        lifted = self._lifted()
        faults = sorted(self._faults)
        return View(
            game=game.name,
            game_id=self.game_id,
            settings=record.settings,
            player_names=tuple(game.player_names),
            phase=self._phase(),
            to_move=None if record.outcome is not None else record.position.player_to_move,
            scores=tuple(game.scores(record.position)),
            position=game.format_position(record.position),
            stacks=_owned(game.stacks(record.positions[0], record.moves)),
            moves=self._move_views(),
            lifted=lifted,
            targets=self._targets(lifted),
            lights={
                cell: meaning.value for cell, meaning in self.lights(self._last_ms + LAST_MOVE_MS).items()
            },
            notice=self._notice,
            tasks=self._tasks(),
            question=self._recogniser.asked,
            draw_offer=self._draw_offer,
            placing=self._placing_now(),
            outcome=record.outcome,
            unknown=self._names([k for k in faults if self._faults[k] == "unread"]),
            masked=self._names([k for k in faults if self._faults[k] != "unread"]),
        )

    def _move_views(self) -> tuple[MoveView, ...]:
        views = []
        for move, position in zip(self._record.moves, self._record.positions, strict=False):
            if position.chance() is None:
                player = position.player_to_move
                text, display = self.game.format_move(move, position), self.game.display_move(move, position)
                views.append(MoveView(-1 if player is None else player, text, display))
        return tuple(views)

    def lights(self, t_ms: int) -> Mapping[str, Meaning]:
        """What the light under each cell means at this moment; cells without light are left out."""
        lights: dict[str, Meaning] = {}
        if t_ms - self._last_ms < LAST_MOVE_MS:
            lights.update(dict.fromkeys(self._last_cells, Meaning.LAST))
        lights.update({self.game.cells[k]: Meaning.MASKED for k in self._faults})
        phase = self._phase()
        if phase in (Phase.SETUP, Phase.FIX):
            lights.update(self._task_lights())
        lights.update({self._answer_cell(key): Meaning.CHOOSE for key in self._recogniser.asked})
        lights.update(self._lift_lights(t_ms, phase))
        return lights

    def _task_lights(self) -> dict[str, Meaning]:
        """Every place of a set-up at once; of a mistake only the first thing to put right."""
        lights: dict[str, Meaning] = {}
        for task in self._tasks():
            if task.kind == "move" and task.origin is not None:
                return {task.origin: Meaning.WRONG, task.cell: Meaning.TO}
            if task.kind == "remove":
                lights[task.cell] = Meaning.REMOVE
            else:
                lights[task.cell] = Meaning.PLACE_SECOND if task.owner == 1 else Meaning.PLACE_FIRST
        return lights

    def _answer_cell(self, key: str) -> str:
        position = self._record.position
        changes = self.game.changes(self.game.parse_move(key, position), position)
        return next((c.cell for c in changes if c.after > c.before), changes[0].cell)

    def _lift_lights(self, t_ms: int, phase: Phase) -> dict[str, Meaning]:
        lifted = self._lifted()
        if lifted is None or phase not in (Phase.PLAY, Phase.CONFIRM):
            return {}
        targets = self._targets(lifted)
        if targets:
            return {lifted: Meaning.LIFTED} | dict.fromkeys(targets, Meaning.TARGET)
        return {lifted: Meaning.WRONG} if t_ms - self._lift_ms < _WRONG_ONCE_MS else {}


def _end_entry(outcome: Outcome) -> Entry:
    return Entry(
        "end",
        {
            "termination": outcome.termination.value,
            "winners": list(outcome.winners),
            "scores": list(outcome.scores),
        },
    )


def _owned(stacks: Mapping[str, Sequence[int | None]]) -> dict[str, tuple[int, ...]]:
    """The stacks with every piece's owner; one that the record does not know counts as unknown, -1."""
    return {cell: tuple(-1 if owner is None else owner for owner in stack) for cell, stack in stacks.items()}


def _in_order(field: FieldParameters, order: Sequence[int]) -> FieldParameters:
    positions = tuple(field.positions_mm[k] for k in order)
    return FieldParameters(positions, field.pitch_mm, field.pawn_mm, field.gap_mm, field.magnet)


def _calibration_in_order(calibration: Calibration, order: Sequence[int]) -> Calibration:
    return Calibration(
        tuple(calibration.zero_mt[k] for k in order),
        tuple(calibration.single_mt[k] for k in order),
        calibration.noise_mt,
        calibration.board,
        calibration.made_at,
    )
