"""What all commands share: their parsers, their output, how they serve."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from controller.api import DaemonApi
from controller.streams import write_output

HIGHEST_PORT = 65535


class ServeFunction(Protocol):
    """Serves the page of a daemon until SIGINT or SIGTERM."""

    def __call__(
        self,
        daemon: DaemonApi,
        host: str,
        port: int,
        allowed_hosts: Sequence[str],
        /,
        *,
        on_listening: Callable[[int], None],
    ) -> None:
        """Serve; `on_listening` is told the port once connections are taken.

        Raises: BusyError, ControllerError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a command runs with."""

    out: TextIO
    err: TextIO
    serve: ServeFunction | None = None

    def line(self, text: str = "") -> None:
        """A line of output, there at once.

        Raises: OutputError, BrokenPipeError.
        """
        self.write(text + "\n")

    def write(self, text: str) -> None:
        """Output that need not be a line, there at once.

        Raises: OutputError, BrokenPipeError.
        """
        write_output(self.out, text)

    def json_line(self, data: Mapping[str, Any]) -> None:
        """A line of JSON."""
        self.line(json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    def note(self, text: str) -> None:
        """A line for people beside the output; where it cannot be written, nobody can be told."""
        with suppress(OSError):
            print(text, file=self.err, flush=True)


Run = Callable[[argparse.Namespace, Context], int]
Subparsers = Any
"""argparse's own type of what `add_subparsers` gives is private."""


def add_command(
    subparsers: Subparsers, name: str, run: Run, summary: str, example: str, *, details: str = ""
) -> argparse.ArgumentParser:
    """A parser for the command `name` whose help ends with an example."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.{' ' + details if details else ''}",
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    add_debug(parser)
    return parser


def add_debug(parser: argparse.ArgumentParser) -> None:
    """The option that shows where an error in the program came from."""
    parser.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show where an error came from"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option for output that programs read."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_config(parser: argparse.ArgumentParser) -> None:
    """The option that names the configuration file."""
    parser.add_argument(
        "--config", metavar="FILE", help="the configuration file (default: where it is found)"
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    """The option that names the data folder."""
    parser.add_argument(
        "--data", metavar="DIR", help="the data folder (default: the service's or the user's)"
    )


def add_address(parser: argparse.ArgumentParser) -> None:
    """The options for where the page is served."""
    parser.add_argument(
        "--host", help="the address to listen on; 0.0.0.0 for the whole network (default: 127.0.0.1)"
    )
    parser.add_argument("--port", type=port, help="the port to listen on; 0 for any free one (default: 8080)")


def port(text: str) -> int:
    """A port number for argparse."""
    return whole_number(text, 0, HIGHEST_PORT)


def whole_number(text: str, least: int, most: int) -> int:
    """A whole number within bounds for argparse."""
    if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
    return int(text)
