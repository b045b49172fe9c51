"""A random game as a clumsy hand plays it: one act after the other, and what each of them means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from controller.clumsy.habits import Habits
from controller.clumsy.hand import ClumsyHand
from engines.base import BoardGame
from engines.record import Record
from hardware.boardfile import Board
from hardware.simulator.hand import Step, Wait
from hardware.simulator.table import Table

_FIRST_PAUSE_MS = (1000, 1600)
_BEFORE_MISTAKE_IS_SEEN_MS = (1000, 3000)
_BETWEEN_TAKE_BACKS_MS = (400, 1800)
_BETWEEN_NUDGES_MS = (200, 900)
_MOST_TAKEN_BACK = 3
_TALLEST_MISTAKE = 8
_NEXT_TO = 1.5
"""Cells within so many pitches are next to one another."""
_SPLIT = 0.25
_REST_SHARE = 0.6
"""How often a low carry rests over a place rather than only passing it."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a hand does without a break, and what it means when its last piece stands.

    `kind` and `text` are those of a `TruthEvent`, `kind` is empty where nothing is meant. `wave`
    are steps that the other hand does meanwhile.
    """

    steps: Sequence[Step]
    kind: str = ""
    text: str = ""
    reason: str = ""
    wave: Sequence[Step] = ()


class RandomGame:
    """Random legal moves of one game until its end, with the mistakes of `habits` between them.

    Only moves from one cell to another are made, so the game must have no others. Each act is
    drawn from the table as it stands then: take the next one when the hands are idle. Without an
    end of its own the game stops after `turns` of them.
    """

    def __init__(
        self, game: BoardGame, table: Table, habits: Habits, rng: Random, turns: int | None = None
    ) -> None:
        self.record = Record(game)
        self._game = game
        self._board: Board = table.board
        self._table = table
        self._habits = habits
        self._rng = rng
        self._hand = ClumsyHand(table, rng)
        self._pause_ms = _FIRST_PAUSE_MS
        self._turns = turns

    def acts(self) -> Iterator[Act]:
        """The acts of the game, one after the other."""
        habits = self._habits
        turns = 0
        while self.record.outcome is None and turns != self._turns:
            turns += 1
            yield from self._fidget()
            if self._happens(habits.illegal):
                yield from self._mistake()
            if self._happens(habits.take_back):
                yield from self._take_back()
            yield self._move()

    # ------------------------------------------------------------------ what means nothing

    def _fidget(self) -> Iterator[Act]:
        habits = self._habits
        while self._happens(habits.nudge):
            yield self._act(self._hand.nudge(self._any_tower()), pause_ms=_BETWEEN_NUDGES_MS)
        if self._happens(habits.put_back):
            cell = self._any_tower()
            yield self._act(self._hand.put_back(cell, self._height(cell)))
        if not habits.both_hands and self._happens(habits.wave):
            yield self._act(self._wave())

    def _wave(self) -> Sequence[Step]:
        """A bracelet that passes over some cells next to one another."""
        over = [self._rng.choice(self._board.names)]
        for _ in range(self._rng.randint(2, 4)):
            over.append(self._rng.choice(self._near(over[-1])))
        return self._hand.wave(over)

    # ------------------------------------------------------------------ what means something

    def _move(self) -> Act:
        position = self.record.position
        move = self._rng.choice(position.legal_moves())
        origin, target = self._ends(move, position)
        steps = self._carry(origin, target, self._height(origin))
        text = self._game.format_move(move, position)
        self.record.push(move)
        waves = self._habits.both_hands and self._happens(self._habits.wave)
        return self._act(steps, "move", text, wave=self._wave() if waves else ())

    def _take_back(self) -> Iterator[Act]:
        depth = min(self._rng.randint(1, _MOST_TAKEN_BACK), len(self.record.moves))
        for _ in range(depth):
            position, move = self.record.positions[-2], self.record.moves[-1]
            origin, target = self._ends(move, position)
            count = self._game.heights(position)[self._game.cells.index(origin)]
            steps = self._carry(target, origin, count)
            self.record.pop()
            yield self._act(steps, "takeback", self._game.format_move(move, position))
            self._pause_ms = _BETWEEN_TAKE_BACKS_MS

    def _mistake(self) -> Iterator[Act]:
        """Something that may not stand, and its way back."""
        wrong = self._wrong_placement()
        if wrong is None:
            return
        origin, target, count, reason = wrong
        yield self._act(self._carry(origin, target, count), "illegal", origin + target, reason)
        self._pause_ms = _BEFORE_MISTAKE_IS_SEEN_MS
        yield self._act(self._carry(target, origin, count), "restored")

    def _wrong_placement(self) -> tuple[str, str, int, str] | None:
        """Origin, target, how many pieces, and why they may not stand there."""
        if self._happens(_SPLIT):
            return self._split()
        wrong: dict[str, list[tuple[str, str]]] = {}
        for origin in self._towers():
            for target in self._near(origin, 3.0):
                reason = self._game.refusal(self.record.position, origin, target)
                if reason and self._height(origin) + self._height(target) <= _TALLEST_MISTAKE:
                    wrong.setdefault(reason.code, []).append((origin, target))
        if not wrong:
            return None
        code = self._rng.choice(sorted(wrong))
        origin, target = self._rng.choice(wrong[code])
        return origin, target, self._height(origin), code

    def _split(self) -> tuple[str, str, int, str] | None:
        """Part of a tower; not the part that the last move brought, which would be a take-back or go on."""
        last = ""
        if self.record.moves:
            last = self._ends(self.record.moves[-1], self.record.positions[-2])[1]
        tall = [cell for cell in self._towers() if self._height(cell) > 1 and cell != last]
        if not tall:
            return None
        origin = self._rng.choice(tall)
        target = self._rng.choice(self._near(origin))
        count = self._rng.randrange(1, self._height(origin))
        if self._stood(origin, target, count):
            return None
        return origin, target, count, "split_tower"

    def _stood(self, origin: str, target: str, count: int) -> bool:
        """Whether towers of the heights that come about have stood before: it would be a take-back."""
        heights = list(self._game.heights(self.record.position))
        heights[self._game.cells.index(origin)] -= count
        heights[self._game.cells.index(target)] += count
        return any(self._game.heights(position) == tuple(heights) for position in self.record.positions)

    # ------------------------------------------------------------------ how it is done

    def _act(
        self,
        steps: Sequence[Step],
        kind: str = "",
        text: str = "",
        reason: str = "",
        *,
        wave: Sequence[Step] = (),
        pause_ms: tuple[int, int] | None = None,
    ) -> Act:
        pause: Wait = self._hand.pause(self._pause_ms if pause_ms is None else pause_ms)
        self._pause_ms = self._habits.pause_ms
        return Act((pause, *steps), kind, text, reason, wave)

    def _carry(self, origin: str, target: str, count: int) -> list[Step]:
        hover = self._happens(self._habits.hover)
        if self._happens(self._habits.low):
            over = [cell for cell in self._detour(origin, target) if self._happens(_REST_SHARE)]
            return self._hand.move_low(origin, over, target, count, hover=hover)
        linger = self._happens(self._habits.linger)
        return self._hand.move_high(origin, target, count, linger=linger, hover=hover)

    def _detour(self, origin: str, target: str) -> list[str]:
        """A few cells near both ends, sometimes the target itself."""
        near = [cell for cell in self._near(origin) if cell in self._near(target)] or [target]
        return [self._rng.choice([*near, target]) for _ in range(self._rng.randint(1, 2))]

    def _ends(self, move: Any, position: Any) -> tuple[str, str]:
        first, *_, last = self._game.changes(move, position)
        return first.cell, last.cell

    def _happens(self, share: float) -> bool:
        return self._rng.random() < share

    def _any_tower(self) -> str:
        return self._rng.choice(self._towers())

    def _towers(self) -> list[str]:
        return list(self._stacks())

    def _height(self, cell: str) -> int:
        return len(self._stacks().get(cell, ()))

    def _stacks(self) -> Mapping[str, Sequence[int]]:
        return self._table.stacks()

    def _near(self, cell: str, pitches: float = _NEXT_TO) -> list[str]:
        home = self._board.cell(cell)
        return [
            other.name
            for other in self._board.cells
            if other.name != cell
            and math.dist((home.x_mm, home.y_mm), (other.x_mm, other.y_mm)) < pitches * self._board.pitch_mm
        ]
