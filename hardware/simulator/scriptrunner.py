"""Carries out a hand script on a simulated board, in the board's time.

Nothing here waits: whoever lets the board's time pass calls `go_on` again and again.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.simulator import script
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.gestures import Manner
from hardware.simulator.hand import Step
from hardware.simulator.script import Line, ScriptError
from hardware.simulator.troubles import Troubles

_HAND, _OTHER = 0, 1


class ScriptRunner:
    """One run of a script. A command begins when the one before is done."""

    def __init__(self, wooden: SimulatedBoard, lines: Sequence[Line], troubles: Troubles) -> None:
        self._wooden = wooden
        self._troubles = troubles
        self._left = list(lines)
        self._until_ms = 0
        self.line = 0
        """The line that was begun last; 0 before the first."""
        self.failure: ScriptError | None = None
        """Why it was given up, if it was."""

    @property
    def is_over(self) -> bool:
        """Whether everything is done, the last gesture of both hands too, or it was given up."""
        if self.failure is not None:
            return True
        return not self._left and not self._is_busy()

    def go_on(self) -> None:
        """Begin whatever is due by now. Faults heal in their time even where nothing is left to do."""
        self._troubles.go_on()
        while self._left and self.failure is None and not self._is_waiting():
            line = self._left.pop(0)
            self.line = line.number
            try:
                self._begin(line)
            except ScriptError as error:
                self.failure = error

    def stop(self) -> None:
        """Give up what is left; a hand that holds something sets it down where it is."""
        self._left.clear()
        for number, hand in enumerate(self._wooden.hands):
            hand.stop()
            if hand.held is not None:
                self._wooden.do(self._wooden.gestures.let_go(), number)

    def _is_waiting(self) -> bool:
        return self._wooden.clock.now_ms() < self._until_ms or not self._wooden.hands[_HAND].is_idle

    def _is_busy(self) -> bool:
        return self._is_waiting() or not self._wooden.hands[_OTHER].is_idle

    def _begin(self, line: Line) -> None:
        match line.command:
            case script.Wait(duration_ms):
                self._until_ms = self._wooden.clock.now_ms() + duration_ms
            case script.Break(part, kind, duration_ms):
                self._troubles.break_part(part, kind, duration_ms)
            case script.Heal(part):
                self._troubles.heal(part)
            case gesture:
                hand = _OTHER if line.meanwhile else _HAND
                self._wooden.do(self._steps(line.number, gesture, hand), hand)

    def _steps(self, number: int, gesture: script.Gesture, hand: int) -> list[Step]:
        gestures = self._wooden.gestures

        def require(cell: str, count: int | None = None) -> None:
            self._require(number, hand, cell, count)

        match gesture:
            case script.Lift(cell, count):
                require(cell, count)
                return gestures.lift(cell, count=count)
            case script.Move(origin, target, count, manner):
                require(origin, count)
                return gestures.move(origin, target, Manner(manner), count)
            case script.Nudge(cell):
                require(cell)
                return gestures.nudge(cell)
            case script.Wave(cells):
                return gestures.wave(cells)
            case script.Knock(cells):
                for cell in cells:
                    require(cell)
                return gestures.sweep(cells)
            case script.Carry() | script.Hover() | script.Put():
                return self._steps_with_held(number, gesture)

    def _steps_with_held(self, number: int, gesture: script.Carry | script.Hover | script.Put) -> list[Step]:
        gestures = self._wooden.gestures
        held = self._wooden.hands[_HAND].held
        if held is None:
            raise ScriptError(number, "empty_hand")
        match gesture:
            case script.Carry(cell, gap_mm):
                return gestures.carry(held, cell, gap_mm)
            case script.Hover(cell, gap_mm, duration_ms):
                return gestures.hold_over(held, cell, gap_mm, duration_ms)
            case script.Put(None):
                return gestures.let_go()
            case script.Put("back"):
                return gestures.return_held(held)
            case script.Put("aside"):
                return gestures.lay_aside(held)
            case script.Put(cell):
                return [*gestures.carry(held, cell or ""), *gestures.let_go()]

    def _require(self, number: int, hand: int, cell: str, count: int | None) -> None:
        """Have a hand that is empty, and enough pieces on the place."""
        stands = len(self._wooden.stacks().get(cell, ()))
        if self._wooden.hands[hand].held is not None:
            raise ScriptError(number, "full_hand")
        if not stands:
            raise ScriptError(number, "nothing_there", cell)
        if count is not None and count > stands:
            raise ScriptError(number, "too_few", cell, stands)
