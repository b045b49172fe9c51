"""Commands: read carefully, carried out once, always answered."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.api import Snapshot
from tests.fakes.daemon import FakeDaemon
from web.desk import TEXT_LIMIT_BYTES, CommandDesk, RefusalError, read_id, read_message, read_number

TAKEBACK = {"command": "takeback", "id": "one"}


def refused(desk: CommandDesk, data: dict[str, Any]) -> str:
    with pytest.raises(RefusalError) as refusal:
        asyncio.run(desk.carry_out(data))
    return refusal.value.reason.code


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("{", "unreadable"),
        ("[]", "unreadable"),
        ("nonsense", "unreadable"),
        ('{"a": "\\udfff"}', "unreadable"),
        ('"\ud800"', "unreadable"),
        ("[" * 2000 + "]" * 2000, "unreadable"),
        ('{"a": "' + "x" * TEXT_LIMIT_BYTES + '"}', "too_long"),
        ('{"a": "' + "é" * (TEXT_LIMIT_BYTES // 2) + '"}', "too_long"),
    ],
)
def test_what_is_no_message_is_refused(text: str, code: str) -> None:
    with pytest.raises(RefusalError) as refusal:
        read_message(text)
    assert refusal.value.reason.code == code
    assert refusal.value.detail
    assert "\n" not in refusal.value.detail


@given(st.text(max_size=5000))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(RefusalError):
        assert isinstance(read_message(text), dict)


@pytest.mark.parametrize("value", [True, None, "1", [], float("nan"), float("inf"), 10.1, -0.1])
def test_what_is_no_number_within_bounds_is_refused(value: object) -> None:
    with pytest.raises(RefusalError, match="x_mm: must be a number from 0 to 10, not "):
        read_number({"x_mm": value}, "x_mm", 0, 10)


@pytest.mark.parametrize("value", [0, 10, 2.5])
def test_numbers_within_bounds_are_taken(value: float) -> None:
    assert read_number({"x_mm": value}, "x_mm", 0, 10) == value


def test_ids_are_short_texts_or_missing() -> None:
    assert read_id({}) is None
    assert read_id({"id": "x" * 64}) == "x" * 64
    for wrong in ("", "x" * 65, 1, ["x"], True):
        with pytest.raises(RefusalError):
            read_id({"id": wrong})


# ---------------------------------------------------------------- carrying out


def test_the_same_id_gets_the_same_answer_also_when_it_was_a_refusal() -> None:
    daemon = FakeDaemon()
    desk = CommandDesk(daemon)

    async def twice() -> None:
        for move in ("c9d8", "b7c7"):
            with pytest.raises(RefusalError, match="nothing_to_take_back"):
                await desk.carry_out(TAKEBACK)
            daemon.play(move)

    asyncio.run(twice())
    assert len(daemon.commands) == 1


def test_the_same_id_for_another_command_is_refused() -> None:
    daemon = FakeDaemon()
    daemon.play("c9d8", "b7c7")
    desk = CommandDesk(daemon)

    async def go() -> None:
        await desk.carry_out(TAKEBACK)
        with pytest.raises(RefusalError, match="another command"):
            await desk.carry_out(TAKEBACK | {"plies": 2})

    asyncio.run(go())


def test_two_that_ask_at_the_same_time_share_one_answer() -> None:
    daemon = FakeDaemon()
    daemon.play("c9d8", "b7c7")
    daemon.held = []
    desk = CommandDesk(daemon)

    async def go() -> None:
        both = [asyncio.create_task(desk.carry_out(TAKEBACK)) for _ in range(2)]
        while not daemon.held:
            await asyncio.sleep(0)
        daemon.held[0].set_result(daemon.snapshot())
        assert await asyncio.gather(*both) == [daemon.snapshot()] * 2

    asyncio.run(go())
    assert len(daemon.commands) == 1


def test_answers_are_forgotten_after_a_while() -> None:
    now_s = [0.0]
    daemon = FakeDaemon()
    daemon.play("c9d8", "b7c7")
    desk = CommandDesk(daemon, now=lambda: now_s[0])

    async def go() -> None:
        await desk.carry_out(TAKEBACK)
        now_s[0] = 599.0
        await desk.carry_out(TAKEBACK)
        assert len(daemon.commands) == 1
        now_s[0] = 601.0
        await desk.carry_out(TAKEBACK)
        assert len(daemon.commands) == 2

    asyncio.run(go())


def test_no_more_than_a_bounded_number_of_answers_is_kept() -> None:
    daemon = FakeDaemon()
    desk = CommandDesk(daemon, now=lambda: 0.0)

    async def go() -> None:
        for n in range(513):
            with pytest.raises(RefusalError):
                await desk.carry_out(TAKEBACK | {"id": str(n)})
        assert len(daemon.commands) == 513
        for kept in ("512", "1"):
            with pytest.raises(RefusalError):
                await desk.carry_out(TAKEBACK | {"id": kept})
        assert len(daemon.commands) == 513
        with pytest.raises(RefusalError):
            await desk.carry_out(TAKEBACK | {"id": "0"})
        assert len(daemon.commands) == 514

    asyncio.run(go())


def test_a_daemon_that_never_answers_is_not_waited_for_for_ever() -> None:
    daemon = FakeDaemon()
    daemon.held = []
    assert refused(CommandDesk(daemon, answer_s=0.0), TAKEBACK) == "no_answer"


def test_a_late_answer_is_there_for_who_asks_again() -> None:
    daemon = FakeDaemon()
    daemon.held = []
    desk = CommandDesk(daemon, answer_s=0.0)

    async def go() -> None:
        with pytest.raises(RefusalError, match="no_answer"):
            await desk.carry_out(TAKEBACK)
        assert daemon.held is not None
        daemon.held[0].set_result(daemon.snapshot())
        await asyncio.sleep(0)  # the answer crosses over to the event loop
        assert await desk.carry_out(TAKEBACK) == daemon.snapshot()

    asyncio.run(go())
    assert len(daemon.commands) == 1


def test_a_command_given_up_by_the_daemon_is_answered() -> None:
    daemon = FakeDaemon()
    daemon.held = []
    desk = CommandDesk(daemon)

    async def go() -> None:
        waiting = asyncio.create_task(desk.carry_out(TAKEBACK))
        while not daemon.held:
            await asyncio.sleep(0)
        daemon.held[0].cancel()
        with pytest.raises(RefusalError, match="no_answer"):
            await waiting

    asyncio.run(go())


def test_who_goes_away_while_waiting_takes_nothing_along(monkeypatch: pytest.MonkeyPatch) -> None:
    daemon = FakeDaemon()
    daemon.held = []
    desk = CommandDesk(daemon)

    async def go() -> None:
        waiting = asyncio.create_task(desk.carry_out(TAKEBACK))
        while not daemon.held:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        answer: Future[Snapshot] = daemon.held[0]
        answer.set_result(daemon.snapshot())
        await asyncio.sleep(0)
        assert await desk.carry_out(TAKEBACK) == daemon.snapshot()

    asyncio.run(go())
