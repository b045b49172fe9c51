"""Recordings over HTTP: for the daemon's own user, on the machine itself, and whole or broken off."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from tests.fakes.daemon import TOKEN, FakeDaemon
from web.access import EverybodyControls, Visitor
from web.app import create_app
from web.problems import ProblemError
from web.recording import MOST_WAITING, Recordings, TooSlowError
from web.routes import diagnostics
from web.routes.diagnostics import MOST_RECORDINGS
from web.services import Services

PATH = "/api/control/recording"
OWN = {"authorization": f"Bearer {TOKEN}"}
REQUEST = Request({"type": "http", "headers": [], "client": ("127.0.0.1", 1)})


@pytest.fixture
def local(daemon: FakeDaemon) -> TestClient:
    app = create_app(daemon)
    return TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000))


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer guess"}, {"authorization": TOKEN}])
def test_without_the_token_there_is_nothing_to_read(
    local: TestClient, daemon: FakeDaemon, header: dict[str, str]
) -> None:
    answer = local.get(PATH, headers=header)
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:tablier:problem:no_token"
    assert daemon.recordings == []


@pytest.mark.parametrize("address", ["192.168.1.7", "fe80::1", "nowhere"])
def test_elsewhere_the_token_does_not_help(daemon: FakeDaemon, address: str) -> None:
    client = TestClient(create_app(daemon), base_url="http://localhost", client=(address, 50000))
    answer = client.get(PATH, headers=OWN)
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:tablier:problem:elsewhere"


async def taken(recordings: Recordings, daemon: FakeDaemon, lines: int, wanted: int) -> list[str]:
    """The first `wanted` lines of a recording during which `lines` were written at once."""
    found: list[str] = []
    reader = recordings.lines()
    first = asyncio.ensure_future(anext(reader))
    await asyncio.sleep(0)
    for n in range(lines):
        daemon.recordings[0](f"{n}\n")
    try:
        found.append(await first)
        while len(found) < wanted:
            found.append(await anext(reader))
    finally:
        await reader.aclose()
    return found


def test_lines_come_in_order_and_the_daemon_is_left_alone_afterwards(daemon: FakeDaemon) -> None:
    lines = asyncio.run(taken(Recordings(daemon), daemon, 5, 5))
    assert lines == [f"{n}\n" for n in range(5)]
    assert daemon.recordings == []


def test_who_reads_too_slowly_is_cut_off_instead_of_missing_something(daemon: FakeDaemon) -> None:
    with pytest.raises(TooSlowError):
        asyncio.run(taken(Recordings(daemon), daemon, MOST_WAITING + 5, MOST_WAITING + 5))
    assert daemon.recordings == []


def test_closing_ends_a_recording_after_what_it_has_got(local: TestClient, daemon: FakeDaemon) -> None:
    async def record_all() -> list[str]:
        recordings = Recordings(daemon)

        async def read() -> list[str]:
            return [line async for line in recordings.lines()]

        reading = asyncio.create_task(read())
        await asyncio.sleep(0)
        daemon.recordings[0]("one\n")
        await asyncio.sleep(0)
        recordings.close()
        return await reading

    assert asyncio.run(record_all()) == ["one\n"]
    assert daemon.recordings == []


# ---------------------------------------------------------------- for the page


class Strangers(EverybodyControls):
    """Nobody may see what the sensors read."""

    def may_inspect(self, visitor: Visitor) -> bool:
        return False


def test_who_may_not_inspect_may_not_record(daemon: FakeDaemon) -> None:
    client = TestClient(create_app(daemon, access=Strangers()), base_url="http://localhost")
    answer = client.post("/api/recording")
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:tablier:problem:watching_only"
    assert daemon.recordings == []


def test_a_foreign_page_cannot_start_a_recording(local: TestClient, daemon: FakeDaemon) -> None:
    answer = local.post("/api/recording", headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert daemon.recordings == []


def test_only_so_many_record_at_once(daemon: FakeDaemon) -> None:
    async def fill() -> None:
        shared: Services = create_app(daemon).state.services
        readers = [shared.recordings.lines() for _ in range(MOST_RECORDINGS)]
        waiting = [asyncio.ensure_future(anext(reader)) for reader in readers]
        await asyncio.sleep(0)
        with pytest.raises(ProblemError) as caught:
            await diagnostics.recording(REQUEST, shared)
        assert (caught.value.status, caught.value.headers) == (503, {"retry-after": "10"})
        shared.recordings.close()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(fill())
    assert daemon.recordings == []


def test_the_page_gets_the_same_lines(daemon: FakeDaemon) -> None:
    async def read() -> tuple[str, list[str]]:
        shared: Services = create_app(daemon).state.services
        answer = await diagnostics.recording(REQUEST, shared)
        lines = aiter(answer.body_iterator)
        first = asyncio.ensure_future(anext(lines))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        daemon.recordings[0]("one\n")
        found = [str(await first)]
        shared.recordings.close()
        found += [str(line) async for line in lines]
        return str(answer.media_type), found

    assert asyncio.run(read()) == ("application/jsonl", ["one\n"])
    assert daemon.recordings == []
