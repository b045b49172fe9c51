"""The WebSocket protocol, message by message, over a socket that the test holds in its hands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.api import ScriptState
from engines.base import Reason
from hardware.ports import Fault
from hardware.simulator.script import Break, Lift, Line
from tests.fakes.daemon import FakeDaemon
from web.desk import CommandDesk
from web.hub import Hub
from web.live import Hand, LiveClient
from web.routes import live as live_route


class FakeSocket:
    """A client: `say` what it sends, `heard` is what reached it. `stalled`: it reads nothing more."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: list[dict[str, Any]] = []
        self.taken = 0
        self.open = asyncio.Event()
        self.open.set()

    async def receive(self) -> dict[str, Any]:
        message = await self.incoming.get()
        self.taken += 1
        return message

    async def send_text(self, data: str) -> None:
        await self.open.wait()
        self.heard.append(json.loads(data))

    def say(self, **message: Any) -> None:
        self.say_text(json.dumps(message))

    def say_text(self, text: str) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]


class World:
    """A daemon, its hub, and clients that come and go."""

    def __init__(self, daemon: FakeDaemon) -> None:
        self.daemon = daemon
        self.hub = Hub(daemon)
        self.desk = CommandDesk(daemon)
        self.hand = Hand(daemon.table, daemon.board)
        self.tasks: list[asyncio.Task[None]] = []

    async def join(self, *, may_control: bool = True, may_inspect: bool = True) -> FakeSocket:
        socket = FakeSocket()
        client = LiveClient(
            socket,
            self.hub,
            self.desk,
            self.hand,
            version="9.9",
            build="b1",
            may_control=may_control,
            may_inspect=may_inspect,
            refresh_s=0.0,
        )
        self.tasks.append(asyncio.create_task(client.run()))
        await quiet()
        return socket


async def quiet() -> None:
    """Let everything that can happen now happen."""
    for _ in range(50):
        await asyncio.sleep(0)


def play(scene: Callable[[World], Awaitable[None]], *, simulated: bool = True) -> FakeDaemon:
    """Run a scene; afterwards everybody leaves, and nothing may be left behind."""
    daemon = FakeDaemon(simulated=simulated)

    async def run() -> None:
        world = World(daemon)
        world.hub.open()
        try:
            await scene(world)
        finally:
            for task in world.tasks:
                task.cancel()
            await asyncio.gather(*world.tasks, return_exceptions=True)
            world.hub.close()
        assert len(world.hub) == 0
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert daemon.subscribers == 0
    return daemon


# ---------------------------------------------------------------- views and changes


def test_first_comes_the_full_view_then_strip_and_table() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        assert [message["type"] for message in socket.heard] == ["view", "strip", "table"]
        view, strip, table = socket.heard
        assert (view["version"], view["build"], view["may_control"]) == ("9.9", "b1", True)
        assert view["seq"] == world.daemon.snapshot().seq
        assert view["view"]["to_move"] == 0
        assert view["view"]["faults"] == []
        assert strip["pixels"] == [[0, 0, 0]] * 49
        assert table["stacks"]["c9"] == [0]
        assert (table["loose"], table["hands"]) == ([], [])

    play(scene)


def test_real_wood_has_no_table() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        assert [message["type"] for message in socket.heard] == ["view", "strip"]
        socket.say(type="hand", action="grab", x_mm=60, y_mm=240)
        await quiet()
        assert socket.heard[-1]["reason"]["code"] == "no_table"

    play(scene, simulated=False)


def test_then_come_numbered_changes_with_only_what_differs() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        seq = socket.heard[0]["seq"]
        world.daemon.play("c9d8")
        await quiet()
        world.daemon.play("b7c7")
        await quiet()
        changes = socket.of("change")
        assert [change["seq"] for change in changes] == [seq + 1, seq + 2]
        assert set(changes[0]["changes"]) == {"to_move", "scores", "position", "stacks", "moves"}
        assert changes[1]["changes"]["moves"][1]["move"] == "b7c7"

    play(scene)


