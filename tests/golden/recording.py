"""Golden recordings: frames of whole games with what really happened, and what the replay says of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from controller.clumsy.truth import TruthEvent, parse_truth
from controller.replaying import replay
from controller.tracereader import TraceReader
from engines.base import BoardGame
from engines.record import Record
from engines.registry import game

FOLDER = Path(__file__).parent / "recordings"
SAYING = frozenset({"move", "takeback", "amend", "illegal", "restored", "ask", "mismatch"})
"""Events that say something about the position; lifts and places in trouble do not."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, or was recognised: the kind of event, its cells or move, and the reason."""

    kind: str
    text: str
    reason: str = ""
    params: tuple[str | int, ...] = ()


def names() -> list[str]:
    """The names of all recordings."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.jsonl.gz"))


@cache
def replayed(name: str) -> Sequence[Mapping[str, Any]]:
    """What `tablier replay --json` prints for a recording; read once, as it takes seconds."""
    with TraceReader(FOLDER / f"{name}.jsonl.gz") as reader:
        return tuple(replay(reader))


def truth(name: str) -> tuple[Sequence[TruthEvent], Mapping[str, int]]:
    """What happened in a recording, and the towers that stand at its end."""
    path = FOLDER / f"{name}.truth.json"
    return parse_truth(path.read_text(encoding="utf-8"), path.name)


def events_path(name: str) -> Path:
    """The file with the events expected of a recording."""
    return FOLDER / f"{name}.events.jsonl"


def generate() -> Iterator[tuple[Path, str]]:
    """The events of every recording, one a line, as the replay gives them now."""
    for name in names():
        yield events_path(name), render(replayed(name))


def render(events: Sequence[Mapping[str, Any]]) -> str:
    """Events as JSON lines."""
    return "".join(json.dumps(event) + "\n" for event in events)


def happened(name: str) -> list[tuple[int, Happening]]:
    """The truth of a recording with its times; the reasons of mistakes come from the rules.

    Take-backs and mistakes are checked on the way: the game is played through.
    """
    record = Record(avalam())
    return [(event.t_ms, _happening(event, record)) for event in truth(name)[0]]


def recognised(name: str) -> list[tuple[int, Happening]]:
    """What the replay says of the position, with its times."""
    return [
        (event["t_ms"], _said(event))
        for event in replayed(name)
        if event["event"] in SAYING and (event["event"] != "mismatch" or _differs(event))
    ]


def final_heights(name: str) -> dict[str, int]:
    """The towers that the replay takes to stand at the end."""
    position = avalam().parse_position(replayed(name)[-1]["position"])
    heights = zip(avalam().cells, avalam().heights(position), strict=True)
    return {cell: height for cell, height in heights if height}


def avalam() -> BoardGame:
    """The game of all recordings."""
    found = game("avalam")
    assert isinstance(found, BoardGame)
    return found


def _happening(event: TruthEvent, record: Record) -> Happening:
    if event.kind == "move":
        record.push_text(event.text)
    elif event.kind == "takeback":
        assert record.move_texts[-1] == event.text
        record.pop()
    elif event.kind == "illegal":
        origin, target = event.text[:2], event.text[2:]
        if event.reason:
            return Happening(event.kind, event.text, event.reason, (origin,))
        reason = avalam().refusal(record.position, origin, target)
        assert reason is not None
        return Happening(event.kind, event.text, reason.code, reason.params)
    return Happening(event.kind, event.text)


def _said(event: Mapping[str, Any]) -> Happening:
    text = str(event.get("move", "")) or "".join(event.get("cells", ()))
    return Happening(event["event"], text, event.get("reason", ""), tuple(event.get("params", ())))


def _differs(event: Mapping[str, Any]) -> bool:
    return bool(event["missing"] or event["extra"] or event["moved"])
