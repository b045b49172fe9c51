"""`tablier simulate` as a process of its own, played over its WebSocket like a browser plays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[2]
DEADLINE_S = 30.0


class SimulateProcess:
    """The program, its address and what the page would know; `with` kills it in the end if it still runs."""

    def __init__(self, data: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.main", "simulate", "--port", "0", "--data", str(data), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)", line)
        if found is None:
            _, err = self.process.communicate()
            raise AssertionError(f"no address in {line!r}; standard error: {err!r}")
        self.port = int(found[1])
        self.places = {cell["name"]: (cell["x_mm"], cell["y_mm"]) for cell in self.get("/api/board")["cells"]}
        self.view: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self._socket: ClientConnection | None = None
        self._open = ExitStack()

    def __enter__(self) -> SimulateProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        if self.process.poll() is None:
            self.kill()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=DEADLINE_S) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """SIGKILL: nothing in the program hears of it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE_S)

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE_S)

    # ------------------------------------------------------------------ the page's side

    def open_page(self) -> None:
        address = f"ws://localhost:{self.port}/ws"
        connecting: Any = connect(address, origin=f"http://localhost:{self.port}", open_timeout=DEADLINE_S)
        self._socket = self._open.enter_context(connecting)
        self.until(lambda: bool(self.view and self.table))

    def send(self, **message: Any) -> None:
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    def until(self, condition: Callable[[], bool]) -> None:
        """Take in messages until something is so."""
        assert self._socket is not None
        end_s = time.monotonic() + DEADLINE_S
        while not condition():
            left_s = end_s - time.monotonic()
            assert left_s > 0, (self.view, self.table)
            message = json.loads(self._socket.recv(timeout=left_s))
            match message.pop("type"):
                case "view":
                    self.view = message["view"]
                case "change":
                    self.view |= message["changes"]
                case "table":
                    self.table = message
                case "refusal":
                    raise AssertionError(message)

    @property
    def moves(self) -> list[str]:
        return [move["move"] for move in self.view["moves"]]

    def grab(self, cell: str) -> None:
        """Lift what stands on a cell and see the board notice it."""
        x_mm, y_mm = self.places[cell]
        self.send(type="hand", action="grab", x_mm=x_mm, y_mm=y_mm)
        self.until(lambda: self.view["lifted"] == cell)

    def play(self, move: str) -> None:
        """Make a move by hand and see it accepted."""
        expected = [*self.moves, move]
        x_mm, y_mm = self.places[move[2:]]
        self.grab(move[:2])
        self.send(type="hand", action="move", x_mm=x_mm, y_mm=y_mm, clearance_mm=20)
        self.until(lambda: near(self.table["hands"], x_mm, y_mm))
        self.send(type="hand", action="release")
        self.until(lambda: self.moves == expected and self.view["lifted"] is None)


def near(hands: list[dict[str, float]], x_mm: float, y_mm: float) -> bool:
    return bool(hands) and abs(hands[0]["x_mm"] - x_mm) < 1 and abs(hands[0]["y_mm"] - y_mm) < 1
