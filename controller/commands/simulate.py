"""`tablier simulate`: the whole daemon on a simulated board."""

from __future__ import annotations

import argparse

from controller.commands.base import Context, Subparsers, add_address, add_command, add_config, add_data
from controller.commands.serving import serve_board
from controller.config import load_config
from controller.errors import ConfigError
from controller.folders import find_config, find_data
from controller.startup import Plan
from engines.registry import games
from hardware.boardfile import load_board
from hardware.factory import DeviceSettings


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "simulate",
        run,
        "play on a simulated board in the browser",
        "tablier simulate --game avalam --port 8080",
    )
    parser.add_argument("--game", choices=games(), help="the game (default: the one of the board)")
    parser.add_argument(
        "--board", metavar="FILE", help="a board file, or the name of a board that comes with it"
    )
    add_address(parser)
    add_data(parser)
    add_config(parser)


def run(options: argparse.Namespace, context: Context) -> int:
    """Serve the page until somebody stops it."""
    config = load_config(find_config(options.config)).config
    name = options.board or options.game or config.board
    board = load_board(name)
    if options.game and board.game != options.game:
        raise ConfigError(str(name), [f"is a board for {board.game}, not for {options.game}"])
    devices = DeviceSettings(kind="simulated", board=name)
    plan = Plan(config, find_data(options.data), devices)
    return serve_board(plan, options, context, f"{board.game} on a simulated board")
