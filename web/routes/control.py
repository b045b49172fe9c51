"""What commands on the running daemon ask for: only on this machine, and only with its user's token."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from web.problems import ProblemError
from web.services import Services, services

router = APIRouter(prefix="/api/control", tags=["control"])

_SCHEME = "Bearer"


def operator(request: Request, shared: Annotated[Services, Depends(services)]) -> Services:
    """The services, for the daemon's own user (a FastAPI dependency).

    Raises: ProblemError for everybody else.
    """
    if request.client is None or not _is_here(request.client.host):
        raise ProblemError(403, "elsewhere")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != _SCHEME.lower() or not shared.daemon.is_operator(token.strip()):
        raise ProblemError(403, "no_token")
    return shared


def _is_here(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


@router.get(
    "/recording",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/jsonl": {}}, "description": "A trace, line by line, until you leave"},
        403: {"description": "Only on the machine itself, with the token in the daemon's data folder"},
    },
)
async def recording(shared: Annotated[Services, Depends(operator)]) -> StreamingResponse:
    """What the sensors read from now on, as a trace."""
    headers = {"cache-control": "no-store"}
    return StreamingResponse(shared.recordings.lines(), media_type="application/jsonl", headers=headers)
