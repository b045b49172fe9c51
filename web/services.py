"""What the routes share: the parts of the page's server, made once by `create_app`."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, WebSocket

from controller.api import DaemonApi
from web.access import Access, Visitor
from web.assets import Assets
from web.desk import CommandDesk
from web.hub import Hub
from web.live import Hand
from web.recording import Recordings
from web.texts import Catalogues


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a route may need."""

    daemon: DaemonApi
    hub: Hub
    desk: CommandDesk
    hand: Hand
    recordings: Recordings
    access: Access
    assets: Assets
    catalogues: Catalogues


def services(request: Request) -> Services:
    """The services of the application a request came to (a FastAPI dependency)."""
    found: Services = request.app.state.services
    return found


def may_control(shared: Services, connection: Request | WebSocket) -> bool:
    """Whether whoever is behind this connection may control the board."""
    return shared.access.may_control(_visitor(connection))


def may_inspect(shared: Services, connection: Request | WebSocket) -> bool:
    """Whether whoever is behind this connection may see what the sensors read, and record it."""
    return shared.access.may_inspect(_visitor(connection))


def _visitor(connection: Request | WebSocket) -> Visitor:
    address = connection.client.host if connection.client else None
    return Visitor(address, connection.headers, connection.cookies)
