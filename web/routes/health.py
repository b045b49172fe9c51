"""How the daemon fares, for people and for whatever watches over it."""

from __future__ import annotations

import os
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from controller.core.messages import to_json
from hardware.ports import Fault
from web.services import Services, services

router = APIRouter(tags=["health"])

PROGRAM = "tablier"


class HealthBody(BaseModel):
    """`status` is `ok`, `degraded` (there are faults, but one can play) or `down`."""

    program: str
    version: str
    process: int
    status: str
    playable: bool
    faults: list[Fault]
    clients: int
    daemon: dict[str, Any]


@router.get("/health", response_model=HealthBody, responses={503: {"description": "No game can be played"}})
async def health(shared: Annotated[Services, Depends(services)]) -> Any:
    """200 with the faults that stand, 503 only if no game can be played."""
    playable = shared.daemon.playable()
    faults = shared.daemon.snapshot().faults
    body = {
        "program": PROGRAM,
        "version": shared.daemon.version,
        "process": os.getpid(),
        "status": "down" if not playable else "degraded" if faults else "ok",
        "playable": playable,
        "faults": to_json(faults),
        "clients": len(shared.hub),
        "daemon": to_json(shared.daemon.status()),
    }
    return JSONResponse(body, 200 if playable else 503, headers={"cache-control": "no-store"})
