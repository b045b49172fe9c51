"""Recorded frames through the session: what it would have said, and when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from controller.core.fieldmodel import FieldParameters
from controller.core.messages import Event, to_json
from controller.core.session import Session
from controller.errors import CommandError, TraceError
from controller.trace import TraceHeader, TraceInput
from controller.tracereader import TraceReader
from engines.base import BoardGame, Reason
from engines.registry import game as game_by_name
from hardware.boardfile import Board, load_board
from hardware.errors import BoardFileError
from hardware.magnetics import Magnet
from hardware.ports import Unit

_LEAST_MM, _MOST_MM = 0.5, 200.0
_LEAST_T, _MOST_T = 0.05, 2.0


def replay(reader: TraceReader) -> Iterator[dict[str, Any]]:
    """The events of a trace as JSON-able data, each with `t_ms`, and last the position agreed.

    Raises: TraceError.
    """
    session = _session(reader)
    t_ms = 0
    for item in reader:
        t_ms = item.t_ms
        if isinstance(item, TraceInput):
            yield from _command(session, item)
        else:
            yield from map(event_json, session.frame(item).events)
    yield {"t_ms": t_ms, "event": "end", "position": session.view().position}


def _session(reader: TraceReader) -> Session:
    header = reader.header
    game = game_by_name(header.game)
    if not isinstance(game, BoardGame):
        raise TraceError(f"{reader.path}:1: game is {header.game!r}; only games on a board can be replayed")
    if header.unit is Unit.PRESENT or header.calibration is None:
        return Session(game, header.cells, record=header.record())
    return Session(
        game, header.cells, header.calibration, geometry(header, reader.path), record=header.record()
    )


def _command(session: Session, given: TraceInput) -> Iterator[dict[str, Any]]:
    try:
        effects = session.command(given.command, given.t_ms)
    except CommandError as error:
        yield {"t_ms": given.t_ms, "event": "refused", **_reason(error.reason)}
    else:
        yield from map(event_json, effects.events)


def event_json(event: Event) -> dict[str, Any]:
    """An event as `replay --json` prints it; a reason is its code, with its parameters beside it."""
    data: dict[str, Any] = to_json(event)
    reason = getattr(event, "reason", None)
    if isinstance(reason, Reason):
        data |= _reason(reason)
    return {"t_ms": event.t_ms} | data


def _reason(reason: Reason) -> dict[str, Any]:
    return {"reason": reason.code, "params": list(reason.params)}


def geometry(header: TraceHeader, path: object) -> FieldParameters:
    """The board a trace was recorded on: what its header tells, else the board file of the game.

    Raises: TraceError for a size that cannot be.
    """
    facts = header.board or {}
    board = _board(header, facts)
    wrong = f"{path}:1: board."
    pitch_mm = _number(facts, "pitch_mm", board.pitch_mm, wrong)
    scale = pitch_mm / board.pitch_mm
    cells = [board.cell(name) for name in header.cells]
    return FieldParameters(
        tuple((cell.x_mm * scale, cell.y_mm * scale) for cell in cells),
        pitch_mm,
        _number(facts, "pawn_mm", board.pawn_mm, wrong),
        _number(facts, "gap_mm", board.gap_mm, wrong),
        _magnet(facts, board.magnet, wrong),
    )


def _board(header: TraceHeader, facts: Mapping[str, Any]) -> Board:
    """The board file that the header names, if there is one with these cells, else the game's own."""
    name = facts.get("name")
    if isinstance(name, str):
        try:
            return load_board(name, header.cells)
        except BoardFileError:
            pass
    return load_board(header.game, header.cells)


def _magnet(facts: Mapping[str, Any], default: Magnet, wrong: str) -> Magnet:
    size = facts.get("magnet_mm", [default.diameter_mm, default.length_mm])
    if not isinstance(size, list) or len(size) != 2:
        raise TraceError(f"{wrong}magnet_mm is {size!r}; allowed is [diameter, length] in mm")
    sizes = asdict(default) | {"diameter_mm": size[0], "length_mm": size[1]}
    return Magnet(
        _number(sizes, "diameter_mm", 0, wrong + "magnet_mm."),
        _number(sizes, "length_mm", 0, wrong + "magnet_mm."),
        _number(facts, "br_t", default.br_t, wrong, _LEAST_T, _MOST_T),
    )


def _number(
    facts: Mapping[str, Any],
    key: str,
    default: float,
    wrong: str,
    least: float = _LEAST_MM,
    most: float = _MOST_MM,
) -> float:
    value = facts.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise TraceError(f"{wrong}{key} is {value!r}; allowed is a number from {least:g} to {most:g}")
    return float(value)
