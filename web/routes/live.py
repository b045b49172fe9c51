"""The WebSocket's door."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from web.live import MOST_CLIENTS, LiveClient
from web.services import Services, may_control, may_inspect

router = APIRouter()

_TRY_LATER = 1013


@router.websocket("/ws")
async def live(socket: WebSocket) -> None:
    """Everything that happens, and everything one may do; see the protocol in the daemon's pages."""
    shared: Services = socket.app.state.services
    await socket.accept()
    if len(shared.hub) >= MOST_CLIENTS:
        await socket.close(_TRY_LATER)
        return
    client = LiveClient(
        socket,
        shared.hub,
        shared.desk,
        shared.hand,
        version=shared.daemon.version,
        build=shared.assets.build,
        may_control=may_control(shared, socket),
        may_inspect=may_inspect(shared, socket),
    )
    with suppress(WebSocketDisconnect):
        await client.run()
