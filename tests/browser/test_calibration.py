"""The calibration on the page: led from place to place, and what it found, readable for everybody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from controller.core.calibrationreport import PlaceReport, Progress
from controller.core.messages import Calibrate, EndCalibration, SkipPlace
from tests.browser.conftest import Boards
from tests.browser.test_page import PHONE, axe
from tests.fakes.daemon import FakeDaemon

TIMES, DASH = "\N{MULTIPLICATION SIGN}", "\N{EN DASH}"
NOTHING = PlaceReport(noise_mt=0.025)
GOOD = PlaceReport(26.84, 0.025, 1074, 4.02)
SINGLE = Progress("carry", "single", "e5", 1, 4, "place", ("e5",), {"a4": GOOD, "e5": NOTHING})
DONE = Progress(
    "carry",
    "done",
    None,
    4,
    4,
    None,
    (),
    {
        "a4": GOOD,
        "a5": replace(GOOD, single_mt=10.4, margin=1.55, fault="weak"),
        "b4": replace(NOTHING, fault="dead"),
        "b5": replace(NOTHING, fault="swapped", other="b6"),
    },
)


def tell(daemon: FakeDaemon, progress: Progress | None) -> None:
    """Have the daemon tell that a calibration is so far."""
    daemon._seq += 1
    daemon._snapshot = replace(daemon._snapshot, seq=daemon._seq, calibration=progress)
    daemon._tell("view")


def test_a_calibration_is_led_by_the_page_and_given_back(boards: Boards) -> None:
    board = boards.open()
    page = board.page
    page.get_by_text("Calibrate the board").click()
    board.button("Carry one piece round").click()
    now = page.locator("#calibration-now")
    expect(now).to_contain_text("Take away what stands on a4, a5")
    expect(page.locator("#message")).to_be_hidden()
    board.button("Tidy up").click()
    expect(now).to_contain_text("Put one piece on")
    expect(page.locator("#calibration-count")).to_have_text("0 of 49 places")
    board.button("Go on without it").click()
    expect(page.locator("#calibration-count")).to_have_text("1 of 49 places")
    expect(page.locator("#calibration-places")).to_contain_text("was left out")
    board.button("Break off").click()
    expect(page.locator("#calibration")).to_be_hidden()
    expect(page.locator("#message")).to_be_visible()
    board.tidy()


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_what_was_found_is_told_in_words_and_numbers(
    fake_boards: Boards, daemon: FakeDaemon, size: dict[str, int]
) -> None:
    board = fake_boards.open(bypass_csp=True, reduced_motion="reduce", **size)
    page = board.page
    tell(daemon, SINGLE)
    expect(page.locator("#calibration-now")).to_have_text("Put one piece on e5.")
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5: empty, make this move: to here")
    assert axe(page) == []
    tell(daemon, DONE)
    rows = page.locator("#calibration-places tr")
    expect(rows).to_have_count(4)
    assert [row.split() for row in rows.all_inner_texts()] == [
        ["a4", "26.8", "mT", "4.0", TIMES],
        ["a5", "10.4", "mT", "1.6", TIMES, "is", "weak"],
        ["b4", DASH, DASH, "felt", "no", "piece"],
        ["b5", DASH, DASH, "is", "crossed", "with", "b6"],
    ]
    assert axe(page) == []
    tell(daemon, None)
    expect(page.locator("#calibration")).to_be_hidden()


def test_everything_is_done_by_keyboard(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    page = board.page

    def wait_for(count: int) -> None:
        while len(daemon.commands) < count:
            page.wait_for_timeout(20)

    page.locator("#calibration-start summary").focus()
    board.press("Enter", "Tab", "Enter", "Tab", "Enter")
    wait_for(2)
    for count, button in ((3, "#calibration-skip"), (4, "#calibration-end")):
        tell(daemon, SINGLE)
        expect(page.locator(button)).to_be_visible()
        page.locator(button).focus()
        board.press("Enter")
        wait_for(count)
    assert daemon.commands == [Calibrate("carry"), Calibrate("setup"), SkipPlace(), EndCalibration()]
