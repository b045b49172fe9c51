"""What really happened at the table, event by event, and its form in a file beside a trace."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.errors import TraceError

KINDS = ("move", "takeback", "illegal", "restored")


@dataclass(frozen=True, slots=True)
class TruthEvent:
    """One thing that happened: `kind` as the recogniser's events are called.

    `text` is the move, for an illegal placement origin and target; `t_ms` is when the last piece
    stood, `from_ms` when it was grabbed. `reason` is why it is refused, where that is known.
    """

    t_ms: int
    kind: str
    text: str = ""
    from_ms: int | None = None
    reason: str = ""

    @property
    def is_move(self) -> bool:
        """Whether it changes the position agreed."""
        return self.kind in ("move", "takeback")


def format_truth(
    events: Sequence[TruthEvent],
    final_heights: Mapping[str, int],
    troubles: Sequence[tuple[int, str]] = (),
) -> dict[str, Any]:
    """The JSON-able data of a truth file; `troubles` is what went wrong with the board, and when in ms."""
    return {
        "events": [_format_event(event) for event in events],
        "final_heights": dict(final_heights),
        "troubles": [{"t_ms": t_ms, "what": what} for t_ms, what in troubles],
    }


def parse_truth(text: str, where: str) -> tuple[list[TruthEvent], dict[str, int]]:
    """The events and final heights of a truth file's text; `where` names it in errors.

    Raises: TraceError.
    """
    try:
        data = json.loads(text)
        events = [_parse_event(event) for event in data["events"]]
        heights = {str(cell): int(height) for cell, height in data["final_heights"].items()}
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise TraceError(f"{where}: is no truth file: {error!r}") from None
    return events, heights


def _format_event(event: TruthEvent) -> dict[str, Any]:
    data: dict[str, Any] = {"t_ms": event.t_ms}
    if event.from_ms is not None:
        data["from_ms"] = event.from_ms
    data[event.kind] = event.text or True
    if event.reason:
        data["reason"] = event.reason
    return data


def _parse_event(data: Mapping[str, Any]) -> TruthEvent:
    kind = next((kind for kind in KINDS if kind in data), None)
    if kind is None:
        raise ValueError(f"an event is one of {', '.join(KINDS)}, not {data!r}")
    text = data[kind] if isinstance(data[kind], str) else ""
    begun = data.get("from_ms")
    reason = str(data.get("reason", "split_tower" if data.get("split") else ""))
    return TruthEvent(int(data["t_ms"]), kind, text, None if begun is None else int(begun), reason)
