"""A real Chromium, and a board for it: the whole daemon on simulated sensors, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.boardpage import BoardPage
from tests.fakes.daemon import FakeDaemon
from web.server import PageServer

ROOT = Path(__file__).resolve().parents[2]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


_PATIENCE_MS = 20_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


# No longer than a module: Playwright keeps a loop running in the thread, and `asyncio.run` would fail there.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(_BROWSERS)} is installed")
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield launched
        launched.close()


class Boards:
    """Opens pages of one address, and watches what must not happen on any of them."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.wrongs: list[str] = []
        self.expected: list[str] = []

    def open(self, *, width: int = 1280, height: int = 900, **settings: Any) -> BoardPage:
        """A fresh browser on the board's page; `settings` are Playwright's."""
        settings = {"locale": "en-GB"} | settings
        context = self._browser.new_context(viewport={"width": width, "height": height}, **settings)
        self._contexts.append(context)
        context.set_default_timeout(_PATIENCE_MS)
        page = context.new_page()
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self._heard("error", str(error)))
        page.on("request", lambda request: self._asked(request.url))
        page.goto(self.url)
        return BoardPage(page)

    def expect(self, pattern: str) -> None:
        """Errors on the console that match are meant to be there."""
        self.expected.append(pattern)

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(re.search(p, text) for p in self.expected):
            self.wrongs.append(f"console {kind}: {text}")

    def _asked(self, url: str) -> None:
        own = (self.url, self.url.replace("http://", "ws://"), "data:", "blob:")
        if not url.startswith(own):
            self.wrongs.append(f"request to {url}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def _command(url: str, **command: Any) -> None:
    body = json.dumps(command).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{url}/api/command", body, headers)
    urllib.request.urlopen(request).close()


@pytest.fixture(scope="session")
def simulation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `tablier simulate`."""
    data = tmp_path_factory.mktemp("data")
    arguments = [sys.executable, "-m", "web.main", "simulate", "--port", "0", "--data", str(data)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        arguments, cwd=data, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        found = re.search(r"http://\S+:\d+", process.stdout.readline())
        if found is None:
            process.kill()
            pytest.fail(f"tablier simulate did not start: {process.stderr.read()}")
        yield found[0]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.fixture
def boards(browser: Browser, simulation: str) -> Iterator[Boards]:
    """Pages of a real daemon at the beginning of a game."""
    _command(simulation, command="new_game", settings={})
    with _watched(Boards(browser, simulation)) as boards:
        boards.open().tidy()
        yield boards


@contextmanager
def serving(daemon: FakeDaemon, port: int = 0) -> Iterator[PageServer]:
    """The page of a daemon that a test controls."""
    listening = threading.Event()
    server = PageServer(daemon, "127.0.0.1", port, on_listening=lambda _port: listening.set())
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert listening.wait(20)
        yield server
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def _watched(boards: Boards) -> Iterator[Boards]:
    yield boards
    boards.close()
    assert boards.wrongs == []


@pytest.fixture
def daemon() -> FakeDaemon:
    return FakeDaemon()


@pytest.fixture
def fake_boards(browser: Browser, daemon: FakeDaemon) -> Iterator[Boards]:
    """Pages of a daemon that shows whatever a test wants."""
    with serving(daemon) as server, _watched(Boards(browser, f"http://127.0.0.1:{server.port}")) as boards:
        yield boards
