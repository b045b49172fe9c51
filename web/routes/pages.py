"""The page, its files and its icon."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from web.problems import ProblemError
from web.replies import cached
from web.services import Services, services

router = APIRouter(include_in_schema=False)

Shared = Annotated[Services, Depends(services)]

_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"


@router.get("/")
async def page(request: Request, shared: Shared) -> Response:
    """The page: asked for anew each time, so that it never belongs to an older program."""
    return cached(request, shared.assets.page, _ASK_EACH_TIME)


@router.get("/diagnostics")
async def diagnostics_page(request: Request, shared: Shared) -> Response:
    """The page for whoever looks for what is wrong with a board."""
    return cached(request, shared.assets.pages["diagnostics"], _ASK_EACH_TIME)


@router.get("/static/{build}/{name:path}")
async def static_file(build: str, name: str, request: Request, shared: Shared) -> Response:
    """A file of the page."""
    found = shared.assets.get(build, name)
    if found is None:
        raise ProblemError(404, "not_found")
    return cached(request, found, _FOR_EVER)


@router.get("/favicon.ico")
async def icon(request: Request, shared: Shared) -> Response:
    """The icon, for what asks for it without reading the page."""
    return cached(request, shared.assets.named("icon.svg"), _ASK_EACH_TIME)
