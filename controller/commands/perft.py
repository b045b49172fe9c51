"""`tablier perft`: counts of move sequences, the check that rules are right."""

from __future__ import annotations

import argparse

from controller.commands.base import Context, Subparsers, add_command, add_json, whole_number
from engines.perft import divide, perft_series
from engines.registry import game as game_by_name
from engines.settings import parse_assignments, starting_position

_DEEPEST = 100


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "perft",
        run,
        "count the move sequences of a game, depth by depth",
        "tablier perft avalam 3",
    )
    parser.add_argument("game", metavar="GAME", help="the name of a game, e.g. avalam")
    parser.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves deep")
    parser.add_argument("--position", metavar="TEXT", help="where to begin (default: the start of the game)")
    parser.add_argument(
        "--divide", action="store_true", help="also the count behind each first move, at DEPTH"
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a setting of the game; may come again",
    )
    add_json(parser)


def _depth(text: str) -> int:
    return whole_number(text, 1, _DEEPEST)


def run(options: argparse.Namespace, context: Context) -> int:
    """Print `perft(1) = 292` and so on, each as soon as it is known."""
    game = game_by_name(options.game)
    position = starting_position(game, options.position, parse_assignments(options.set))
    if options.divide:
        return _divide(options, context)
    for depth, count in perft_series(position, options.depth):
        if options.json:
            context.json_line({"depth": depth, "count": count})
        else:
            context.line(f"perft({depth}) = {count}")
    return 0


def _divide(options: argparse.Namespace, context: Context) -> int:
    game = game_by_name(options.game)
    position = starting_position(game, options.position, parse_assignments(options.set))
    total = 0
    for move, count in divide(position, options.depth):
        total += count
        text = game.format_move(move, position)
        if options.json:
            context.json_line({"move": text, "count": count})
        else:
            context.line(f"{text}: {count}")
    if options.json:
        context.json_line({"depth": options.depth, "count": total})
    else:
        context.line(f"perft({options.depth}) = {total}")
    return 0