def test_faults_of_the_devices_are_part_of_the_view() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        world.daemon.faults = (Fault("nack", "e5"),)
        world.daemon.publish()
        await quiet()
        assert socket.of("change")[-1]["changes"] == {
            "faults": [{"code": "nack", "where": "e5", "params": []}]
        }

    play(scene)


def test_after_a_gap_comes_a_full_view() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        for move in ("c9d8", "b7c7", "h6i5"):  # all before the event loop gets round to it
            world.daemon.play(move)
        await quiet()
        assert [m["type"] for m in socket.heard if m["type"] in ("view", "change")] == ["view", "view"]
        assert len(socket.of("view")[1]["view"]["moves"]) == 3

    play(scene)


def test_who_asks_gets_everything_anew() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="sync")
        await quiet()
        assert [message["type"] for message in socket.heard[3:]] == ["view", "strip", "table"]

    play(scene)


def test_a_client_that_does_not_read_finds_only_the_latest() -> None:
    async def scene(world: World) -> None:
        slow, quick = await world.join(), await world.join()
        slow.open.clear()
        for n in range(200):
            world.daemon.change(scores=(n, 0))
            await quiet()
        assert len(quick.of("change")) == 200
        before = len(slow.heard)
        slow.open.set()
        await quiet()
        late = slow.heard[before:]
        assert len(late) <= 4  # what was on its way, then one of each kind
        latest = [m for m in late if m["type"] in ("view", "change")][-1]
        assert latest["type"] == "view"
        assert latest["view"]["scores"] == [199, 0]
        assert latest["seq"] == world.daemon.snapshot().seq

    play(scene)


def test_news_from_many_threads_arrive_as_the_latest_state() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        await asyncio.gather(*(asyncio.to_thread(world.daemon.change, scores=(n, n)) for n in range(20)))
        await quiet()
        last = [m for m in socket.heard if m["type"] in ("view", "change")][-1]
        assert last["seq"] == world.daemon.snapshot().seq
        seqs = [m["seq"] for m in socket.heard if "seq" in m]
        assert seqs == sorted(set(seqs))

    play(scene)


# ---------------------------------------------------------------- commands


def test_a_command_is_acknowledged_after_the_view_it_led_to() -> None:
    async def scene(world: World) -> None:
        world.daemon.play("c9d8")
        socket = await world.join()
        before = len(socket.heard)
        socket.say(type="command", id="a1", command="takeback", plies=1)
        await quiet()
        kinds = [message["type"] for message in socket.heard[before:]]
        assert kinds.index("change") < kinds.index("ack")
        assert socket.of("ack") == [{"type": "ack", "id": "a1"}]

    play(scene)


def test_a_refusal_has_the_reason_and_the_full_state() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="command", id="a1", command="takeback")
        await quiet()
        refusal = socket.heard[-1]
        assert refusal["type"] == "refusal"
        assert refusal["id"] == "a1"
        assert refusal["reason"] == {"code": "nothing_to_take_back", "params": []}
        assert refusal["seq"] == world.daemon.snapshot().seq
        assert refusal["view"]["moves"] == []
        world.daemon.play("c9d8")
        await quiet()
        assert socket.of("change")[-1]["seq"] == refusal["seq"] + 1, "numbering goes on from the refusal"

    play(scene)


def test_the_same_command_again_on_a_new_connection_is_done_once() -> None:
    async def scene(world: World) -> None:
        world.daemon.play("c9d8", "b7c7")
        first = await world.join()
        first.say(type="command", id="a1", command="takeback")
        await quiet()
        first.leave()
        second = await world.join()
        second.say(type="command", id="a1", command="takeback")
        await quiet()
        assert second.of("ack") == [{"type": "ack", "id": "a1"}]
        assert len(world.daemon.snapshot().view.moves) == 1

    daemon = play(scene)
    assert len(daemon.commands) == 1


def test_a_command_without_an_id_is_refused() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="command", command="resign", player=0)
        await quiet()
        assert socket.heard[-1]["reason"]["code"] == "invalid_command"
        assert socket.heard[-1]["id"] is None

    assert play(scene).commands == []


