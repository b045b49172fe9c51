"""A calibration while the daemon runs: it takes the board over from the game, and gives it back.

What it finds is written by the keeper's thread, the calibration before kept as a dated copy. All
methods are for the thread that owns the board.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from controller.core.calibrating import Calibrator
from controller.core.calibration import Calibration, format_calibration
from controller.core.calibrationreport import Progress, Stage, Way
from controller.core.fieldmodel import FieldParameters
from controller.core.lights import Meaning
from controller.core.messages import Calibrate, Command, EndCalibration, SkipPlace
from controller.errors import CommandError
from controller.measuring import label
from engines.base import Reason
from hardware.boardfile import Board
from hardware.ports import Frame

_log = logging.getLogger(__name__)


def now() -> str:
    """The date and time of the wall clock, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def kept_name(path: Path, calibration: Calibration, now: str) -> Path:
    """Where a calibration is kept that another one replaces: beside it, under its own date if it has one."""
    digits = "".join(c for c in (calibration.made_at or now)[:19] if c.isdigit() or c == "T")
    return path.with_name(f"{path.stem}-{digits}{path.suffix}")


class CalibrationDesk:
    """The calibration in force, the one under way, and how the last one ended until that is dismissed."""

    def __init__(
        self,
        board: Board,
        parameters: FieldParameters,
        set_up: Mapping[str, int | None],
        path: Path,
        calibration: Calibration,
        put_file: Callable[[Path, str], None],
        *,
        clock: Callable[[], str] = now,
    ) -> None:
        """`set_up` names the cells with a single piece in the game's set-up, `path` the file to replace.

        `put_file` has a file written without being waited for; `clock` gives the date and time.
        """
        self._board = board
        self._parameters = parameters
        self._set_up = dict(set_up)
        self._path = path
        self._put_file = put_file
        self._clock = clock
        self._calibrator: Calibrator | None = None
        self.calibration = calibration
        self.progress: Progress | None = None
        """What people are to see of it; None where there is nothing to see."""

    @property
    def is_busy(self) -> bool:
        """Whether a calibration is under way, so that frames and lights are its own."""
        return self._calibrator is not None

    def takes(self, command: Command) -> bool:
        """Whether a command is for the desk: those about calibrations, and all while one is under way."""
        return self.is_busy or isinstance(command, Calibrate | SkipPlace | EndCalibration)

    def command(self, command: Command) -> None:
        """Begin, skip a place or end. Raises: CommandError; also for what the game would be asked."""
        calibrator = self._calibrator
        match command:
            case Calibrate(way) if calibrator is None:
                self._begin(way)
            case SkipPlace() if calibrator is not None:
                calibrator.skip()
                self._look(calibrator)
            case EndCalibration() if self.progress is not None:
                self._calibrator = self.progress = None
            case SkipPlace() | EndCalibration():
                raise CommandError(Reason("not_now"))
            case _:
                raise CommandError(Reason("calibrating"))

    def frame(self, frame: Frame) -> bool:
        """One scan for the calibration under way; whether `progress` is another one now."""
        if self._calibrator is None or not self._calibrator.frame(frame):
            return False
        self._look(self._calibrator)
        return True

    def lights(self) -> Mapping[str, Meaning]:
        """The lights of the calibration under way."""
        return {} if self._calibrator is None else self._calibrator.lights()

    def stacks(self) -> Mapping[str, tuple[int | None, ...]]:
        """What should stand on the board now, for a person who clears the table."""
        if self._calibrator is None or self._calibrator.stage is not Stage.SET_UP:
            return {}
        return {cell: (owner,) for cell, owner in self._calibrator.set_up.items()}

    def readable(self, frame: Frame) -> Frame:
        """The frame without what the calibration in force says means nothing."""
        unusable = self.calibration.unusable
        if not unusable:
            return frame
        values = zip(self._board.names, frame.values, strict=True)
        return Frame(frame.t_ms, tuple(None if cell in unusable else value for cell, value in values))

    def _begin(self, way: str) -> None:
        allowed = [each.value for each in Way]
        if way not in allowed:
            said = f"way: must be {' or '.join(allowed)}, not {way!r}"
            raise CommandError(Reason("wrong_setting", (said,)))
        self._calibrator = Calibrator(self._board.names, self._parameters, Way(way), self._set_up)
        self.progress = self._calibrator.progress

    def _look(self, calibrator: Calibrator) -> None:
        self.progress = calibrator.progress
        if calibrator.stage is Stage.DONE:
            self._adopt(calibrator)
        if calibrator.is_over:
            self._calibrator = None

    def _adopt(self, calibrator: Calibrator) -> None:
        made_at = self._clock()
        before, self.calibration = self.calibration, calibrator.result(label(self._board), made_at)
        self._put_file(kept_name(self._path, before, made_at), _text(before))
        self._put_file(self._path, _text(self.calibration))
        _log.info("calibrated anew: %s", self._path)


def _text(calibration: Calibration) -> str:
    return json.dumps(format_calibration(calibration)) + "\n"
