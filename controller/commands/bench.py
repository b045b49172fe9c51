"""`tablier bench`: the project's own figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from controller.bench import Latency, ScanCost, bench_latency, bench_scan, rounded
from controller.commands import recognition
from controller.commands.base import Context, Subparsers, add_command, add_json, whole_number

_MOST_GAMES = 1000


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "bench",
        run,
        "measure what a scan costs, how quickly light answers a lift, how well moves are recognised",
        "tablier bench latency",
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        choices=(*_BENCHES, "recognition"),
        help="scan, latency or recognition (default: the first two, which are quick)",
    )
    parser.add_argument(
        "--games", type=_games, default=1, metavar="N", help="how many games latency plays (default: 1)"
    )
    recognition.add_options(parser)
    add_json(parser)


def _games(text: str) -> int:
    return whole_number(text, 1, _MOST_GAMES)


def run(options: argparse.Namespace, context: Context) -> int:
    """Print the figures of one benchmark, or of those that are quick."""
    if options.name == "recognition":
        recognition.run(options, context)
        return 0
    for name in [options.name] if options.name else _BENCHES:
        measure, tell = _BENCHES[name]
        figures = measure(options)
        if options.json:
            context.json_line({"bench": name, **rounded(figures)})
        else:
            context.line(tell(figures))
    return 0


def _scan(_options: argparse.Namespace) -> dict[str, Any]:
    return asdict(bench_scan())


def _tell_scan(figures: Mapping[str, Any]) -> str:
    cost = ScanCost(**figures)
    return (
        f"scan: {cost.places} places, at most {cost.bytes} bytes and {cost.transactions} transactions;"
        f" {cost.board_ms:.1f} ms on the bus (means of {cost.scans});"
        f" processor {cost.scan_cpu_ms:.2f} ms to read (simulated chips included)"
        f" and {cost.frame_cpu_ms:.2f} ms to understand a frame"
    )


def _latency(options: argparse.Namespace) -> dict[str, Any]:
    return asdict(bench_latency(games=options.games))


def _tell_latency(figures: Mapping[str, Any]) -> str:
    latency = Latency(**figures)
    verdict = "within" if latency.p99_ms <= latency.limit_ms else "NOT within"
    return (
        f"latency: lift to light p50 {latency.p50_ms:.1f} ms, p99 {latency.p99_ms:.1f} ms,"
        f" max {latency.max_ms:.1f} ms of board time over {latency.moves} lifts;"
        f" {verdict} {latency.limit_ms} ms at the 99th percentile"
    )


_BENCHES: Mapping[
    str, tuple[Callable[[argparse.Namespace], dict[str, Any]], Callable[[Mapping[str, Any]], str]]
] = {"scan": (_scan, _tell_scan), "latency": (_latency, _tell_latency)}
