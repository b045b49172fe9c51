"""The page itself: sizes, themes, languages, accessibility, and how it bears a lost connection."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.core.messages import Notice, Phase, Task, to_json
from engines.base import Outcome, Reason, Termination
from hardware.ports import Fault
from tests.browser.boardpage import BoardPage
from tests.browser.conftest import ROOT, Boards, serving
from tests.fakes.daemon import FakeDaemon

AXE = ROOT / "node_modules/axe-core/axe.min.js"
PHONE = {"width": 320, "height": 640, "has_touch": True}
BUSY = {
    "phase": Phase.FIX,
    "notice": Notice(Reason("too_high", (4, 2)), ("c8", "d8")),
    "tasks": (
        Task("move", "c8", "d8", None, 2),
        Task("place", "e5", None, 1, 3),
        Task("remove", "a4"),
        Task("place", "i5", None, None, 1),
    ),
    "question": ("c9d8", "c9c8", "d9e8"),
    "masked": ("h6",),
    "unknown": ("h5",),
}


def axe(page: Page) -> list[str]:
    """What axe-core finds, one line a finding."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run(document)")
    return [f"{v['id']}: {node['html']} {node['any']}" for v in found["violations"] for node in v["nodes"]]


# ---------------------------------------------------------------- accessibility and sizes


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(
    fake_boards: Boards, daemon: FakeDaemon, scheme: str, size: dict[str, Any]
) -> None:
    board = fake_boards.open(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    assert axe(board.page) == []
    for summary in board.page.locator("summary").all():
        summary.click()
    daemon.faults = (Fault("nack", "e5"), Fault("never_heard_of", "x9", ("some", 1)))
    daemon.change(**BUSY)
    expect(board.page.locator("#ask button")).to_have_count(3)
    assert axe(board.page) == []
    daemon.play("c9d8", "b7c7")
    daemon.change(draw_offer=0)
    expect(board.page.locator("#ask")).to_contain_text("Red offers a draw.")
    assert axe(board.page) == []
    board.button("New game").click()
    assert axe(board.page) == []


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_the_page_fits_a_window_of_320_pixels(fake_boards: Boards, daemon: FakeDaemon, locale: str) -> None:
    board = fake_boards.open(**PHONE, locale=locale)
    assert board.overflow_px() == 0
    for summary in board.page.locator("summary").all():
        summary.click()
    daemon.play("c9d8", "b7c7", "h6i5")
    daemon.faults = (Fault("journal_unwritable", "tablier.sqlite3", ("database or disk is full",)),)
    daemon.change(**BUSY)
    expect(board.page.locator("#ask button")).to_have_count(3)
    assert board.overflow_px() == 0
    board.page.locator("#new").click()
    expect(board.page.locator("#dialog")).to_be_visible()
    assert board.overflow_px() == 0


def test_what_a_finger_must_hit_is_large_enough(fake_boards: Boards) -> None:
    board = fake_boards.open(**PHONE)
    for target in board.page.locator("button:visible, select:visible, summary:visible, #lift label").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 28, target
    reach = board.cell("e5").locator(".reach").bounding_box()
    assert reach is not None
    assert reach["width"] >= 24


def test_the_board_does_not_move_when_something_is_said(fake_boards: Boards, daemon: FakeDaemon) -> None:
    for size in ({}, PHONE):
        board = fake_boards.open(**size)
        before = board.at("e5")
        daemon.change(**BUSY)
        expect(board.page.locator("#notice")).not_to_be_empty()
        assert board.at("e5") == before
        daemon.publish()


def test_motion_is_spared_where_that_is_asked(fake_boards: Boards) -> None:
    board = fake_boards.open(reduced_motion="reduce")
    durations: list[str] = board.page.evaluate(
        "() => [...document.querySelectorAll('*')].map((e) => getComputedStyle(e).transitionDuration)"
    )
    assert set(durations) == {"0s"}


# ---------------------------------------------------------------- theme and language


def test_the_language_is_the_browsers_until_another_is_chosen(fake_boards: Boards) -> None:
    board = fake_boards.open(locale="fr-CH")
    board.expect_headline("À Rouge de jouer")
    expect(board.page.locator("html")).to_have_attribute("lang", "fr")
    expect(board.cell("c9")).to_have_attribute("aria-label", "c9\N{NO-BREAK SPACE}: rouge"[:2] + ": rouge")
    board.page.locator("#language").select_option("en")
    board.expect_headline("Red to move")
    board.reload()
    board.expect_headline("Red to move")
    expect(board.page.locator("#language")).to_have_value("en")


def test_the_theme_is_the_systems_until_another_is_chosen(fake_boards: Boards) -> None:
    board = fake_boards.open(color_scheme="dark")
    dark = board.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    theme = board.page.locator("#theme")
    expect(theme).to_have_attribute("aria-label", "Colours: as the system has it")
    theme.click()
    expect(theme).to_have_attribute("aria-label", "Colours: light")
    light = board.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert light != dark
    board.reload()
    assert board.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == light
    theme.click()
    theme.click()
    expect(theme).to_have_attribute("aria-label", "Colours: as the system has it")


# ---------------------------------------------------------------- what the daemon says


def test_questions_are_answered_by_buttons(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    daemon._question = ("c9d8", "c9c8")
    daemon.publish()
    expect(board.page.locator("#ask p")).to_have_text("Which move was it?")
    expect(board.page.locator(".arrow.asked:not(.edge)")).to_have_count(2)
    board.button("c9c8").hover()
    expect(board.page.locator(".arrow.pointed:not(.edge)")).to_have_count(1)
    board.button("c9c8").click()
    expect(board.page.locator("#ask")).to_be_empty()
    assert [to_json(command) for command in daemon.commands] == [{"command": "answer", "move": "c9c8"}]


def test_set_up_rebuild_and_confirmation_are_guided(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    missing = tuple(Task("place", cell, None, 0, 1) for cell in ("c9", "b8", "d8"))
    daemon.change(phase=Phase.SETUP, tasks=(*missing, Task("remove", "e5")))
    board.expect_headline("Set the pieces up")
    expect(board.page.locator("#detail")).to_have_text("3 pieces are missing. 1 piece is too many.")
    expect(board.page.locator("#tasks li")).to_have_count(4)
    expect(board.page.locator(".wanted")).to_have_count(3)
    expect(board.page.locator(".ghost")).to_have_count(3)
    daemon.change(phase=Phase.CONFIRM)
    board.expect_headline("Is everything in place?")
    board.button("Yes, everything is in place").click()
    board.expect_notice("Not now.")


def test_the_colour_to_place_is_chosen(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    daemon.change(placing=1)
    board.expect_headline("Red places a pawn")
    expect(board.page.locator("#detail")).to_contain_text("Next pawn: black.")
    expect(board.button("Black")).to_have_attribute("aria-pressed", "true")
    board.button("Red").click()
    board.expect_notice("Not now.")


@pytest.mark.parametrize(
    ("outcome", "headline", "detail"),
    [
        (Outcome(Termination.NO_MOVES, (1,), (9, 12)), "Black wins", "9 \N{EN DASH} 12. No move is left."),
        (Outcome(Termination.NO_MOVES, (0, 1), (9, 9)), "A draw", "9 \N{EN DASH} 9. No move is left."),
        (
            Outcome(Termination.AGREEMENT, (0, 1), (24, 24)),
            "A draw",
            "24 \N{EN DASH} 24. The players agreed on a draw.",
        ),
        (Outcome(Termination.RESIGNATION, (0,), (3, 9)), "Red wins", "3 \N{EN DASH} 9. Black has resigned."),
        (
            Outcome(Termination.ABANDONED, (), (3, 9)),
            "The game was abandoned",
            "3 \N{EN DASH} 9. Nobody wins.",
        ),
    ],
)
def test_the_result_is_said(
    fake_boards: Boards, daemon: FakeDaemon, outcome: Outcome, headline: str, detail: str
) -> None:
    board = fake_boards.open()
    daemon.change(phase=Phase.OVER, to_move=None, outcome=outcome)
    board.expect_headline(headline)
    expect(board.page.locator("#detail")).to_have_text(detail)
    expect(board.button("Resign")).to_be_disabled()
    expect(board.button("New game")).to_be_enabled()


def test_faults_are_named_with_what_to_check(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    expect(board.page.locator("#fault-box")).to_be_hidden()
    daemon.faults = (Fault("nack", "e5"), Fault("strange", "x9", (7,)))
    daemon.change(masked=("e5",))
    expect(board.page.locator("#faults li")).to_have_text(
        [
            "e5 does not answer. Check its plug and its wires.",
            "x9: strange 7",
            "Not used: e5. The game goes on, and asks where it must.",
        ]
    )
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5: empty, place not seen by the board")


def test_texts_of_the_game_are_never_taken_for_markup(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    evil = "<img src=x onerror=alert(1)>"
    daemon.faults = (Fault(evil, evil, (evil,)),)
    daemon.change(
        question=(evil,),
        notice=Notice(Reason(evil, (evil,)), (evil,)),
        player_names=(evil, "black"),
        tasks=(Task("move", evil, evil),),
    )
    expect(board.page.locator("#notice")).to_contain_text(evil)
    expect(board.page.locator(".player .name").first).to_have_text(evil)
    assert board.page.locator("img").count() == 0


def test_lights_are_shown_as_the_strip_shows_them(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    board.expect_lit()
    daemon.change(lights={"e5": "wrong", "d8": "target", "a4": "last"})
    board.expect_lit("e5", "d8", "a4")
    pixels = daemon.snapshot().pixels
    for cell in ("e5", "d8", "a4"):
        colour = pixels[daemon.board.cell(cell).pixel]
        lamp = board.page.locator(f"[data-lamp={cell}]")
        expect(lamp).to_have_attribute("data-colour", ",".join(map(str, colour)))
    expect(board.cell("d8")).to_have_attribute("aria-label", re.compile("may go here"))


# ---------------------------------------------------------------- wood instead of a simulator


@pytest.fixture
def wooden(request: pytest.FixtureRequest) -> Iterator[tuple[FakeDaemon, Boards]]:
    daemon = FakeDaemon(simulated=False)
    browser = request.getfixturevalue("browser")
    with serving(daemon) as server:
        boards = Boards(browser, f"http://127.0.0.1:{server.port}")
        yield daemon, boards
        boards.close()
        assert boards.wrongs == []


def test_on_a_wooden_board_the_agreed_position_is_shown(wooden: tuple[FakeDaemon, Boards]) -> None:
    daemon, boards = wooden
    board = boards.open()
    expect(board.page.locator("#hand-tools")).to_be_hidden()
    daemon.play("c9d8")
    board.expect_moves("c9>d8")
    board.expect_height("d8", 2)
    daemon.change(lifted="d8", targets=("e8",))
    board.expect_height("d8", 0)
    expect(board.page.locator(".hand .face")).to_have_count(2)
    daemon.publish()
    board.expect_height("d8", 2)
    daemon.play("e8d8")
    expect(board.page.locator(".hand .face")).to_have_count(1)
    expect(board.page.locator(".hand .face")).to_have_count(0)
    board.expect_height("d8", 3)
    before = board.standing()
    board.drag("e8", "d8")
    board.cell("e8").focus()
    board.press("Enter", "ArrowLeft", "Enter")
    expect(board.cell("d8")).to_be_focused()
    assert board.standing() == before
    assert daemon.commands == []


# ---------------------------------------------------------------- the connection


def test_a_lost_connection_is_shown_and_comes_back_by_itself(boards_of_a_restart: Any) -> None:
    boards, daemon, stop, start = boards_of_a_restart
    boards.expect("WebSocket connection|ERR_CONNECTION|Failed to load resource")
    board = boards.open()
    expect(board.page.locator("#connection")).to_have_attribute("data-state", "live")
    stop()
    expect(board.page.locator("#connection")).to_have_attribute("data-state", "stale")
    expect(board.page.locator("#connection-text")).to_contain_text("No connection, state from")
    daemon.play("c9d8")
    start()
    expect(board.page.locator("#connection")).to_have_attribute("data-state", "live")
    board.expect_moves("c9>d8")


@pytest.fixture
def boards_of_a_restart(browser: Any, daemon: FakeDaemon) -> Iterator[Any]:
    running: list[Any] = []

    def start(port: int = 0) -> int:
        running.append(serving(daemon, port))
        opened: int = running[-1].__enter__().port
        return opened

    def stop() -> None:
        running.pop().__exit__(None, None, None)

    port = start()
    boards = Boards(browser, f"http://127.0.0.1:{port}")
    yield boards, daemon, stop, lambda: start(port)
    boards.close()
    while running:
        stop()
    assert boards.wrongs == []


def test_back_from_the_background_the_page_asks_anew(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    sent: list[str] = []
    board.page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append(str(frame))))
    board.reload()
    board.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    board.page.wait_for_function("() => document.body.dataset.seq")
    daemon.play("c9d8")
    board.expect_moves("c9>d8")
    assert any(json.loads(frame)["type"] == "sync" for frame in sent)


def test_a_page_of_an_older_program_is_loaded_again_once(fake_boards: Boards) -> None:
    board = fake_boards.open()
    loads: list[str] = []
    board.page.on("load", lambda page: loads.append(page.url))
    board.page.add_init_script(
        """document.addEventListener("readystatechange", () =>
            document.querySelector("meta[name=build]")?.setAttribute("content", "older"))"""
    )
    board.page.reload()
    board.page.wait_for_function("() => sessionStorage.getItem('tablier.reloaded') !== null")
    BoardPage(board.page).expect_headline("Red to move")
    assert len(loads) == 2


def test_a_gap_in_the_numbers_is_noticed(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    snapshot = daemon.snapshot()
    for _ in range(5):
        daemon.publish(replace(snapshot.view, scores=(1, 2)))
    expect(board.page.locator(".player .score")).to_have_text(["1", "2"])


def test_pictures_for_whoever_looks(fake_boards: Boards, daemon: FakeDaemon, tmp_path: Path) -> None:
    board = fake_boards.open()
    daemon.play("c9d8")
    board.expect_height("d8", 2)
    board.screenshot(tmp_path, "board")
    assert (tmp_path / "board.png").stat().st_size > 10_000
