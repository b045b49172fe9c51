"""The command line: one parser a command, and one line for whatever goes wrong.

`main` gets the function that serves the page handed in, because nothing here may know the web.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.commands import bench, calibrate, config, perft, record, replay, run, simulate
from controller.commands.base import Context, ServeFunction, add_debug
from controller.errors import ControllerError, OutputError
from controller.startup import version
from controller.streams import discard, prepare_streams, write_output
from engines.errors import EngineError
from hardware.errors import HardwareError

PROGRAM = "tablier"
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None, serve: ServeFunction | None = None) -> int:
    """Run a command; the exit status: 0 for success, 2 for wrong usage, 1 for anything else."""
    try:
        prepare_streams()
    except OutputError as error:
        return _complain(str(error))
    try:
        options = _parser().parse_args(argv)
    except SystemExit as end:  # argparse has said why
        return _written(_status(end))
    except BrokenPipeError:
        discard(sys.stdout)
        return 0
    except OSError:  # argparse could not say why, and older Pythons let that through
        return _written(2)
    with _logging_to_stderr():
        return _written(_guarded(options, serve))


def _status(end: SystemExit) -> int:
    return end.code if isinstance(end.code, int) else 2


def _written(status: int) -> int:
    """The status of a command when all that it said is written."""
    try:
        write_output(sys.stdout, "")
    except BrokenPipeError:
        discard(sys.stdout)
    except OutputError as error:
        discard(sys.stdout)
        status = _complain(str(error))
    try:
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)
    return status


def _guarded(options: argparse.Namespace, serve: ServeFunction | None) -> int:
    """Run a command; whatever it raises becomes a line and a status."""
    context = Context(sys.stdout, sys.stderr, serve)
    is_debug = getattr(options, "debug", False)
    try:
        return _run(options, context)
    except OutputError as error:
        discard(sys.stdout)
        return _complain(str(error))
    except (ControllerError, EngineError, HardwareError) as error:
        if is_debug:
            traceback.print_exc()
        return _complain(str(error))
    except Exception as error:
        if is_debug:
            traceback.print_exc()
        return _complain(f"{PROGRAM} failed: {type(error).__name__}: {error}; {_details()}")


def _run(options: argparse.Namespace, context: Context) -> int:
    try:
        status: int = options.run(options, context)
    except SystemExit as end:  # wrong usage that shows only when the command runs
        return _status(end)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # whoever read has enough
        discard(sys.stdout)
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="The brain of wooden game boards.",
        epilog="example: tablier simulate --game avalam",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {version()}")
    add_debug(parser)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (simulate, run, replay, record, calibrate, perft, bench, config):
        command.add(subparsers)
    return parser


def _complain(text: str) -> int:
    with suppress(OSError):  # then nobody can be told
        print(f"{PROGRAM}: {' '.join(text.split())}", file=sys.stderr, flush=True)
    return 1


def _details() -> str:
    """Where the traceback of an error in the program itself was put."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix=f"{PROGRAM}-error-", suffix=".txt", delete=False
        ) as stream:
            stream.write(f"{PROGRAM} {version()}, Python {sys.version}\n{traceback.format_exc()}")
        return f"details are in {Path(stream.name)}; please report them"
    except OSError:
        return "run it again with --debug for details"


@contextmanager
def _logging_to_stderr() -> Iterator[None]:
    """Warnings of the daemon on standard error, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter(f"{PROGRAM}: %(message)s"))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


if __name__ == "__main__":
    sys.exit(main())
