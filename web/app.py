"""The web application: page, REST and WebSocket over one daemon."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI

from controller.api import DaemonApi
from web import problems
from web.access import Access, EverybodyControls
from web.assets import load_assets
from web.desk import CommandDesk
from web.guard import Guard, HostPolicy
from web.hub import Hub
from web.live import Hand
from web.recording import Recordings
from web.routes import control, diagnostics, docs, game, health, live, pages, texts
from web.services import Services
from web.texts import load_catalogues

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")

_ABOUT = "The daemon of a wooden game board. Live news and the simulated hand come over the WebSocket /ws."


def create_app(
    daemon: DaemonApi,
    *,
    allowed_hosts: Iterable[str] = LOOPBACK_NAMES,
    access: Access | None = None,
) -> FastAPI:
    """The application over `daemon`, answering to the names in `allowed_hosts` only.

    `access` decides who may control the board; everybody by default. The daemon is neither started
    nor stopped.
    """
    hub = Hub(daemon)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        hub.open()
        try:
            yield
        finally:
            hub.close()

    app = FastAPI(
        title="Tablier",
        version=daemon.version,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    catalogues = load_catalogues()
    app.state.services = Services(
        daemon=daemon,
        hub=hub,
        desk=CommandDesk(daemon),
        hand=Hand(daemon.table, daemon.board),
        recordings=Recordings(daemon),
        access=access or EverybodyControls(),
        assets=load_assets(),
        catalogues=catalogues,
    )
    problems.install(app, catalogues)
    for subject in (game, texts, health, control, diagnostics, docs, live, pages):
        app.include_router(subject.router)
    app.add_middleware(Guard, hosts=HostPolicy(allowed_hosts), catalogues=catalogues)
    return app
