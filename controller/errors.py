"""Errors of the controller: every one is a `ControllerError`.

ControllerError
├── ConfigError(ValueError)       a configuration with faults, all of them listed
├── CalibrationError(ValueError)  a calibration that does not fit the board
├── TraceError(ValueError)        a recording that cannot be read; says file and line
├── JournalError                  the journal is damaged or from a newer program
├── OutputError                   what a command prints cannot be written
├── BusyError                     somebody else holds the data folder or the port
└── CommandError                  a command that cannot be carried out now; carries the reason
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.base import Reason


class ControllerError(Exception):
    """Base of all errors of the controller."""


class ConfigError(ControllerError, ValueError):
    """A configuration with faults: `faults` lists all, each with key, value and what is allowed."""

    def __init__(self, path: str, faults: Sequence[str]) -> None:
        super().__init__(f"{path}: {'; '.join(faults)}")
        self.faults = tuple(faults)


class CalibrationError(ControllerError, ValueError):
    """A calibration that is damaged or belongs to another board."""


class TraceError(ControllerError, ValueError):
    """A recording that cannot be read."""


class JournalError(ControllerError):
    """The journal is damaged or was written by a newer program."""


class OutputError(ControllerError):
    """What a command prints cannot be written; says why."""


class BusyError(ControllerError):
    """Somebody else holds the data folder or the port; says who."""


class CommandError(ControllerError):
    """A command that cannot be carried out now; `reason` says why, for people."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason
