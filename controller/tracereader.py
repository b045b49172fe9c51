"""Reading of recordings, `tablier-trace/1`, plain or gzip-compressed.

What cannot be read is a `TraceError` of one line: file, line, what is wrong and what is allowed.
Keys that nobody knows are ignored.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NoReturn, Self, cast

from controller.core.calibration import Calibration, parse_calibration
from controller.core.messages import Answer, Command, parse_command
from controller.errors import CalibrationError, TraceError
from controller.trace import FORMAT, VALUE_KEYS, TraceHeader, TraceInput
from engines.base import BoardGame
from engines.errors import EngineError
from engines.registry import game as game_by_name
from engines.settings import START
from hardware.ports import Frame, Unit

_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_LINE = 1_000_000
_LATEST_MS = 10**12
_FASTEST_HZ = 10_000
_LARGEST = 1e9
_LONGEST_SHOWN = 40


class TraceReader:
    """The frames and inputs of one trace file, in order; iterate once, close at the end."""

    def __init__(self, path: str | Path) -> None:
        """Open the file and check its header.

        Raises: TraceError.
        """
        self.path = Path(path)
        self._line = 0
        self._stream = self._open()
        try:
            self.header = self._header()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __iter__(self) -> Iterator[Frame | TraceInput]:
        """Frames and inputs in the order of the file.

        Raises: TraceError at the line that cannot be read.
        """
        latest_ms = 0
        while (data := self._next()) is not None:
            t_ms = self._time(data, latest_ms)
            latest_ms = t_ms
            if "input" in data:
                command = self._input(data["input"])
                if command is not None:
                    yield TraceInput(t_ms, command)
            else:
                yield Frame(t_ms, self._values(data))

    def _open(self) -> IO[bytes]:
        try:
            with self.path.open("rb") as probe:
                packed = probe.read(2) == _GZIP_MAGIC
            stream = gzip.open(self.path, "rb") if packed else self.path.open("rb")  # noqa: SIM115 - closed by close()
            return cast(IO[bytes], stream)
        except OSError as error:
            raise TraceError(f"{self.path}: cannot be read: {error.strerror or error}") from None

    def _fail(self, what: str) -> NoReturn:
        raise TraceError(f"{self.path}:{max(self._line, 1)}: {what}")

    def _next(self) -> Mapping[str, Any] | None:
        """The next line's object; None at the end of the file."""
        while True:
            self._line += 1
            text = self._read_line()
            if not text:
                return None
            if text.strip():
                return self._object(text)

    def _read_line(self) -> bytes:
        try:
            text = self._stream.readline(_LONGEST_LINE + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self._fail("the compressed file is damaged or cut off; allowed is a whole gzip file")
        except OSError as error:
            self._fail(f"cannot be read: {error.strerror or error}")
        if len(text) > _LONGEST_LINE:
            self._fail(f"the line is too long; at most {_LONGEST_LINE} bytes are allowed")
        return text

    def _object(self, text: bytes) -> Mapping[str, Any]:
        try:
            data = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
        except UnicodeDecodeError:
            self._fail("is not UTF-8 text; a trace is JSON lines in UTF-8")
        except (ValueError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            self._fail(f"is not JSON ({what}); each line must hold one JSON object")
        if not isinstance(data, dict):
            self._fail("is not a JSON object; each line must hold one")
        return data

    # ------------------------------------------------------------------ the header

    def _header(self) -> TraceHeader:
        data = self._next()
        if data is None:
            self._fail(f"the file is empty; its first line must be a header with format {FORMAT!r}")
        if data.get("format") != FORMAT:
            self._fail(f"format is {_shown(data.get('format'))}; allowed is {FORMAT!r}")
        game = self._game(data.get("game"))
        unit = self._unit(data.get("unit"))
        cells = self._cells(data.get("cells"), game)
        header = TraceHeader(
            game=game.name,
            unit=unit,
            cells=cells,
            rate_hz=self._rate(data.get("rate_hz", 25)),
            position=self._text(data.get("position", START), "position"),
            settings=self._settings(data.get("settings") or {}),
            calibration=self._calibration(data.get("calibration"), unit, cells),
            board=self._board(data.get("board")),
        )
        try:
            header.record()
        except EngineError as error:
            self._fail(str(error))
        return header

    def _game(self, name: Any) -> BoardGame:
        try:
            game = game_by_name(self._text(name, "game"))
        except EngineError as error:
            self._fail(str(error))
        if not isinstance(game, BoardGame):
            self._fail(f"game {game.name!r} is not played on a board with sensors")
        return game

    def _unit(self, value: Any) -> Unit:
        try:
            return Unit(value)
        except ValueError:
            self._fail(f"unit is {_shown(value)}; allowed are {', '.join(repr(u.value) for u in Unit)}")

    def _cells(self, names: Any, game: BoardGame) -> tuple[str, ...]:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._fail("cells must be a list of the cells' names")
        known = set(game.cells)
        for name in names:
            if name not in known:
                self._fail(f"unknown cell {_shown(name)}; {game.name} has {', '.join(game.cells)}")
        if len(set(names)) != len(names):
            double = next(name for name in names if names.count(name) > 1)
            self._fail(f"cell {double!r} comes twice; each may come once")
        if missing := sorted(known - set(names)):
            self._fail(f"cells: {', '.join(missing)} missing; all cells of {game.name} are needed")
        return tuple(names)

    def _rate(self, value: Any) -> float:
        if not _is_number(value) or not 0 < value <= _FASTEST_HZ:
            self._fail(f"rate_hz is {_shown(value)}; allowed is a number above 0 up to {_FASTEST_HZ}")
        return float(value)

    def _text(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            self._fail(f"{key} is {_shown(value)}; it must be a text")
        return value

    def _settings(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            self._fail("settings must be an object of texts")
        return value

    def _calibration(self, value: Any, unit: Unit, cells: tuple[str, ...]) -> Calibration | None:
        if unit is Unit.PRESENT:
            return None
        try:
            return parse_calibration(value, cells)
        except CalibrationError as error:
            self._fail(str(error))

    def _board(self, value: Any) -> Mapping[str, Any] | None:
        if isinstance(value, str):
            return {"name": value}
        return value if isinstance(value, dict) else None

    # ------------------------------------------------------------------ the lines after it

    def _time(self, data: Mapping[str, Any], latest_ms: int) -> int:
        t_ms = data.get("t_ms")
        if type(t_ms) is not int or not 0 <= t_ms <= _LATEST_MS:
            self._fail(
                f"t_ms is {_shown(t_ms)}; allowed is a whole number of milliseconds from 0 to {_LATEST_MS}"
            )
        if t_ms < latest_ms:
            self._fail(f"t_ms goes back from {latest_ms} to {t_ms}; times must not go back")
        return t_ms

    def _values(self, data: Mapping[str, Any]) -> tuple[float | None, ...]:
        unit, cells = self.header.unit, self.header.cells
        key = VALUE_KEYS[unit]
        values = data.get(key)
        if not isinstance(values, list):
            self._fail(f"{key} is missing; a frame needs {key} with {len(cells)} values, or it is an input")
        if len(values) != len(cells):
            self._fail(f"{key} has {len(values)} values; {len(cells)} are needed, one a cell")
        if unit is Unit.PRESENT:
            self._check(values, _is_presence, key, "0, 1 or null")
        else:
            self._check(
                values, _is_number, key, f"a number between -{_LARGEST:.0f} and {_LARGEST:.0f}, or null"
            )
        return tuple(values)

    def _check(self, values: list[Any], is_allowed: Callable[[Any], bool], key: str, allowed: str) -> None:
        for cell, value in zip(self.header.cells, values, strict=True):
            if value is not None and not is_allowed(value):
                self._fail(f"{key} of {cell} is {_shown(value)}; allowed is {allowed}")

    def _input(self, value: Any) -> Command | None:
        """The command of an input; None for an input of a kind that this program does not know."""
        if not isinstance(value, dict):
            self._fail('input must be an object, e.g. {"answer": "c9d8"}')
        if "answer" in value:
            return Answer(self._text(value["answer"], "input.answer"))
        if "command" not in value:
            return None
        try:
            return parse_command(value)
        except ValueError as error:
            self._fail(f"input: {error}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST


def _shown(value: Any) -> str:
    """A value as a message shows it: its beginning, where it is long."""
    try:
        text = repr(value)
    except RecursionError:  # JSON may nest a little deeper than can be told from here
        return "nested too deeply"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _is_presence(value: Any) -> bool:
    return type(value) is int and value in (0, 1)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not allowed")
