"""Standard output and standard error of the program, whatever they are connected to.

What cannot be written is noticed while there is somebody to tell it to: at its end Python itself
would complain, in its own words and with a status of its own.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from controller.errors import OutputError

_ESCAPE = "tablier-escape"


def prepare_streams() -> None:
    """Make both streams take every text there is, and messages for nobody go nowhere.

    Raises: OutputError where standard output is closed.
    """
    codecs.register_error(_ESCAPE, escape)
    if sys.stderr is None:  # `print` would take standard output instead
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=_ESCAPE)
    if sys.stdout is None:
        raise OutputError("the output cannot be written: standard output is closed")


def write_output(stream: TextIO, text: str) -> None:
    """Write text so that it is there at once.

    Raises: OutputError saying why it cannot be written; BrokenPipeError if whoever read has enough.
    """
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error.strerror or error}") from None


def discard(stream: TextIO) -> None:
    """Send what a stream still holds, and all that follows, nowhere."""
    with suppress(OSError), Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """File names come out as the bytes they are, whatever else cannot be written as an escape."""
    for name in ("surrogateescape", "backslashreplace"):
        try:
            return codecs.lookup_error(name)(error)
        except UnicodeError:
            continue
    raise error
