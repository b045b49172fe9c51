"""What a person does on the page, and what they see there. Waits are for sights, never for a time."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect


class BoardPage:
    """A page with a board on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector("body.ready[data-seq]")

    # ------------------------------------------------------------ what a person does

    def at(self, cell: str) -> tuple[float, float]:
        """Where the middle of a hole is on the screen."""
        return _middle(self.cell(cell).locator(".reach"))

    def beside(self) -> tuple[float, float]:
        """A free spot on the table beside the board."""
        box = self.page.locator("#board").bounding_box()
        assert box is not None
        return box["x"] + box["width"] * 0.045, box["y"] + box["height"] * 0.5

    def drag(self, *stops: str | tuple[float, float]) -> None:
        """Drag what stands on the first stop by way of the others to the last, low over the board."""
        points = [self.at(stop) if isinstance(stop, str) else stop for stop in stops]
        mouse = self.page.mouse
        mouse.move(*points[0])
        mouse.down()
        for x, y in points[1:]:
            mouse.move(x, y, steps=8)
        mouse.up()

    def touch_drag(self, *stops: str | tuple[float, float]) -> None:
        """The same with a finger."""
        points = [self.at(stop) if isinstance(stop, str) else stop for stop in stops]
        session = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *at: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y} for x, y in at]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        touch("touchStart", points[0])
        for (x0, y0), (x1, y1) in pairwise(points):
            for step in range(1, 9):
                touch("touchMove", (x0 + (x1 - x0) * step / 8, y0 + (y1 - y0) * step / 8))
        touch("touchEnd")

    def tap(self, *stops: str | tuple[float, float]) -> None:
        for stop in stops:
            x, y = self.at(stop) if isinstance(stop, str) else stop
            self.page.mouse.click(x, y)

    def lift_only(self, count: int) -> None:
        """Choose how many pieces the next lift takes from the top."""
        self.page.locator(f"#lift input[value='{count}']").check(force=True)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tidy(self) -> None:
        self.button("Tidy up").click()
        self.expect_height("e5", 0)
        self.expect_height("c9", 1)

    def reload(self) -> None:
        self.page.reload()
        self.page.wait_for_selector("body.ready[data-seq]")

    # ------------------------------------------------------------ what they see

    def cell(self, name: str) -> Locator:
        return self.page.locator(f"[data-cell={name}]")

    def expect_moves(self, *moves: str) -> None:
        expect(self.page.locator("#moves li")).to_have_count(len(moves))
        for shown, move in zip(self.page.locator("#moves li").all(), moves, strict=True):
            expect(shown).to_contain_text(move)

    def expect_headline(self, text: str) -> None:
        expect(self.page.locator("#headline")).to_have_text(text)

    def expect_notice(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#notice")).to_have_text(text)

    def expect_height(self, cell: str, height: int) -> None:
        expect(self.cell(cell).locator(".face")).to_have_count(height)

    def expect_lit(self, *cells: str) -> None:
        """Exactly these holes are lit, in whatever colours."""
        wanted = sorted(cells)
        self.page.wait_for_function(
            """wanted => {
                const lit = [...document.querySelectorAll(".lamp[data-colour]")];
                return JSON.stringify(lit.map((lamp) => lamp.dataset.lamp).sort()) === wanted;
            }""",
            arg=_compact(wanted),
        )

    def standing(self) -> dict[str, str]:
        """What stands where, as it is read aloud."""
        found: dict[str, str] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll("[data-cell]")].map((place) =>
                [place.dataset.cell, place.getAttribute("aria-label").split(",")[0]]))"""
        )
        return found

    def screenshot(self, folder: Path, name: str) -> None:
        self.page.screenshot(path=folder / f"{name}.png")

    def overflow_px(self) -> int:
        """By how much the page is wider than the window."""
        wide: int = self.page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return wide


def _middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _compact(value: Any) -> str:
    return "[" + ",".join(f'"{item}"' for item in value) + "]"
