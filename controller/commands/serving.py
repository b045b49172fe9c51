"""A daemon with its page, from start to stop; and where people find the page."""

from __future__ import annotations

import argparse
import io
import logging
import os
import signal
import socket
from contextlib import closing

import segno

from controller.commands.base import Context
from controller.control import ControlFile
from controller.daemon import Daemon
from controller.errors import ControllerError, OutputError
from controller.startup import Plan, open_daemon
from controller.streams import discard

_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised here, not bound
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_UNROUTED = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): nothing is sent there, it only asks for our own."""


_log = logging.getLogger(__name__)


def serve_board(plan: Plan, options: argparse.Namespace, context: Context, what: str) -> int:
    """Start a daemon, serve its page, stop it in order; 1 if it failed while it ran."""
    if context.serve is None:
        raise ControllerError("this command serves a page; start it as tablier, which brings the page along")
    web = plan.config.web
    host = web.host if options.host is None else options.host
    port = web.port if options.port is None else options.port
    with (
        open_daemon(plan, on_failure=_stop_process) as running,
        ControlFile(plan.data, running.token) as control,
    ):
        daemon = running.daemon
        daemon.start()

        def listening(bound: int) -> None:
            control.write(bound)
            _announce_if_possible(context, what, host, bound)

        context.serve(daemon, host, port, web.allowed_hosts, on_listening=listening)
        return _status(daemon)


def _status(daemon: Daemon) -> int:
    if daemon.playable():
        return 0
    raise ControllerError("the daemon failed and has stopped; its messages above say why")


def _stop_process() -> None:
    """End the server, which listens to signals; whoever supervises the process starts it again."""
    os.kill(os.getpid(), signal.SIGTERM)


def _announce_if_possible(context: Context, what: str, host: str, port: int) -> None:
    """Say where the page is; where that cannot be written, the board is there to be played all the same."""
    try:
        announce(context, what, host, port)
    except OutputError as error:
        discard(context.out)
        _log.warning("%s; the page is on port %d", error, port)
    except BrokenPipeError:  # whoever read has enough
        discard(context.out)


def announce(context: Context, what: str, host: str, port: int) -> None:
    """Say where the page is; for a page the network can reach also with a picture for phones."""
    if host not in _EVERYWHERE:
        name = "localhost" if host in _LOOPBACK else f"[{host}]" if ":" in host else host
        context.line(f"Tablier plays {what}: http://{name}:{port} (Ctrl-C stops it)")
        return
    context.line(f"Tablier plays {what}: http://localhost:{port} (Ctrl-C stops it)")
    for address in own_addresses():
        url = f"http://{address}:{port}"
        context.line(f"In this network: {url}")
        context.line(qr_code(url))


def own_addresses() -> list[str]:
    """The addresses under which others in the network reach this machine, as far as can be told."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(_UNROUTED)
        except OSError:
            return []
        address: str = probe.getsockname()[0]
        return [address]


def qr_code(text: str) -> str:
    """A QR code out of half blocks, light on dark as terminals are."""
    picture = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(picture, border=2, compact=True)
    return picture.getvalue().rstrip("\n")
