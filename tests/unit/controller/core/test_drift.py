"""Zeros that drift for minutes: followed where nothing stands, and never taken for a hand or a piece."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel, FieldParameters
from controller.core.messages import Phase
from controller.core.session import Session
from engines.registry import game
from hardware.boardfile import load_board
from hardware.ports import Frame

AVALAM: Any = game("avalam")
BOARD = load_board("avalam")
PARAMETERS = FieldParameters(BOARD.positions_mm, BOARD.pitch_mm, BOARD.pawn_mm, BOARD.gap_mm, BOARD.magnet)
FRAME_MS = 40
DRIFT_MT = 0.3
DRIFT_MS = 120_000


class Rig:
    """A session over a board that is its own field model; every zero drifts at its own pace."""

    def __init__(self) -> None:
        self.rng = Random(3)
        self.model = FieldModel(PARAMETERS)
        count = len(BOARD.names)
        calibration = Calibration((0.0,) * count, (self.model.single_mt,) * count, 0.025)
        self.session = Session(AVALAM, BOARD.names, calibration, PARAMETERS)
        stacks = AVALAM.stacks(AVALAM.initial(), ())
        self.heights = {cell: len(stacks.get(cell, ())) for cell in BOARD.names}
        self.pace = [self.rng.uniform(0.7, 1.0) for _ in BOARD.names]
        self.drift_mt = 0.0
        self.t_ms = 0
        self.kinds: list[str] = []

    def let_pass(self, duration_ms: int, drift_mt: float = 0.0) -> None:
        scene = self.model.scene([self.heights[cell] for cell in BOARD.names])
        frames = duration_ms // FRAME_MS
        for _ in range(frames):
            self.t_ms += FRAME_MS
            self.drift_mt += drift_mt / frames
            values = [
                mt + self.drift_mt * pace + self.rng.gauss(0, 0.025)
                for mt, pace in zip(scene, self.pace, strict=True)
            ]
            effects = self.session.frame(Frame(self.t_ms, tuple(values)))
            self.kinds += [event.event for event in effects.events]

    def move(self, origin: str, target: str) -> None:
        pieces, self.heights[origin] = self.heights[origin], 0
        self.let_pass(600)
        self.heights[target] += pieces
        self.let_pass(1500)


@pytest.mark.parametrize("sign", [1, -1])
def test_empty_places_follow_a_steady_drift(sign: int) -> None:
    rig = Rig()
    rig.let_pass(1000)
    rig.move("c9", "d8")
    rig.move("f1", "g1")
    assert [move.move for move in rig.session.view().moves] == ["c9d8", "f1g1"]
    rig.kinds.clear()
    rig.let_pass(DRIFT_MS, sign * DRIFT_MT)
    assert rig.kinds == []
    belief = rig.session._recogniser.belief
    cells = rig.session.game.cells
    for cell in ("c9", "f1", "e5"):
        place, pace = cells.index(cell), rig.pace[BOARD.names.index(cell)]
        assert belief.heights[place] == 0
        assert belief.offset[place] == pytest.approx(sign * DRIFT_MT * pace, abs=0.06)
    rig.move("i5", "h4")
    view = rig.session.view()
    assert (view.moves[-1].move, view.phase) == ("i5h4", Phase.PLAY)
