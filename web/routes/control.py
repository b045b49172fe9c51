"""What the daemon's own user may ask for from the command line: proven by a token, on loopback only."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from web.problems import ProblemError
from web.services import Services, services

router = APIRouter(prefix="/api/control", tags=["control"])

_SCHEME = "bearer "
_MOST_LINES = 500


@router.get("/recording", response_class=StreamingResponse)
async def recording(request: Request, shared: Annotated[Services, Depends(services)]) -> StreamingResponse:
    """A recording (`tablier-trace/1`, JSON lines) from now on, until the connection is closed.

    Whoever reads too slowly misses frames.
    """
    if not _is_operator(request, shared):
        raise ProblemError(403, "watching_only")
    return StreamingResponse(_lines(shared), media_type="application/jsonl")


def _is_operator(request: Request, shared: Services) -> bool:
    given = request.headers.get("authorization", "")
    if request.client is None or not given.lower().startswith(_SCHEME):
        return False
    try:
        is_local = ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
    return is_local and shared.daemon.is_operator(given[len(_SCHEME) :])


async def _lines(shared: Services) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[str] = asyncio.Queue(_MOST_LINES)

    def put(line: str) -> None:
        if not waiting.full():
            waiting.put_nowait(line)

    def write(line: str) -> None:
        loop.call_soon_threadsafe(put, line)

    end = shared.daemon.record(write)
    try:
        while True:
            yield await waiting.get()
    finally:
        end()
