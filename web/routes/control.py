"""What commands on the running daemon ask for: only on this machine, and only with its user's token."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel

from controller.core.calibrationreport import Progress
from web.problems import ProblemError
from web.routes.game import carry_out
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


class CalibrationBody(BaseModel):
    """How far the calibration is, or how the last one ended; null where there is nothing to see."""

    calibration: Progress | None


@router.get("/calibration", response_model=CalibrationBody)
async def calibration(shared: Annotated[Services, Depends(operator)]) -> Any:
    """How far the calibration is."""
    return _calibration(shared)


@router.post(
    "/calibration",
    response_model=CalibrationBody,
    responses={
        403: {"description": "Only on the machine itself, with the token in the daemon's data folder"},
        409: {"description": "Refused; `reason` says why"},
    },
)
async def calibrate(request: Request, shared: Annotated[Services, Depends(operator)]) -> Any:
    """Carry out one of the commands `calibrate`, `skip_place` and `end_calibration`."""
    await carry_out(request, shared)
    return _calibration(shared)


def _calibration(shared: Services) -> JSONResponse:
    told = {"calibration": shared.hub.state().view["calibration"]}
    return JSONResponse(told, headers={"cache-control": "no-store"})
