"""The WebSocket: the full view first, then numbered changes; commands and the simulated hand come back.

What a client is to be sent waits in a mailbox with one place for each kind of news, so a slow client
gets the latest state and never a backlog. Answers to its own messages are few: it is not read any
further while too many of them wait.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from controller.api import SimulatedTable
from controller.simulated import script_reason
from engines.base import Reason
from hardware.boardfile import Board
from hardware.simulator.script import Line, ScriptError, parse_script
from web.desk import ID_LIMIT, CommandDesk, RefusalError, read_message, read_number
from web.hub import Hub, PublicState

MOST_CLIENTS = 100

_MOST_REPLIES = 16
_MOST_COMMANDS = 4
_FARTHEST_MM = 2000.0
_HIGHEST_MM = 300.0
_MOST_PIECES = 100
_TOPICS = ("diagnostics",)
REFRESH_S = 0.2
"""How often those who watch the sensors are told what they read."""


class Socket(Protocol):
    """The part of a WebSocket that is used here; Starlette's has it."""

    async def receive(self) -> Any:
        """The next ASGI message of the client."""
        ...

    async def send_text(self, data: str) -> None:
        """Send; returns when the connection has room for more."""
        ...


_NEEDS_NO_HAND = frozenset({"tidy", "play", "cut_power"})
"""What may be done with the table while somebody's hand is over it."""


class Hand:
    """The one hand at the simulated table: whoever grabbed holds it until they let go or leave."""

    def __init__(self, table: SimulatedTable | None, board: Board) -> None:
        self._table = table
        self._cells = frozenset(board.names)
        self._holder: object | None = None

    def obey(self, data: Mapping[str, Any], client: object) -> None:
        """Do what a message of type `hand` says.

        Raises: RefusalError.
        """
        if self._table is None:
            raise RefusalError(Reason("no_table"))
        if self._holder not in (None, client) and data.get("action") not in _NEEDS_NO_HAND:
            raise RefusalError(Reason("hand_busy"))
        match data.get("action"):
            case "play":
                self._table.play(_script(data, self._cells))
            case "cut_power":
                self._table.cut_power()
            case "grab":
                x_mm, y_mm = _point(data)
                self._table.grab(x_mm, y_mm, _count(data))
                self._holder = client
            case "move":
                x_mm, y_mm = _point(data)
                self._table.move(x_mm, y_mm, read_number(data, "clearance_mm", 0, _HIGHEST_MM))
            case "release":
                self._holder = None
                self._table.release()
            case "tidy":
                self._holder = None
                self._table.reset()
            case other:
                allowed = "action: must be grab, move, release, tidy, play or cut_power"
                raise RefusalError(Reason("invalid_command"), f"{allowed}, not {other!r}")

    def leave(self, client: object) -> None:
        """A client has gone: what it held is set down where it is."""
        if self._table is not None and self._holder is client:
            self._holder = None
            self._table.release()


def _script(data: Mapping[str, Any], cells: frozenset[str]) -> Sequence[Line]:
    text = data.get("script")
    if not isinstance(text, str):
        raise RefusalError(Reason("invalid_command"), "script: must be a text")
    try:
        return parse_script(text, cells)
    except ScriptError as error:
        raise RefusalError(script_reason(error), str(error)) from None


def _count(data: Mapping[str, Any]) -> int | None:
    return None if data.get("count") is None else int(read_number(data, "count", 1, _MOST_PIECES))


def _point(data: Mapping[str, Any]) -> tuple[float, float]:
    return (
        read_number(data, "x_mm", -_FARTHEST_MM, _FARTHEST_MM),
        read_number(data, "y_mm", -_FARTHEST_MM, _FARTHEST_MM),
    )


def _echo(value: object) -> int | float | str | None:
    """What a client may have sent back to it: a short plain value, anything else as null."""
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    return value if len(str(value)) <= ID_LIMIT else None


