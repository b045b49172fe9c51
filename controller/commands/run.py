"""`tablier run`: the daemon on real devices."""

from __future__ import annotations

import argparse

from controller.commands.base import Context, Subparsers, add_address, add_command, add_config, add_data
from controller.commands.serving import serve_board
from controller.config import load_config
from controller.folders import find_config, find_data
from controller.startup import Plan
from hardware.boardfile import load_board
from hardware.factory import DeviceSettings


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "run",
        run,
        "play on the real board",
        "tablier run --config /etc/tablier/tablier.toml",
    )
    add_config(parser)
    add_data(parser)
    add_address(parser)


def run(options: argparse.Namespace, context: Context) -> int:
    """Serve the page until somebody stops it."""
    config = load_config(find_config(options.config)).config
    devices = DeviceSettings(kind="real", board=config.board, bus=config.bus)
    plan = Plan(config, find_data(options.data), devices)
    return serve_board(plan, options, context, f"{load_board(config.board).game} on {config.bus}")
