"""What a recogniser saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Seen:
    """Something a recogniser saw. `kind` as in the trace format, places by number."""

    t_ms: int
    kind: str
    keys: tuple[str, ...] = ()
    reason: Any = None
    places: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
