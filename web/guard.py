"""What stands before every request: a check that it is meant for this board and comes from its own page.

A web page elsewhere can make a browser talk to any address, so the name a request is for (`Host`)
must be one of the board's own, and the page it comes from (`Origin`) must be the board's own page.
The answers carry a content security policy that lets the page load nothing from anywhere else.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.problems import ProblemError, header, problem_response
from web.texts import Catalogues

BODY_LIMIT = 16 * 1024

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)
SECURITY_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class HostPolicy:
    """Which names this board answers to, besides the numeric address a connection really came in at.

    A name can be made to point anywhere by whoever owns it; the address of the connection cannot.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(_plain(name) for name in names)

    def allows(self, host_header: str | None, own_address: str | None) -> bool:
        """Whether a request with this `Host` header, received at `own_address`, is for this board."""
        name = host_name(host_header)
        if name is None:
            return False
        return name in self._names or (own_address is not None and _same_address(name, own_address))


def host_name(host_header: str | None) -> str | None:
    """The name in a `Host` header, lower case and without port and brackets; None if it is malformed."""
    if not host_header or any(c in host_header for c in "/@?#\\ ,"):
        return None
    try:
        parts = urlsplit(f"//{host_header}")
        _ = parts.port
    except ValueError:
        return None
    return _plain(parts.hostname) if parts.hostname else None


def _plain(name: str) -> str:
    return name.strip("[]").rstrip(".").lower()


def _same_address(name: str, own: str) -> bool:
    try:
        one, other = ipaddress.ip_address(name), ipaddress.ip_address(own.partition("%")[0])
    except ValueError:
        return False
    mapped = other.ipv4_mapped if isinstance(other, ipaddress.IPv6Address) else None
    return one in (other, mapped)


def _foreign(scope: Scope, host: str) -> bool:
    """Whether a browser says that the request was made by another site's page."""
    origins = [value for key, value in scope["headers"] if key == b"origin"]
    if origins:
        return header(scope, b"origin") not in (f"http://{host}", f"https://{host}")
    site = header(scope, b"sec-fetch-site")
    asks_only = scope["type"] == "http" and scope["method"] in _SAFE_METHODS
    return not asks_only and site not in (None, "same-origin", "none")


class Guard:
    """ASGI middleware: refuses what is not for this board, and adds the security headers."""

    def __init__(self, app: ASGIApp, hosts: HostPolicy, catalogues: Catalogues) -> None:
        self._app = app
        self._hosts = hosts
        self._catalogues = catalogues

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with a problem document."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        problem = self._problem(scope)
        if problem is None:
            await self._app(scope, receive, send_guarded)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await problem_response(scope, problem, self._catalogues)(scope, receive, send_guarded)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})

    def _problem(self, scope: Scope) -> ProblemError | None:
        host = header(scope, b"host")
        own = scope.get("server")
        if not self._hosts.allows(host, own[0] if own else None):
            return ProblemError(421, "wrong_host", headers={"connection": "close"})
        if _foreign(scope, host or ""):
            return ProblemError(403, "foreign_origin")
        length = header(scope, b"content-length")
        if length is not None and length.isdigit() and int(length) > BODY_LIMIT:
            return ProblemError(413, "too_large", headers={"connection": "close"})
        return None