class LiveClient:
    """One connection: a mailbox, a reader and a sender. `run` returns when it is over."""

    def __init__(
        self,
        socket: Socket,
        hub: Hub,
        desk: CommandDesk,
        hand: Hand,
        *,
        version: str,
        build: str,
        may_control: bool,
        may_inspect: bool = True,
        refresh_s: float = REFRESH_S,
    ) -> None:
        self._socket = socket
        self._hub = hub
        self._desk = desk
        self._hand = hand
        self._greeting = {"version": version, "build": build, "may_control": may_control}
        self._may_control = may_control
        self._may_inspect = may_inspect
        self._refresh_s = refresh_s
        self._ticker: asyncio.Task[None] | None = None
        self._fresh = {"view", "strip", "table"}
        self._replies: deque[dict[str, Any]] = deque()
        self._sent: PublicState | None = None
        self._something = asyncio.Event()
        self._room = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve the client until it goes away."""
        self._hub.add(self)
        self._something.set()
        sender = asyncio.create_task(self._send_all())
        reader = asyncio.create_task(self._read_all())
        try:
            await asyncio.wait((sender, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.remove(self)
            self._hand.leave(self)
            tasks = (sender, reader, *self._running, *([self._ticker] if self._ticker else []))
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)

    def news(self, kind: str) -> None:
        """Mark `kind` as to be sent; see `Listener`."""
        self._fresh.add(kind)
        self._something.set()

    # ------------------------------------------------------------ sending

    async def _send_all(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while (message := self._next()) is not None:
                await self._socket.send_text(json.dumps(message, separators=(",", ":")))

    def _next(self) -> dict[str, Any] | None:
        """The next message: the view before all else, so that an answer never speaks of an unseen state."""
        if "view" in self._fresh:
            self._fresh.discard("view")
            message = self._view_message(self._hub.state())
            if message is not None:
                return message
        if self._replies:
            reply = self._replies.popleft()
            self._room.set()
            return reply | self._full() if reply["type"] == "refusal" else reply
        for kind in ("strip", "table", *_TOPICS):
            if kind in self._fresh:
                self._fresh.discard(kind)
                if (message := self._news_message(kind)) is not None:
                    return message
        return None

    def _view_message(self, state: PublicState) -> dict[str, Any] | None:
        before, self._sent = self._sent, state
        if before is not None and state.seq == before.seq and state.view == before.view:
            return None
        if before is None or state.seq != before.seq + 1:
            return {"type": "view", **self._greeting, "seq": state.seq, "view": state.view}
        changes = {key: value for key, value in state.view.items() if before.view.get(key) != value}
        return {"type": "change", "seq": state.seq, "changes": changes}

    def _full(self) -> dict[str, Any]:
        self._sent = self._hub.state()
        self._fresh.discard("view")
        return {"seq": self._sent.seq, "view": self._sent.view}

    def _news_message(self, kind: str) -> dict[str, Any] | None:
        if kind == "strip":
            return {"type": "strip", "pixels": self._hub.state().pixels}
        if kind == "diagnostics":
            return {"type": "diagnostics", **self._hub.diagnostics()}
        table = self._hub.table()
        return None if table is None else {"type": "table", **table}

    def _reply(self, message: dict[str, Any]) -> None:
        self._replies.append(message)
        if len(self._replies) >= _MOST_REPLIES:
            self._room.clear()
        self._something.set()

    def _refuse(self, refusal: RefusalError, given: object = None) -> None:
        reason = {"code": refusal.reason.code, "params": list(refusal.reason.params)}
        message = {"type": "refusal", "id": _echo(given), "reason": reason}
        self._reply(message if refusal.detail is None else message | {"detail": refusal.detail})

    # ------------------------------------------------------------ reading

    async def _read_all(self) -> None:
        self._room.set()
        while True:
            await self._room.wait()
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                text = message.get("text")
                if text is None:
                    raise RefusalError(Reason("unreadable"), "messages are texts, not bytes")
                self._take(read_message(text))
            except RefusalError as refusal:
                self._refuse(refusal)

    def _take(self, data: dict[str, Any]) -> None:
        match data.get("type"):
            case "command":
                self._command(data)
            case "hand":
                self._obey(data)
            case "watch":
                self._watch(data)
            case "ping":
                self._reply({"type": "pong", "t": _echo(data.get("t"))})
            case "sync":
                self._sent = None
                self._fresh |= {"view", "strip", "table"}
                self._something.set()
            case other:
                allowed = "type: must be command, hand, watch, ping or sync"
                raise RefusalError(Reason("unreadable"), f"{allowed}, not {str(other)[:40]!r}")

    def _watch(self, data: dict[str, Any]) -> None:
        """Tell this client regularly, from now on, of exactly these topics."""
        topics = data.get("topics")
        if not isinstance(topics, list) or not all(topic in _TOPICS for topic in topics):
            raise RefusalError(Reason("invalid_command"), f"topics: must be a list of {', '.join(_TOPICS)}")
        if topics and not self._may_inspect:
            raise RefusalError(Reason("watching_only"))
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None
            self._fresh.difference_update(_TOPICS)
        if topics:
            self._ticker = asyncio.create_task(self._tick(topics))

    async def _tick(self, topics: list[str]) -> None:
        while True:
            self._fresh.update(topics)
            self._something.set()
            await asyncio.sleep(self._refresh_s)

    def _command(self, data: dict[str, Any]) -> None:
        given = data.get("id")
        if not self._may_control:
            self._refuse(RefusalError(Reason("watching_only")), given)
        elif not isinstance(given, str):
            self._refuse(RefusalError(Reason("invalid_command"), "id: missing"), given)
        elif len(self._running) >= _MOST_COMMANDS:
            self._refuse(RefusalError(Reason("too_many_commands")), given)
        else:
            task = asyncio.create_task(self._carry_out(data, given))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _carry_out(self, data: dict[str, Any], given: str) -> None:
        try:
            snapshot = await self._desk.carry_out(data)
        except RefusalError as refusal:
            self._refuse(refusal, given)
        else:
            self._hub.advance(snapshot)
            self._reply({"type": "ack", "id": given})

    def _obey(self, data: dict[str, Any]) -> None:
        try:
            if not self._may_control:
                raise RefusalError(Reason("watching_only"))
            self._hand.obey(data, self)
        except RefusalError as refusal:
            self._refuse(refusal, data.get("id"))
