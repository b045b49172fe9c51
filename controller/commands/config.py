"""`tablier config check` and `tablier config show`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from controller.commands.base import Context, Subparsers, add_command, add_config, add_data, add_json
from controller.config import DEFAULT, Loaded, load_config
from controller.errors import ConfigError
from controller.folders import find_config, find_data
from controller.startup import board_game
from hardware.boardfile import load_board
from hardware.errors import BoardFileError


def add(subparsers: Subparsers) -> None:
    """Add the commands."""
    parser = add_command(
        subparsers, "config", _usage, "check or show the configuration", "tablier config check"
    )
    parser.set_defaults(parser=parser)
    actions = parser.add_subparsers(metavar="ACTION")
    check = add_command(
        actions, "check", run_check, "name every fault of the configuration", "tablier config check"
    )
    show = add_command(
        actions, "show", run_show, "show every value and which file gave it", "tablier config show"
    )
    for action in (check, show):
        add_config(action)
    add_data(show)
    add_json(show)


def _usage(options: argparse.Namespace, _context: Context) -> int:
    options.parser.error("an ACTION is needed: check or show")
    return 2


def run_check(options: argparse.Namespace, context: Context) -> int:
    """Say every fault in a line of its own, with the file's name; 0 if there is none."""
    path = find_config(options.config)
    try:
        loaded = load_config(path)
        _check_board(loaded)
    except ConfigError as error:
        where = str(path) if path else "the defaults"
        for fault in error.faults:
            context.note(f"{where}: {fault}")
        raise ConfigError(where, [f"{len(error.faults)} to put right, listed above"]) from None
    context.line(f"{path or 'no configuration file, the defaults hold'}: all is well")
    return 0


def _check_board(loaded: Loaded) -> None:
    """The board that is named must be there, and be one of its game's."""
    name = loaded.config.board
    try:
        board = load_board(name)
        load_board(name, board_game(board).cells)
    except BoardFileError as error:
        raise ConfigError(name, [f"board is {name!r}: {fault}" for fault in error.faults]) from None


def run_show(options: argparse.Namespace, context: Context) -> int:
    """Show each key with its value and where it comes from, and the data folder."""
    path = find_config(options.config)
    loaded = load_config(path)
    data = find_data(options.data)
    if options.json:
        values = {key: _entry(loaded, key) for key in loaded.values}
        context.json_line({"file": None if path is None else str(path), "data": str(data), "values": values})
        return 0
    for key, value in loaded.values.items():
        source = loaded.sources[key]
        context.line(f"{key} = {_toml(value)}  # {'default' if source == DEFAULT else source}")
    context.line(f"# data: {data}")
    return 0


def _entry(loaded: Loaded, key: str) -> dict[str, Any]:
    return {"value": loaded.values[key], "source": loaded.sources[key]}


def _toml(value: Any) -> str:
    """A value as TOML writes it: like JSON, for what a configuration holds."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