def test_who_only_watches_is_told_so() -> None:
    async def scene(world: World) -> None:
        socket = await world.join(may_control=False)
        assert socket.heard[0]["may_control"] is False
        socket.say(type="command", id="a1", command="resign", player=0)
        socket.say(type="hand", action="grab", x_mm=60, y_mm=240)
        await quiet()
        assert [m["reason"]["code"] for m in socket.of("refusal")] == ["watching_only"] * 2

    daemon = play(scene)
    assert daemon.commands == []
    assert daemon.table is not None
    assert daemon.table.calls == []


def test_one_client_may_not_fill_the_daemons_queue() -> None:
    async def scene(world: World) -> None:
        world.daemon.held = []
        socket = await world.join()
        for n in range(6):
            socket.say(type="command", id=f"a{n}", command="takeback")
        await quiet()
        assert len(world.daemon.held) == 4
        assert [(m["id"], m["reason"]["code"]) for m in socket.of("refusal")] == [
            ("a4", "too_many_commands"),
            ("a5", "too_many_commands"),
        ]

    play(scene)


def test_a_client_that_leaves_while_its_command_waits_leaves_nothing_behind() -> None:
    async def scene(world: World) -> None:
        world.daemon.held = []
        socket = await world.join()
        socket.say(type="command", id="a1", command="takeback")
        await quiet()
        socket.leave()
        await quiet()
        assert len(world.hub) == 0
        assert world.tasks[0].done()

    play(scene)


# ---------------------------------------------------------------- pings and hostile input


def test_a_ping_is_answered_with_what_it_brought() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        for t in (17, 1.5, "x", None, {"a": 1}, "x" * 65, True):
            socket.say(type="ping", t=t)
        await quiet()
        assert [pong["t"] for pong in socket.of("pong")] == [17, 1.5, "x", None, None, None, None]

    play(scene)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("{", "unreadable"),
        ("[1, 2]", "unreadable"),
        ("{}", "unreadable"),
        ('{"type": "explode"}', "unreadable"),
        ('{"type": ["command"]}', "unreadable"),
        ("[" * 4000, "unreadable"),
        ('{"type": "ping", "t": "' + "x" * 4096 + '"}', "too_long"),
        ('{"type": "command", "id": "a", "command": "explode"}', "invalid_command"),
        ('{"type": "command", "id": "a", "command": "takeback", "plies": 1e99}', "invalid_command"),
        ('{"type": "command", "id": "' + "x" * 65 + '", "command": "takeback"}', "invalid_command"),
        ('{"type": "hand"}', "invalid_command"),
        ('{"type": "hand", "action": "throw"}', "invalid_command"),
        ('{"type": "hand", "action": "grab", "x_mm": "1", "y_mm": 1}', "invalid_command"),
        ('{"type": "hand", "action": "grab", "x_mm": NaN, "y_mm": 1}', "invalid_command"),
        ('{"type": "hand", "action": "grab", "x_mm": 60, "y_mm": 240, "count": 0}', "invalid_command"),
        (
            '{"type": "hand", "action": "move", "x_mm": 1e300, "y_mm": 1, "clearance_mm": 1}',
            "invalid_command",
        ),
        ('{"type": "hand", "action": "move", "x_mm": 1, "y_mm": 1, "clearance_mm": -1}', "invalid_command"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_a_reason(text: str, code: str) -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say_text(text)
        await quiet()
        assert [m["reason"]["code"] for m in socket.of("refusal")] == [code]
        socket.say(type="ping", t=1)
        await quiet()
        assert socket.heard[-1] == {"type": "pong", "t": 1}, "the conversation goes on"

    daemon = play(scene)
    assert daemon.commands == []
    assert daemon.table is not None
    assert daemon.table.calls == []


def test_bytes_are_refused() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.incoming.put_nowait({"type": "websocket.receive", "bytes": b"\x00"})
        await quiet()
        assert socket.heard[-1]["reason"]["code"] == "unreadable"

    play(scene)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=200), min_size=1, max_size=10))
def test_nothing_a_client_says_ends_the_conversation(texts: list[str]) -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        for text in texts:
            socket.say_text(text)
        socket.say(type="ping", t="still there")
        await quiet()
        assert socket.heard[-1] == {"type": "pong", "t": "still there"}

    play(scene)


