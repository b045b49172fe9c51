"""A game played on the simulated board in a real browser, through magnets, bus, recogniser and lights."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Boards

TEN_MOVES = ("c9c8", "d9d8", "e8d8", "b8c8", "b7c8", "h6i5", "i6i5", "h5i5", "a4a5", "g1f1")


def shown(move: str) -> str:
    return f"{move[:2]}>{move[2:]}"


def test_ten_moves_an_illegal_one_put_right_one_taken_back_and_a_reload(boards: Boards) -> None:
    board = boards.open()
    for ply, move in enumerate(TEN_MOVES):
        board.drag(move[:2], move[2:])
        board.expect_moves(*map(shown, TEN_MOVES[: ply + 1]))
    board.expect_headline("Red to move")
    board.expect_height("c8", 4)
    expect(board.page.locator(".player .score")).to_have_text(["18", "20"])

    board.drag("d8", "c8")  # 3 + 4
    board.expect_notice("Too high: 3 + 4. Five is the most.")
    board.expect_headline("Put the board right")
    board.lift_only(3)
    board.drag("c8", "d8")
    board.expect_notice("")
    board.expect_headline("Red to move")
    board.expect_moves(*map(shown, TEN_MOVES))

    board.button("Take back").click()
    board.expect_moves(*map(shown, TEN_MOVES[:9]))
    expect(board.page.locator("#detail")).to_contain_text("from f1 to g1")
    board.lift_only(1)
    board.drag("f1", "g1")
    board.expect_headline("Black to move")

    before = board.standing()
    assert before["c8"] == "c8: tower of 4"
    board.reload()
    board.expect_moves(*map(shown, TEN_MOVES[:9]))
    board.expect_headline("Black to move")
    board.expect_height("c8", 4)
    assert board.standing() == before


def test_a_lifted_tower_lights_its_destinations_and_put_back_it_leaves_no_trace(boards: Boards) -> None:
    board = boards.open()
    board.expect_lit()
    x, y = board.at("e6")
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    board.page.mouse.move(x + 9, y, steps=3)
    board.expect_lit("e6", "d5", "d6", "d7", "e7", "f5", "f6", "f7")
    expect(board.page.locator("#detail")).to_have_text("e6 is lifted: 7 places to go to.")
    board.page.mouse.move(x, y, steps=3)
    board.page.mouse.up()
    board.expect_lit()
    board.expect_moves()
    board.expect_notice("")


def test_a_drag_over_other_towers_is_no_move_until_it_rests(boards: Boards) -> None:
    board = boards.open()
    board.drag("c3", "d3", "e4", "d5", "c4", "d4")
    board.expect_moves("c3>d4")
    board.expect_notice("")
    board.expect_height("d4", 2)


def test_tap_and_tap(boards: Boards) -> None:
    board = boards.open()
    board.tap("h3")
    board.expect_lit("h3", "g2", "g3", "g4", "h2", "h4")
    board.tap("h2")
    board.expect_moves("h3>h2")
    board.tap("g4", "g4")  # put back: nothing happened
    board.expect_height("g4", 1)
    board.tap("g4", "h4")
    board.expect_moves("h3>h2", "g4>h4")


def test_no_piece_is_ever_missing_or_seen_twice(boards: Boards) -> None:
    board = boards.open()
    board.page.evaluate(
        """() => {
            window.wrongFrames = [];
            const look = () => {
                const faces = [...document.querySelectorAll(".live .tower:not(.ghost) .face")];
                const seen = faces.filter((face) => !face.closest(".gone")).length;
                if (seen !== 48) window.wrongFrames.push(seen);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    board.drag("c9", "d8")
    board.expect_moves("c9>d8")
    board.tap("b7", "c7")
    board.expect_moves("c9>d8", "b7>c7")
    board.drag("h6", board.beside())
    expect(board.page.locator(".loose")).to_have_count(1)
    board.drag(board.beside(), "h6")
    board.drag("i6", "h6")
    board.expect_moves("c9>d8", "b7>c7", "i6>h6")
    assert board.page.evaluate("() => window.wrongFrames") == []


def test_a_finger_drags_a_tower_and_not_the_page(boards: Boards) -> None:
    board = boards.open(width=320, height=500, has_touch=True)
    board.page.evaluate("() => scrollTo(0, 150)")
    before = board.page.evaluate("() => scrollY")
    board.touch_drag("e8", "d8")
    board.expect_moves("e8>d8")
    board.touch_drag("d8", board.beside())
    expect(board.page.locator(".loose")).to_have_count(1)
    board.touch_drag(board.beside(), "d8")
    expect(board.page.locator(".loose")).to_have_count(0)
    board.expect_height("d8", 2)
    assert board.page.evaluate("() => scrollY") == before


def test_only_part_of_a_tower_is_refused_by_name(boards: Boards) -> None:
    board = boards.open()
    board.drag("c9", "d8")
    board.expect_moves("c9>d8")
    board.lift_only(1)
    board.drag("d8", "e8")
    board.expect_notice(re.compile("Only part of the tower"))
    board.lift_only(1)
    board.drag("e8", "d8")
    board.expect_notice("")
    board.expect_headline("Black to move")
    board.expect_moves("c9>d8")


def test_a_piece_may_lie_beside_the_board_and_come_back(boards: Boards) -> None:
    board = boards.open()
    board.drag("f1", board.beside())
    expect(board.page.locator(".loose")).to_have_count(1)
    expect(board.page.locator("#detail")).to_contain_text("f1 is lifted")
    board.drag(board.beside(), "f1")
    expect(board.page.locator(".loose")).to_have_count(0)
    board.expect_notice("")
    board.expect_headline("Red to move")
    board.expect_moves()


def test_a_move_onto_the_empty_hole_says_which(boards: Boards) -> None:
    board = boards.open()
    board.drag("e6", "e5")
    board.expect_notice("Hole e5 is empty: a tower needs a tower to stand on.")
    board.drag("e5", "e6")
    board.expect_notice("")
    board.expect_moves()


def test_the_keyboard_alone_plays(boards: Boards) -> None:
    board = boards.open()
    board.page.locator("#lift input").first.focus()
    board.press("Shift+Tab")
    expect(board.page.locator("[data-cell]:focus")).to_have_count(1)
    board.cell("c9").focus()
    board.press("Enter")
    board.expect_lit("c9", "b8", "c8", "d8", "d9")
    board.press("ArrowDown", "ArrowRight", "Enter")
    board.expect_moves("c9>d8")
    expect(board.cell("d8")).to_be_focused()
    expect(board.cell("d8")).to_have_attribute("aria-label", re.compile("d8: tower of 2, red on top"))
    board.press("Shift+Enter", "ArrowRight", "Enter")  # only the top piece, to e8
    board.expect_notice(re.compile("Only part of the tower"))
    board.press("Shift+Enter", "ArrowLeft", "Enter")
    board.expect_notice("")
    board.press("Enter", "Delete")
    expect(board.page.locator(".loose")).to_have_count(1)
    board.page.locator(".loose").focus()
    board.press("Enter")
    board.cell("d8").focus()
    board.press("Enter")
    board.expect_notice("")
    board.press("Enter", "Escape")
    board.expect_height("d8", 2)
    board.expect_moves("c9>d8")
    board.expect_headline("Black to move")


def test_two_browsers_see_one_board_and_one_hand(boards: Boards) -> None:
    one, other = boards.open(), boards.open()
    x, y = one.at("c9")
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x + 20, y + 20, steps=4)
    expect(other.page.locator(".hand .face")).to_have_count(1)
    other.expect_height("c9", 0)
    one.page.mouse.move(*one.at("d8"), steps=4)
    one.page.mouse.up()
    other.expect_moves("c9>d8")
    expect(other.page.locator(".hand .face")).to_have_count(0)
    other.expect_height("d8", 2)


def test_after_several_moves_were_taken_back_the_table_can_be_tidied(boards: Boards) -> None:
    board = boards.open()
    moves = ("c9d8", "d9e8", "f1g1", "g2h2")
    for ply, move in enumerate(moves):
        board.drag(move[:2], move[2:])
        board.expect_moves(*map(shown, moves[: ply + 1]))
    for left in (3, 2, 1):
        board.button("Take back").click()
        board.expect_moves(*map(shown, moves[:left]))
    board.expect_headline("Put the board right")
    board.button("Tidy up").click()
    board.expect_headline("Black to move")
    board.expect_notice("")
    board.drag("e6", "d6")
    board.expect_moves("c9>d8", "e6>d6")


def test_a_free_set_up_begins_beside_the_board(boards: Boards) -> None:
    board = boards.open()
    board.button("New game").click()
    board.page.get_by_label("Free").check()
    board.button("Start").click()
    board.expect_headline("Set the pieces up")
    board.button("Tidy up").click()
    board.expect_headline("Red places a pawn")
    expect(board.page.locator(".loose")).to_have_count(48)
    red = board.page.locator(".loose[aria-label=red]").first.locator(".reach").bounding_box()
    assert red is not None
    board.drag((red["x"] + red["width"] / 2, red["y"] + red["height"] / 2), "e5")
    board.expect_moves("Re5")
    board.expect_headline("Black places a pawn")
    expect(board.page.locator(".loose")).to_have_count(47)
    expect(board.page.locator("#settings")).to_have_text("Set-up: Free")


def test_resigning_a_draw_and_a_new_game(boards: Boards) -> None:
    board = boards.open()
    board.button("Offer a draw").click()
    board.button("Red offers").click()
    expect(board.page.locator("#ask")).to_contain_text("Red offers a draw.")
    board.button("Black declines").click()
    expect(board.page.locator("#ask")).to_be_empty()
    board.button("Resign").click()
    board.button("Black resigns").click()
    board.expect_headline("Red wins")
    expect(board.page.locator("#detail")).to_contain_text("Black has resigned.")
    board.button("New game").click()
    board.page.get_by_label("Most towers of five").check()
    board.page.get_by_label("Black", exact=True).check()
    board.button("Start").click()
    board.expect_headline("Black to move")
    board.button("New game").click()
    expect(board.page.get_by_label("Most towers of five")).to_be_checked()
    board.press("Escape")
    expect(board.page.locator("#dialog")).to_be_hidden()
