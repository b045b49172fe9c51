"""The game: its state, its board, and commands to it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from controller.core.calibrationreport import Progress
from controller.core.messages import COMMANDS, View
from engines.base import Reason
from hardware.ports import Fault
from web.desk import ID_LIMIT, TEXT_LIMIT_BYTES, RefusalError, read_message
from web.problems import MEDIA_TYPE, ProblemError
from web.services import Services, may_control, services

router = APIRouter(prefix="/api", tags=["game"])

Shared = Annotated[Services, Depends(services)]

_UNAVAILABLE = frozenset({"too_many_commands", "no_answer"})
_MALFORMED = frozenset({"unreadable", "invalid_command", "id_reused"})


@dataclass(frozen=True)
class PublicView(View):
    """The view with the faults of the devices that stand now, and the calibration under way or just over."""

    faults: tuple[Fault, ...]
    calibration: Progress | None


class StateBody(BaseModel):
    """The state: what `seq` stands for is on the disk."""

    version: str
    seq: int
    view: PublicView


class CellBody(BaseModel):
    """A hole: its place in millimetres, x to the right and y up, and the pixel that lights it."""

    name: str
    x_mm: float
    y_mm: float
    pixel: int


class BoardBody(BaseModel):
    """The board, as far as a page that draws it needs to know."""

    name: str
    game: str
    version: int
    pitch_mm: float
    piece_mm: float
    piece_diameter_mm: float
    pixels: int
    cells: list[CellBody]
    simulated: bool
    settings: dict[str, list[str]]


def _state(shared: Services) -> JSONResponse:
    state = shared.hub.state()
    body = {"version": shared.daemon.version, "seq": state.seq, "view": state.view}
    return JSONResponse(body, headers={"cache-control": "no-store"})


@router.get("/state", response_model=StateBody)
async def state(shared: Shared) -> Any:
    """The full view, as the WebSocket sends it first."""
    return _state(shared)


@router.get("/board")
async def board(shared: Shared) -> BoardBody:
    """The board file in use, and the settings that a new game may have."""
    file = shared.daemon.board
    cells = [CellBody(name=c.name, x_mm=c.x_mm, y_mm=c.y_mm, pixel=c.pixel) for c in file.cells]
    return BoardBody(
        name=file.name,
        game=file.game,
        version=file.version,
        pitch_mm=file.pitch_mm,
        piece_mm=file.pawn_mm,
        piece_diameter_mm=file.pawn_diameter_mm,
        pixels=file.strip_length,
        cells=cells,
        simulated=shared.daemon.table is not None,
        settings={name: list(allowed) for name, allowed in shared.daemon.settings().items()},
    )


def _command_schema() -> dict[str, Any]:
    kinds = {"int": {"type": "integer", "minimum": 0, "maximum": 1000}, "str": {"type": "string"}}
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    variants = []
    for name, kind in COMMANDS.items():
        properties = {f.name: kinds.get(str(f.type), texts) for f in fields(kind)}
        variants.append(
            {
                "title": name,
                "description": (kind.__doc__ or "").strip(),
                "type": "object",
                "properties": {
                    "command": {"const": name},
                    "id": {"type": "string", "minLength": 1, "maxLength": ID_LIMIT},
                    **properties,
                },
                "required": ["command"],
                "additionalProperties": False,
            }
        )
    return {"oneOf": variants}


_PROBLEM: dict[str, Any] = {"content": {MEDIA_TYPE: {}}}


@router.post(
    "/command",
    response_model=StateBody,
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": _command_schema()}}}
    },
    responses={
        400: _PROBLEM | {"description": "No command could be read"},
        403: _PROBLEM | {"description": "This visitor only watches"},
        409: _PROBLEM | {"description": "Refused; `reason` says why"},
        413: _PROBLEM | {"description": "Too large"},
        415: _PROBLEM | {"description": "Not JSON"},
        503: _PROBLEM | {"description": "Too many commands wait, or no answer in time: try again, same `id`"},
    },
)
async def command(request: Request, shared: Shared) -> Any:
    """Carry out a command, once an `id`; the answer is the state published with it."""
    if not may_control(shared, request):
        raise ProblemError(403, "watching_only")
    await carry_out(request, shared)
    return _state(shared)


async def carry_out(request: Request, shared: Services) -> None:
    """Carry out the command in a request's body; the hub knows the state that it led to.

    Raises: ProblemError.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ProblemError(415, "not_json", "content-type: must be application/json")
    try:
        snapshot = await shared.desk.carry_out(read_message(await _body(request)))
    except RefusalError as refusal:
        raise _problem(refusal) from refusal
    shared.hub.advance(snapshot)


async def _body(request: Request) -> str:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > TEXT_LIMIT_BYTES:
            raise ProblemError(413, "too_large", f"a command may be {TEXT_LIMIT_BYTES} bytes long")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusalError(Reason("unreadable"), "the message is not UTF-8") from None


def _problem(refusal: RefusalError) -> ProblemError:
    code = refusal.reason.code
    if code in _UNAVAILABLE:
        return ProblemError(503, "unavailable", reason=refusal.reason, headers={"retry-after": "1"})
    if code == "internal":
        return ProblemError(500, "internal")
    status = 400 if code in _MALFORMED else 409
    return ProblemError(status, "refused" if status == 409 else "invalid", refusal.detail, refusal.reason)