def test_a_client_that_asks_without_reading_is_not_read_any_further() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.open.clear()
        for n in range(500):
            socket.say(type="ping", t=n)
        await quiet()
        assert socket.taken <= 18  # sixteen answers wait, one is on its way, one is at hand
        socket.open.set()
        while len(socket.of("pong")) < 500:
            await quiet()
        assert [pong["t"] for pong in socket.of("pong")] == list(range(500))

    play(scene)


# ---------------------------------------------------------------- the hand at the simulated table


def test_the_hand_carries_a_tower_and_everybody_sees_it() -> None:
    async def scene(world: World) -> None:
        socket, onlooker = await world.join(), await world.join()
        socket.say(type="hand", action="grab", x_mm=60, y_mm=240)
        socket.say(type="hand", action="move", x_mm=75.5, y_mm=225, clearance_mm=6)
        await quiet()
        assert onlooker.of("table")[-1]["hands"] == [
            {"x_mm": 75.5, "y_mm": 225, "clearance_mm": 6, "pieces": [0]}
        ]
        assert "c9" not in onlooker.of("table")[-1]["stacks"]
        socket.say(type="hand", action="move", x_mm=90, y_mm=210, clearance_mm=6)
        socket.say(type="hand", action="release")
        await quiet()
        assert onlooker.of("table")[-1]["stacks"]["d8"] == [0, 0]

    daemon = play(scene)
    assert [move.move for move in daemon.snapshot().view.moves] == ["c9d8"]


def test_there_is_one_hand_and_who_holds_it_keeps_it() -> None:
    async def scene(world: World) -> None:
        first, second = await world.join(), await world.join()
        first.say(type="hand", action="grab", x_mm=60, y_mm=240)
        await quiet()
        for action in ("grab", "move", "release"):
            second.say(type="hand", action=action, x_mm=90, y_mm=210, clearance_mm=6)
        await quiet()
        assert [m["reason"]["code"] for m in second.of("refusal")] == ["hand_busy"] * 3
        first.say(type="hand", action="release")
        second.say(type="hand", action="grab", x_mm=90, y_mm=210, count=1)
        await quiet()
        assert second.of("table")[-1]["hands"][0]["x_mm"] == 90

    play(scene)


def test_who_leaves_with_a_tower_in_the_hand_lets_go_of_it() -> None:
    async def scene(world: World) -> None:
        first, second = await world.join(), await world.join()
        first.say(type="hand", action="grab", x_mm=60, y_mm=240)
        first.leave()
        await quiet()
        assert second.of("table")[-1]["hands"] == []
        second.say(type="hand", action="grab", x_mm=60, y_mm=240)
        await quiet()
        assert second.of("refusal") == []

    play(scene)


def test_anybody_may_tidy_the_table() -> None:
    async def scene(world: World) -> None:
        first, second = await world.join(), await world.join()
        first.say(type="hand", action="grab", x_mm=60, y_mm=240)
        await quiet()
        second.say(type="hand", action="tidy")
        await quiet()
        assert second.of("table")[-1]["stacks"]["c9"] == [0]
        assert second.of("table")[-1]["hands"] == []

    play(scene)


# ---------------------------------------------------------------- through the application


@contextmanager
def connected(client: TestClient) -> Iterator[Any]:
    with client.websocket_connect(
        "ws://localhost:8080/ws", headers={"origin": "http://localhost:8080"}
    ) as ws:
        yield ws


def test_the_application_speaks_the_protocol(client: TestClient, daemon: FakeDaemon) -> None:
    daemon.play("c9d8")
    with connected(client) as socket:
        assert socket.receive_json()["view"]["moves"][0]["move"] == "c9d8"
        assert [socket.receive_json()["type"] for _ in range(2)] == ["strip", "table"]
        socket.send_json({"type": "ping", "t": 5})
        assert socket.receive_json() == {"type": "pong", "t": 5}
        assert client.get("/health").json()["clients"] == 1


