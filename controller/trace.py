"""Recordings of a board, `tablier-trace/1`: what they hold, and writing them.

A trace is JSON lines: a header, then frames in the order of the header's cells, with the players'
inputs between them. `controller.tracereader` reads them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from controller.core.calibration import Calibration, format_calibration
from controller.core.messages import Answer, Command, to_json
from engines.record import Record
from engines.registry import game as game_by_name
from engines.settings import START
from hardware.boardfile import Board
from hardware.ports import Frame, Unit

FORMAT = "tablier-trace/1"
VALUE_KEYS = {Unit.MT: "b_mt", Unit.PRESENT: "present"}
_FIELD_DIGITS = 3  # 1 uT, finer than a count of any sensor in use


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """What the frames of a trace mean. `position` is `start` or a position text."""

    game: str
    unit: Unit
    cells: tuple[str, ...]
    rate_hz: float
    position: str = START
    settings: Mapping[str, str] = field(default_factory=dict)
    calibration: Calibration | None = None
    board: Mapping[str, Any] | None = None

    def record(self) -> Record:
        """The game as it stands before the first frame."""
        return Record(game_by_name(self.game), self.settings, self.position)


@dataclass(frozen=True, slots=True)
class TraceInput:
    """What a player answered or commanded between two frames."""

    t_ms: int
    command: Command


class TraceWriter:
    """Writes a trace to an open text stream, line by line."""

    def __init__(self, stream: TextIO, header: TraceHeader) -> None:
        self._stream = stream
        self._unit = header.unit
        self._line(format_header(header))

    def frame(self, frame: Frame) -> None:
        """Write one frame."""
        self._line(format_frame(frame, self._unit))

    def input(self, t_ms: int, command: Command) -> None:
        """Write what a player answered or commanded."""
        self._line(format_input(t_ms, command))

    def _line(self, data: Mapping[str, Any]) -> None:
        self._stream.write(format_line(data) + "\n")


def format_line(data: Mapping[str, Any]) -> str:
    """One line of JSON without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def format_header(header: TraceHeader) -> dict[str, Any]:
    """The header's JSON-able data."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": header.game,
        "rate_hz": header.rate_hz,
        "unit": header.unit.value,
        "cells": list(header.cells),
        "position": header.position,
        "settings": dict(header.settings),
    }
    if header.board is not None:
        data["board"] = dict(header.board)
    if header.calibration is not None:
        data["calibration"] = format_calibration(header.calibration)
    return data


def format_frame(frame: Frame, unit: Unit) -> dict[str, Any]:
    """A frame's JSON-able data; fields to the microtesla."""
    if unit is Unit.PRESENT:
        return {"t_ms": frame.t_ms, "present": [None if v is None else int(v) for v in frame.values]}
    values = [None if v is None else round(v, _FIELD_DIGITS) for v in frame.values]
    return {"t_ms": frame.t_ms, "b_mt": values}


def format_input(t_ms: int, command: Command) -> dict[str, Any]:
    """An input's JSON-able data."""
    if isinstance(command, Answer):
        return {"t_ms": t_ms, "input": {"answer": command.move}}
    return {"t_ms": t_ms, "input": to_json(command)}


def board_facts(board: Board) -> dict[str, Any]:
    """What a trace header tells of the board that was recorded: its name, geometry and magnets."""
    return {
        "name": board.name,
        "version": board.version,
        "pitch_mm": board.pitch_mm,
        "pawn_mm": board.pawn_mm,
        "gap_mm": board.gap_mm,
        "magnet_mm": [board.magnet.diameter_mm, board.magnet.length_mm],
        "br_t": board.magnet.br_t,
    }
