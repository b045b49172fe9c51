"""The server: the port it takes, the names it answers to, how it starts and stops."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from controller.errors import BusyError, ControllerError
from tests.fakes.daemon import TOKEN, FakeDaemon
from web.server import PageServer, bind, own_names, serve


@pytest.fixture
def daemon() -> FakeDaemon:
    return FakeDaemon()


@pytest.fixture
def server(daemon: FakeDaemon) -> Iterator[PageServer]:
    listening = threading.Event()
    server = PageServer(daemon, "127.0.0.1", 0, on_listening=lambda _port: listening.set())
    thread = threading.Thread(target=server.run)
    thread.start()
    assert listening.wait(20)
    yield server
    server.stop()
    thread.join(20)
    assert not thread.is_alive()


def get(port: int, path: str, **headers: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def farewell(connection: ClientConnection) -> int | None:
    """The code with which the server ends a connection, whatever it says before."""
    try:
        while True:
            connection.recv(timeout=20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_a_port_in_use_is_one_line_that_says_by_whom(server: PageServer) -> None:
    with pytest.raises(BusyError) as refused:
        PageServer(FakeDaemon(), "127.0.0.1", server.port)
    assert str(refused.value) == (
        f"port {server.port} on 127.0.0.1 is in use by another tablier 0.0-test "
        f"(process {os.getpid()}); stop it, or choose another --port"
    )


def test_a_port_held_by_a_stranger_is_said_too() -> None:
    with closing(socket.socket()) as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        threading.Thread(target=_hang_up, args=(stranger,)).start()
        with pytest.raises(BusyError, match=rf"^port {port} on 127\.0\.0\.1 is in use by another program; "):
            bind("127.0.0.1", port)


def _hang_up(listener: socket.socket) -> None:
    listener.accept()[0].close()


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_an_address_that_is_not_this_machines_is_one_line(host: str) -> None:
    with pytest.raises(ControllerError, match=rf"^cannot listen on {host}:8080: .*; check --host") as refused:
        bind(host, 8080)
    assert "\n" not in str(refused.value)


def test_names_of_this_machine() -> None:
    assert own_names("127.0.0.1") == ("localhost", "127.0.0.1", "::1")
    assert own_names("board.example.org") == ("board.example.org",)
    assert {"localhost", socket.gethostname()} <= set(own_names("0.0.0.0"))


def test_answers_only_under_its_own_names(server: PageServer) -> None:
    assert get(server.port, "/health")[0] == 200
    assert get(server.port, "/health", Host=f"localhost:{server.port}")[0] == 200
    assert get(server.port, "/health", Host="evil.example")[0] == 421


def test_nothing_tells_what_it_is_made_of(server: PageServer) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        connection.request("GET", "/")
        assert connection.getresponse().getheader("server") is None


def test_the_websocket_speaks_over_a_real_connection(server: PageServer, daemon: FakeDaemon) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws") as socket_:
        assert json.loads(socket_.recv())["type"] == "view"
        assert [json.loads(socket_.recv())["type"] for _ in range(2)] == ["strip", "table"]
        socket_.send("x" * 5000)
        assert json.loads(socket_.recv())["reason"]["code"] == "too_long"
        daemon.play("c9d8")
        assert json.loads(socket_.recv())["changes"]["moves"][0]["move"] == "c9d8"


def test_a_message_beyond_all_measure_ends_the_connection(server: PageServer) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws") as socket_:
        socket_.send("x" * 100_000)
        assert farewell(socket_) == 1009
    assert get(server.port, "/health")[0] == 200


def test_a_client_that_never_reads_holds_nobody_up(server: PageServer, daemon: FakeDaemon) -> None:
    url = f"ws://127.0.0.1:{server.port}/ws"
    with connect(url, max_queue=1, compression=None, close_timeout=0.1) as slow, connect(url) as quick:
        for n in range(300):
            daemon.change(scores=(n, n), position="x" * 20_000 + str(n))
        latest = {}
        while latest.get("scores") != [299, 299]:
            message = json.loads(quick.recv(timeout=20))
            latest |= message.get("view", message.get("changes", {}))
        heard = 0
        scores: object = None
        while scores != [299, 299]:  # the slow one catches up with a few messages instead of 300
            message = json.loads(slow.recv(timeout=20))
            heard += 1
            scores = message.get("view", message.get("changes", {})).get("scores", scores)
        assert heard < 300


def test_stopping_says_farewell_and_frees_the_port(daemon: FakeDaemon) -> None:
    listening = threading.Event()
    server = PageServer(daemon, "127.0.0.1", 0, on_listening=lambda _port: listening.set())
    thread = threading.Thread(target=server.run)
    thread.start()
    assert listening.wait(20)
    recording = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    recording.request("GET", "/api/control/recording", headers={"Authorization": f"Bearer {TOKEN}"})
    with closing(recording), connect(f"ws://127.0.0.1:{server.port}/ws") as socket_:
        while not daemon.recordings:
            get(server.port, "/health")
        daemon.recordings[0]("a line\n")
        answer = recording.getresponse()
        assert answer.readline() == b"a line\n"
        server.stop()
        assert answer.read() == b""
        assert farewell(socket_) == 1012
    thread.join(20)
    assert not thread.is_alive()
    assert daemon.subscribers == 0
    bind("127.0.0.1", server.port).close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_server_and_not_the_program(daemon: FakeDaemon, number: signal.Signals) -> None:
    before = signal.getsignal(number)
    ports: list[int] = []

    def listening(port: int) -> None:
        ports.append(port)
        os.kill(os.getpid(), number)

    serve(daemon, "127.0.0.1", 0, on_listening=listening)
    assert len(ports) == 1
    assert signal.getsignal(number) is before
