"""What the sensors read, to look at and to take away as a trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from web.problems import ProblemError
from web.services import Services, may_inspect, services

router = APIRouter(prefix="/api", tags=["diagnostics"])

MOST_RECORDINGS = 4


@router.post(
    "/recording",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/jsonl": {}}, "description": "A trace, line by line, until you leave"},
        403: {"description": "This visitor may not see what the sensors read"},
        503: {"description": "Enough recordings are under way"},
    },
)
async def recording(request: Request, shared: Annotated[Services, Depends(services)]) -> StreamingResponse:
    """What the sensors read from now on, as a trace that `tablier replay` reads."""
    if not may_inspect(shared, request):
        raise ProblemError(403, "watching_only")
    if len(shared.recordings) >= MOST_RECORDINGS:
        raise ProblemError(503, "unavailable", headers={"retry-after": "10"})
    headers = {"cache-control": "no-store"}
    return StreamingResponse(shared.recordings.lines(), media_type="application/jsonl", headers=headers)
