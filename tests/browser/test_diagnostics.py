"""The diagnostics page and the fault panel of the simulator's page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.replaying import replay
from controller.tracereader import TraceReader
from hardware.ports import Fault
from hardware.simulator.script import Break, Knock, Line
from tests.browser.conftest import Boards
from tests.browser.test_page import PHONE, axe
from tests.fakes.daemon import FakeDaemon


def diagnostics(boards: Boards, **settings: Any) -> Page:
    page = boards.open(**settings).page
    page.goto(f"{boards.url}/diagnostics")
    page.wait_for_selector("body.ready[data-t]")
    return page


def spoil(daemon: FakeDaemon, **states: str) -> None:
    """Report another frame, in which these places fail."""
    report = daemon.report
    values = [None if cell in states else v for cell, v in zip(report.cells, report.values, strict=True)]
    found = tuple(states.get(cell, "ok") for cell in report.cells)
    daemon.report = replace(report, t_ms=report.t_ms + 200, values=tuple(values), states=found)


# ---------------------------------------------------------------- the diagnostics page


def test_every_place_shows_its_value_and_what_is_wrong_with_it(
    fake_boards: Boards, daemon: FakeDaemon
) -> None:
    page = diagnostics(fake_boards)
    expect(page.locator(".sensor")).to_have_count(49)
    expect(page.locator("[data-place=c9] .value")).to_have_text("12.5")
    expect(page.locator("[data-place=e5]")).to_have_attribute("data-occupied", "false")
    expect(page.locator("#places")).to_have_text("All places are well.")
    spoil(daemon, e4="nack", g6="noisy")
    expect(page.locator("#places li")).to_have_text(
        [
            "e4 does not answer. Check its plug and its wires.",
            "g6 is restless. Check its sensor.",
        ]
    )
    expect(page.locator("[data-place=e4]")).to_have_attribute("data-state", "nack")
    expect(page.locator("[data-place=e4] .value")).to_have_text("\N{EN DASH}")
    spoil(daemon, **dict.fromkeys(daemon.board.names, "unread"))
    expect(page.locator("#places li").last).to_have_text("And 41 places more.")


def test_a_place_is_chosen_by_pointer_and_by_keys(fake_boards: Boards) -> None:
    page = diagnostics(fake_boards)
    page.locator("[data-cell=d8]").click()
    expect(page.locator("#chosen")).to_have_text(
        "d8: 12.50 mT, occupied. 9.30 mT above the threshold of 3.20 mT; noise 0.025 mT."
    )
    page.locator("[data-cell=d8]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen")).to_contain_text("e8: 12.50 mT")
    expect(page.locator("[data-cell=e8]")).to_have_attribute("aria-pressed", "true")


def test_rates_counters_and_faults_of_other_parts_are_there(fake_boards: Boards, daemon: FakeDaemon) -> None:
    page = diagnostics(fake_boards, locale="fr-FR")
    expect(page.locator("#numbers")).to_contain_text("24,9 sur 25")
    expect(page.locator("#numbers")).to_contain_text("310 octets, 80 transferts")
    expect(page.locator("#numbers")).to_contain_text("7 sur 7")
    daemon.faults = (Fault("strip_lost", "strip"), Fault("nack", "e4"))
    daemon.publish()
    expect(page.locator("#faults li")).to_have_text(
        ["Les lumières sont perdues. La partie continue, cette page les montre."]
    )


def test_who_looks_away_is_not_told_and_who_lost_the_link_is_told_again(
    fake_boards: Boards, daemon: FakeDaemon
) -> None:
    page = diagnostics(fake_boards)
    page.get_by_role("link", name="Tablier").click()
    page.wait_for_selector("body.ready[data-seq]")
    assert page.locator("body[data-t]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_diagnostics_page(
    fake_boards: Boards, daemon: FakeDaemon, scheme: str, size: dict[str, Any]
) -> None:
    page = diagnostics(fake_boards, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    page.locator("[data-cell=d8]").click()
    spoil(daemon, e4="nack")
    daemon.faults = (Fault("strip_lost", "strip"),)
    daemon.publish()
    expect(page.locator("#places [data-bad]")).to_have_count(1)
    expect(page.locator("#faults li")).to_have_count(1)
    assert axe(page) == []


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_the_diagnostics_page_fits_a_window_of_320_pixels(fake_boards: Boards, locale: str) -> None:
    page = diagnostics(fake_boards, **PHONE, locale=locale)
    page.locator("[data-cell=d8]").click()
    wide: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide == 0


def test_a_recording_is_downloaded_and_replays(boards: Boards, tmp_path: Path) -> None:
    page = diagnostics(boards)
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("#recorded")).to_have_text(re.compile(r"Recording: \d\d+ lines."))
    page.get_by_role("button", name="Stop", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert re.fullmatch(r"tablier-avalam-[\d-]+\.jsonl", download.value.suggested_filename)
    path = tmp_path / "recording.jsonl"
    download.value.save_as(path)
    with TraceReader(path) as reader:
        events = list(replay(reader))
    assert events[-1]["event"] == "end"


# ---------------------------------------------------------------- the fault panel


def test_the_panel_is_only_where_the_table_is_simulated(boards: Boards) -> None:
    page = boards.open().page
    panel = page.locator("#mishaps")
    expect(panel).to_be_visible()
    assert panel.get_attribute("open") is None


def test_places_are_chosen_on_the_board_and_broken(fake_boards: Boards, daemon: FakeDaemon) -> None:
    board = fake_boards.open()
    page = board.page
    page.get_by_text("Mishaps").click()
    board.button("Choose on the board").click()
    board.tap("d8")
    expect(page.locator("#mishap-cell")).to_have_value("d8")
    expect(board.button("Choose on the board")).to_have_attribute("aria-pressed", "false")
    board.button("Dead").click()
    board.button("Bus hangs for 3 s").click()
    board.button("Knock over").click()
    board.button("Power cut").click()
    table = daemon.table
    assert table is not None
    board.button("Tidy up").click()
    daemon.change(masked=("d8",))
    expect(page.locator("#fault-box")).to_be_visible()  # so everything said before has been heard
    assert [call[0] for call in table.calls] == ["play", "play", "play", "cut_power", "reset"]
    assert table.calls[0] == ("play", (Line(1, Break("d8", "dead")),))
    assert table.calls[1] == ("play", (Line(1, Break("bus", "hang", 3000)),))
    knock = table.calls[2][1]
    assert knock == (Line(1, Knock(("d8", "c8", "d7", "d9", "e8"))),)


def test_a_script_is_played_by_the_real_daemon_and_its_faults_are_said(boards: Boards) -> None:
    board = boards.open(locale="fr")
    page = board.page
    page.get_by_text("Incidents").click()
    page.locator("#script").fill("lift c9\nlift z9")
    board.button("Jouer le script").click()
    expect(page.locator("#script-status")).to_contain_text("Ligne 2")
    page.locator("#script").fill("fault dead g6\nmove c9 d8")
    board.button("Jouer le script").click()
    expect(page.locator("#broken")).to_have_text("g6\N{NO-BREAK SPACE}: morte")
    board.expect_moves("c9>d8")
    expect(page.locator("#script-status")).to_have_text("Le script est terminé.")
    board.button("Tout réparer").click()
    expect(page.locator("#broken")).to_be_empty()
