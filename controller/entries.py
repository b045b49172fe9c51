"""The journal's lines: one entry each, with a checksum, readable out of any wreck.

    tablier-entry/1 GAME SEQ TIME KIND {"move":"c9d8"} 1a2b3c4d

A line says all about its entry: the game's number, its place in the game, when it was written, the
kind, the data, and the CRC-32 of what stands before it. It is plain ASCII without line breaks, so
that `find_lines` finds it in the bytes of a database that nothing else can read any more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from controller.core.messages import Entry
from controller.errors import JournalError
from engines.base import Outcome, Termination
from engines.errors import EngineError
from engines.record import Record
from engines.registry import game as game_by_name

_HEAD = "tablier-entry/1"
_LINE = re.compile(
    r"tablier-entry/1 (?P<game>\d{1,15}) (?P<seq>\d{1,15}) (?P<at>[0-9TZ:.+-]{1,40}) "
    r"(?P<kind>[a-z_]{1,40}) (?P<data>\{[ -~]*?\}) (?P<sum>[0-9a-f]{8})"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A good line and what it says. `key` is the game and the place in it."""

    key: tuple[int, int]
    at: str
    entry: Entry
    text: str


def format_line(game_id: int, seq: int, at: str, entry: Entry) -> str:
    """The line of an entry; `at` is an ISO 8601 time."""
    data = json.dumps(dict(entry.data), ensure_ascii=True, separators=(",", ":"))
    body = f"{_HEAD} {game_id} {seq} {at} {entry.kind} {data}"
    return f"{body} {crc32(body.encode('ascii')):08x}"


def parse_line(text: str) -> Line | None:
    """What a line says, or None where it is damaged."""
    match = _LINE.fullmatch(text)
    return None if match is None else _checked(match)


def find_lines(data: bytes) -> Iterator[Line]:
    """All good lines in a heap of bytes, wherever they stand."""
    for match in _LINE.finditer(data.decode("latin-1")):
        line = _checked(match)
        if line is not None:
            yield line


def _checked(match: re.Match[str]) -> Line | None:
    text = match[0]
    if f"{crc32(text[:-9].encode('ascii')):08x}" != match["sum"]:
        return None
    try:
        data = json.loads(match["data"])
    except ValueError:
        return None
    return Line((int(match["game"]), int(match["seq"])), match["at"], Entry(match["kind"], data), text)


def rebuild_record(entries: Sequence[Entry]) -> Record:
    """The game that its entries tell, from the first one on.

    Raises: JournalError naming the entry that cannot be played.
    """
    if not entries or entries[0].kind != "game":
        raise JournalError("the stored game does not begin with an entry of kind game")
    played = 0
    try:
        record = _begun(entries[0].data)
        for entry in entries[1:]:
            played += 1
            _play(record, entry)
    except (EngineError, KeyError, TypeError, ValueError) as error:
        raise JournalError(f"the stored game cannot be played through: entry {played}: {error}") from None
    return record


def _begun(data: Mapping[str, Any]) -> Record:
    return Record(game_by_name(data["game"]), data.get("settings"), data.get("start"))


def _play(record: Record, entry: Entry) -> None:
    match entry.kind:
        case "move" | "chance":
            record.push_text(entry.data["move"])
        case "amend":
            record.pop()
            record.push_text(entry.data["move"])
        case "takeback":
            _take_back(record, int(entry.data["plies"]))
        case "end":
            _end(record, entry.data)
        case kind:
            raise ValueError(f"unknown kind {kind!r}")


def _take_back(record: Record, plies: int) -> None:
    if plies:
        record.pop(plies)
    else:
        record.reopen()


def _end(record: Record, data: Mapping[str, Any]) -> None:
    """An end by the players; one by the rules follows from the moves."""
    if record.outcome is None:
        termination = Termination(data["termination"])
        record.end(Outcome(termination, tuple(data["winners"]), tuple(data["scores"])))
