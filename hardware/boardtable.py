"""Reading of TOML tables that collects faults instead of stopping at the first one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """What a value must be: a check, the words that say it, and how it is taken over."""

    holds: Callable[[Any], bool]
    allowed: str
    convert: Callable[[Any], T]


def matching(pattern: str) -> Rule[str]:
    """A text that matches the whole regular expression."""
    return Rule(lambda v: re.fullmatch(pattern, v) is not None, f"a text like {pattern}", str)


def in_set(allowed: Collection[str]) -> Rule[str]:
    """One of these texts."""
    return Rule(lambda v: v in allowed, f"one of {', '.join(allowed)}", str)


def text(rule: Rule[str]) -> Rule[str]:
    """A text under `rule`."""
    return Rule(lambda v: isinstance(v, str) and rule.holds(v), rule.allowed, str)


def whole(least: int, most: int) -> Rule[int]:
    """A whole number within bounds."""
    return Rule(lambda v: _is_whole(v) and least <= v <= most, f"a whole number from {least} to {most}", int)


def number(least: float, most: float) -> Rule[float]:
    """A finite number within bounds."""
    return Rule(lambda v: _is_number(v) and least <= v <= most, f"a number from {least:g} to {most:g}", float)


def listed(allowed: Collection[int]) -> Rule[int]:
    """One of these bus addresses."""
    names = ", ".join(f"0x{address:02x}" for address in sorted(allowed))
    return Rule(lambda v: _is_whole(v) and v in allowed, f"one of {names}", int)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class TableReader:
    """One table of a document; faults go to the list it shares with its sub-tables."""

    def __init__(self, data: object, path: str, faults: list[str], *, missing: bool = False) -> None:
        self.missing = missing
        self._path = path
        self._faults = faults
        self._taken: set[str] = set()
        self._data: Mapping[str, Any] = {}
        if isinstance(data, Mapping):
            self._data = data
        else:
            self.fault("", data, "a table")

    def names(self) -> list[str]:
        """The keys that are there."""
        return list(self._data)

    def fault(self, key: str, value: object, allowed: str) -> None:
        """Note that `key` has a `value` that is not allowed."""
        shown = f"0x{value:02x}" if _is_whole(value) and allowed.startswith("one of 0x") else repr(value)
        self._faults.append(f"{self._name(key)} is {shown}, must be {allowed}")

    def take(self, key: str, rule: Rule[T], substitute: T) -> T:
        """The value of `key`; where it is missing or wrong, a fault is noted and `substitute` given."""
        self._taken.add(key)
        if key not in self._data:
            self._faults.append(f"{self._name(key)} is missing, must be {rule.allowed}")
            return substitute
        value = self._data[key]
        if not rule.holds(value):
            self.fault(key, value, rule.allowed)
            return substitute
        return rule.convert(value)

    def table(self, key: str) -> TableReader:
        """The table under `key`; where it is missing, a fault is noted and an empty one given."""
        self._taken.add(key)
        if key not in self._data:
            self._faults.append(f"{self._name(key)} is missing, must be a table")
            unheard: list[str] = []
            return TableReader({}, self._name(key), unheard, missing=True)
        return TableReader(self._data[key], self._name(key), self._faults)

    def close(self) -> None:
        """Note every key that nobody asked for."""
        known = ", ".join(sorted(self._taken))
        for key in self._data:
            if key not in self._taken:
                self._faults.append(f"{self._name(key)} is unknown; allowed here: {known}")

    def _name(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)
