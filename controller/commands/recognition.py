"""`tablier bench recognition`: how well the moves of clumsy hands are recognised."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.clumsy.habits import KINDS
from controller.commands.base import Context, whole_number
from controller.errors import ControllerError
from controller.recognitionbench import Course, Report, course, failure_json, play_games, save_game
from controller.scoring import Failure

_MOVES = 500
_MOST_MOVES = 1_000_000
_MOST_SEED = 2**31
_RATES_HZ = (5, 200)
_COLUMNS: Mapping[str, str] = {
    "kind": "kind",
    "source": "from",
    "moves": "moves",
    "wrong": "wrong",
    "missing": "missing",
    "asked": "asked",
    "early": "early",
    "taken_back": "back",
    "mistakes": "mistakes",
    "unnamed": "unnamed",
    "alarms": "alarms",
    "lights": "lights",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "named_p99_ms": "named p99",
    "cpu_mean_ms": "cpu ms",
    "cpu_max_ms": "max ms",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that only this benchmark has."""
    group = parser.add_argument_group("recognition")
    group.add_argument(
        "--moves", type=_moves, default=_MOVES, metavar="N", help=f"moves of all kinds together ({_MOVES})"
    )
    group.add_argument("--kind", choices=tuple(KINDS), help="only this kind of games (default: all)")
    group.add_argument(
        "--seed", type=_seed, default=1, metavar="S", help="seed of each kind's first game (1)"
    )
    group.add_argument("--rate", type=_rate, default=25, metavar="HZ", help="scans a second (25)")
    group.add_argument(
        "--over",
        choices=("bus", "field"),
        help="frames by way of bus and drivers, or straight from the field",
    )
    group.add_argument("--save", type=Path, metavar="DIR", help="write every game as trace and truth")
    group.add_argument("--failing", action="store_true", help="save only games in which something failed")


def run(options: argparse.Namespace, context: Context) -> None:
    """Play, and print a row a kind, with what failed below it.

    Raises: ControllerError where games cannot be saved.
    """
    kinds = [options.kind] if options.kind else list(KINDS)
    moves = -(-options.moves // len(kinds))
    if not options.json:
        context.line(_row(_COLUMNS))
    for kind in kinds:
        over_bus = None if options.over is None else options.over == "bus"
        one = course(kind, rate_hz=float(options.rate), over_bus=over_bus)
        report = _play(one, moves, options)
        if options.json:
            failures = [failure_json(one, seed, failure) for seed, failure in report.failures]
            context.json_line({"bench": "recognition", **report.figures(), "failures": failures})
        else:
            context.line(_row(report.figures()))
            for seed, failure in report.failures:
                context.line(_tell(seed, failure))


def _play(one: Course, moves: int, options: argparse.Namespace) -> Report:
    report = Report(one)
    for result in play_games(one, moves, options.seed):
        report.add(result)
        if options.save is not None and (result.tally.failures or not options.failing):
            try:
                save_game(result, options.save)
            except OSError as error:
                raise ControllerError(f"{options.save}: cannot be written: {error.strerror}") from None
    return report


def _row(figures: Mapping[str, Any]) -> str:
    cells = []
    for key, title in _COLUMNS.items():
        value = figures[key]
        text = "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
        cells.append(text.ljust(9) if key in ("kind", "source") else text.rjust(max(5, len(title))))
    return " ".join(cells)


def _tell(seed: int, failure: Failure) -> str:
    return (
        f"  seed {seed}, move {failure.number}, {failure.t_ms} ms: {failure.what};"
        f" true: {failure.truth or '-'}; reported: {failure.reported}"
    )


def _moves(text: str) -> int:
    return whole_number(text, 1, _MOST_MOVES)


def _seed(text: str) -> int:
    return whole_number(text, 0, _MOST_SEED)


def _rate(text: str) -> int:
    return whole_number(text, *_RATES_HZ)
