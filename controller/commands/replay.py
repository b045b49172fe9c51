"""`tablier replay`: recorded frames through the recogniser."""

from __future__ import annotations

import argparse
from typing import Any

from controller.commands.base import Context, Subparsers, add_command, add_json
from controller.replaying import replay
from controller.tracereader import TraceReader


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "replay",
        run,
        "say what the board would have understood from a recording",
        "tablier replay game.jsonl.gz --json",
    )
    parser.add_argument(
        "trace", metavar="TRACE", help="a recording (tablier-trace/1), plain or gzip-compressed"
    )
    add_json(parser)


def run(options: argparse.Namespace, context: Context) -> int:
    """Print the events, one a line."""
    with TraceReader(options.trace) as reader:
        for event in replay(reader):
            if options.json:
                context.json_line(event)
            else:
                context.line(_readable(event))
    return 0


def _readable(event: dict[str, Any]) -> str:
    """An event for people: the time in seconds, the kind, and what else it says."""
    told = [_told(key, value) for key, value in event.items() if key not in ("t_ms", "event")]
    return f"{event['t_ms'] / 1000:9.2f} s  {event['event']:<9} {'  '.join(t for t in told if t)}".rstrip()


def _told(key: str, value: Any) -> str:
    if value is None or value == []:
        return ""
    text = " ".join(map(_plain, value)) if isinstance(value, list) else str(value)
    return text if key in ("move", "moves", "position", "reason", "cell") else f"{key}: {text}"


def _plain(value: Any) -> str:
    return ">".join(map(str, value)) if isinstance(value, list) else str(value)