def test_there_is_a_most_number_of_clients(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_route, "MOST_CLIENTS", 1)
    with connected(client) as first:
        assert first.receive_json()["type"] == "view"
        with connected(client) as second:
            assert second.receive() == {"type": "websocket.close", "code": 1013, "reason": ""}


# ---------------------------------------------------------------- diagnostics, scripts and mishaps


def test_only_who_watches_is_told_what_the_sensors_read() -> None:
    async def scene(world: World) -> None:
        watcher, other = await world.join(), await world.join()
        watcher.say(type="watch", topics=["diagnostics"])
        await quiet()
        told = watcher.of("diagnostics")
        assert len(told) > 1
        assert told[0]["cells"][0] == "a4"
        assert told[0]["values"][told[0]["cells"].index("e5")] == 0.1
        assert told[0]["status"]["sensors"]["nacks"] == 3
        assert other.of("diagnostics") == []
        watcher.say(type="watch", topics=[])
        await quiet()
        count = len(watcher.of("diagnostics"))
        await quiet()
        assert len(watcher.of("diagnostics")) == count

    play(scene)


def test_a_slow_watcher_gets_the_latest_and_no_backlog() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="watch", topics=["diagnostics"])
        await quiet()
        socket.open.clear()
        await quiet()
        stuck = len(socket.of("diagnostics"))
        world.daemon.report = replace(world.daemon.report, t_ms=2000)
        await quiet()
        world.daemon.report = replace(world.daemon.report, t_ms=3000)
        socket.open.set()
        await quiet()
        times = [message["t_ms"] for message in socket.of("diagnostics")[stuck:]]
        assert times[:2] in ([1000, 3000], [3000, 3000])

    play(scene)


def test_who_may_not_inspect_is_told_so() -> None:
    async def scene(world: World) -> None:
        socket = await world.join(may_inspect=False)
        socket.say(type="watch", topics=["diagnostics"])
        await quiet()
        assert [m["reason"]["code"] for m in socket.of("refusal")] == ["watching_only"]
        assert socket.of("diagnostics") == []

    play(scene)


@pytest.mark.parametrize("topics", [None, "diagnostics", ["everything"], [1], [["diagnostics"]]])
def test_what_cannot_be_watched_is_refused(topics: Any) -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="watch", topics=topics)
        await quiet()
        assert socket.heard[-1]["reason"]["code"] == "invalid_command"
        assert "diagnostics" in socket.heard[-1]["detail"]

    play(scene)


def test_a_script_is_read_and_handed_to_the_table() -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="hand", action="play", script="fault dead e4\nlift c9")
        socket.say(type="hand", action="cut_power")
        await quiet()
        assert socket.of("refusal") == []

    table = play(scene).table
    assert table is not None
    lines = (Line(1, Break("e4", "dead")), Line(2, Lift("c9")))
    assert table.calls == [("play", lines), ("cut_power",)]


@pytest.mark.parametrize(
    ("script", "code", "params"),
    [
        ("lift c9\nlift z9", "script_place", [2, "z9", "a4 to i6 as on the board"]),
        ("lift c9 top 99", "script_number", [1, "99", 1, 10]),
        (17, "invalid_command", []),
    ],
)
def test_a_script_with_a_fault_is_not_played(script: Any, code: str, params: list[Any]) -> None:
    async def scene(world: World) -> None:
        socket = await world.join()
        socket.say(type="hand", action="play", script=script)
        await quiet()
        assert socket.heard[-1]["reason"] == {"code": code, "params": params}

    table = play(scene).table
    assert table is not None
    assert table.calls == []


def test_what_was_broken_and_how_far_a_script_is_comes_with_the_table() -> None:
    async def scene(world: World) -> None:
        assert world.daemon.table is not None
        world.daemon.table.broken = (("e4", "dead"),)
        world.daemon.table.script = ScriptState(3, is_over=True, failure=Reason("script_empty_hand", (3,)))
        socket = await world.join()
        (table,) = socket.of("table")
        assert table["broken"] == [{"part": "e4", "kind": "dead"}]
        failure = {"code": "script_empty_hand", "params": [3]}
        assert table["script"] == {"line": 3, "is_over": True, "failure": failure}

    play(scene)
