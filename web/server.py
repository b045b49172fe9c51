"""The server around the application: one socket, plain uvicorn, until somebody says stop."""

from __future__ import annotations

import errno
import http.client
import json
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from types import FrameType

import uvicorn

from controller.api import DaemonApi
from controller.errors import BusyError, ControllerError
from web.app import LOOPBACK_NAMES, create_app
from web.routes.health import PROGRAM
from web.services import Services

_LARGEST_MESSAGE = 64 * 1024
_HEARTBEAT_S = 20.0
_FAREWELL_S = 3
_MOST_CONNECTIONS = 300
_WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised here, not bound


def serve(
    daemon: DaemonApi,
    host: str,
    port: int,
    allowed_hosts: Sequence[str] = (),
    *,
    on_listening: Callable[[int], None] | None = None,
) -> None:
    """Serve the page of `daemon` until SIGINT or SIGTERM; returns then, the daemon still running.

    `port` 0 takes a free one; `on_listening` is told the port once connections are taken.
    `allowed_hosts` are names the board answers to besides this machine's own.

    Raises: BusyError for a port in use, ControllerError for an address that cannot be listened on.
    """
    server = PageServer(daemon, host, port, allowed_hosts, on_listening=on_listening)
    with _signals_only_stop(server):
        server.run()


class PageServer:
    """The page of one daemon on one port, taken at once; `run` serves it until `stop` is called.

    Raises: BusyError, ControllerError; see `serve`.
    """

    def __init__(
        self,
        daemon: DaemonApi,
        host: str,
        port: int,
        allowed_hosts: Sequence[str] = (),
        *,
        on_listening: Callable[[int], None] | None = None,
    ) -> None:
        self._listener = bind(host, port)
        self.port = int(self._listener.getsockname()[1])
        app = create_app(daemon, allowed_hosts=(*own_names(host), *allowed_hosts))
        shared: Services = app.state.services
        self._server = _Server(
            _config(app),
            on_started=(lambda: on_listening(self.port)) if on_listening else lambda: None,
            on_shutdown=shared.recordings.close,
        )

    def run(self) -> None:
        """Serve until `stop`; the port is free again afterwards."""
        with closing(self._listener):
            self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Have `run` say farewell to everybody and return; from any thread or signal handler."""
        self._server.should_exit = True


def own_names(host: str) -> tuple[str, ...]:
    """The names of this machine under which a server that listens on `host` can be reached."""
    if host in LOOPBACK_NAMES:
        return LOOPBACK_NAMES
    if host in _WILDCARDS:
        name = socket.gethostname()
        return (*LOOPBACK_NAMES, name, f"{name.partition('.')[0]}.local")
    return (host,)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises: BusyError for a port in use, saying by whom where that can be found out; ControllerError.
    """
    where = f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror as error:
        raise ControllerError(f"cannot listen on {where}: {error.strerror}; check --host") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # where this option would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BusyError(
                f"port {port} on {host} is in use by {_holder(host, port)}; stop it, or choose another --port"
            ) from None
        cause = f"{error.strerror}; check --host and --port"
        raise ControllerError(f"cannot listen on {where}: {cause}") from None
    return listener


def _holder(host: str, port: int) -> str:
    """Who holds a port, as far as it can be asked."""
    connection = http.client.HTTPConnection("127.0.0.1" if host in _WILDCARDS else host, port, timeout=1)
    try:
        with closing(connection):
            connection.request("GET", "/health")
            about = json.loads(connection.getresponse().read(64 * 1024))
        if about["program"] == PROGRAM:
            return f"another {PROGRAM} {about['version']} (process {int(about['process'])})"
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        pass
    return "another program"


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http="h11",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=_LARGEST_MESSAGE,
        ws_ping_interval=_HEARTBEAT_S,
        ws_ping_timeout=_HEARTBEAT_S,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_FAREWELL_S,
    )


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, on_started: Callable[[], None], on_shutdown: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_started = on_started
        self._on_shutdown = on_shutdown

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Answers without an end would be waited for until patience ends.
        self._on_shutdown()
        await super().shutdown(sockets)


@contextmanager
def _signals_only_stop(server: PageServer) -> Iterator[None]:
    """Make SIGINT and SIGTERM stop the server and nothing else.

    uvicorn raises the signal again when it has stopped; by then the daemon below must still be closed
    in an orderly way, so the signal must not end the process.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.stop()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
