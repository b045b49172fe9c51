"""The command `tablier`: the controller's command line, given the page's server to run.

The controller knows nothing of the web; whoever is above both brings them together.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from controller import cli
from controller.api import DaemonApi


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    return cli.main(argv, serve=_serve)


def _serve(
    daemon: DaemonApi,
    host: str,
    port: int,
    allowed_hosts: Sequence[str] = (),
    *,
    on_listening: Callable[[int], None] | None = None,
) -> None:
    # Only commands that serve need the web framework, and it takes a while to load.
    from web.server import serve

    serve(daemon, host, port, allowed_hosts, on_listening=on_listening)


if __name__ == "__main__":
    sys.exit(main())
