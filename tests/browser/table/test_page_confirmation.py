"""Moves that wait for confirmation, if the user wants it."""

import pytest
from playwright.sync_api import expect

from tests.browser.board_gestures import TOUCH, Finger, at_board, choose, draw, middle
from tests.browser.chessboard import expect_square, play, square, tap
from tests.browser.conftest import Visitor
from tests.browser.table.test_page_keys import Opponent

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("how", ["click", "button", "enter"])
def test_a_chess_move_waits_for_confirmation_if_wanted(visitor: Visitor, how: str) -> None:
    ada, bo, _ = at_board(visitor, "Chess")
    choose(ada, Confirm_moves=True)
    tap(ada, "e2", "e4")
    expect(ada.status).to_have_text("Confirm your move?")
    expect_square(ada, "e4", "white pawn, last move")
    # Another choice cancels; a piece is selected at once.
    tap(ada, "d2")
    expect(ada.status).to_have_text("Your turn")
    expect_square(ada, "e2", "white pawn")
    expect(square(ada, "d2")).to_have_attribute("aria-selected", "true")
    tap(ada, "d3")
    expect_square(ada, "d3", "white pawn, last move")
    tap(ada, "a7")
    expect_square(ada, "d2", "white pawn")
    # Escape and the button cancel.
    for cancel in ("Escape", "Cancel"):
        tap(ada, "d2", "d4")
        expect(ada.page.get_by_role("button", name="Cancel")).to_be_visible()
        ada.page.keyboard.press(cancel) if cancel == "Escape" else ada.press(cancel)
        expect(ada.status).to_have_text("Your turn")
        expect_square(ada, "d2", "white pawn")
    # Drawing keeps it.
    mouse = ada.page.mouse
    mouse.move(*middle(square(ada, "g1")))
    mouse.down()
    mouse.move(*middle(square(ada, "f3")), steps=3)
    mouse.up()
    draw(ada, square(ada, "b8"), square(ada, "c6"))
    expect(ada.status).to_have_text("Confirm your move?")
    match how:
        case "click":
            tap(ada, "f3")
        case "button":
            ada.press("Confirm")
        case _:
            ada.page.keyboard.press("Enter")
    bo.hear()
    expect_square(ada, "f3", "white knight, last move")
    expect(ada.status).to_have_text("Bo's turn")


def test_a_promotion_and_a_move_by_keyboard_are_confirmed_too(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Chess")
    for white, black in (("a2a4", "b7b5"), ("a4b5", "a7a6"), ("b5a6", "c8b7"), ("a6b7", "h7h6")):
        play(ada, white)
        bo.hear()
        bo.play(do="move", uci=black)
    choose(ada, Confirm_moves=True)
    expect(ada.status).to_have_text("Your turn")
    tap(ada, "b7", "a8")
    expect(ada.status).to_have_text("Promote the pawn to")
    ada.press("knight")
    expect(ada.status).to_have_text("Confirm your move?")
    expect_square(ada, "a8", "white knight, last move")
    # Cancelled with the keyboard on the board, and made again.
    square(ada, "a8").focus()
    ada.page.keyboard.press("Escape")
    expect_square(ada, "b7", "white pawn")
    square(ada, "b7").focus()
    ada.page.keyboard.press("Enter")
    square(ada, "a8").focus()
    ada.page.keyboard.press("Enter")
    ada.press("queen")
    square(ada, "a8").focus()
    expect_square(ada, "a8", "white queen, last move")
    ada.page.keyboard.press("Enter")
    bo.hear()
    expect(ada.status).to_have_text("Bo's turn")


def test_a_premove_needs_no_confirmation(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Chess")
    play(ada, "e2e4")
    choose(ada, Confirm_moves=True)
    bo.hear()
    tap(ada, "g1", "f3")
    bo.play(do="move", uci="e7e5")
    bo.hear()
    expect_square(ada, "f3", "white knight, last move")


def test_touch_confirms_a_chess_move_by_a_second_tap(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Chess", **TOUCH)
    choose(ada, Confirm_moves=True)
    for name in ("e2", "e4"):
        square(ada, name).tap(force=True)
    expect(ada.status).to_have_text("Confirm your move?")
    # A drawing on the target does not confirm.
    finger = Finger(ada.page)
    finger.press_long(square(ada, "e4"))
    finger.release()
    expect(ada.status).to_have_text("Confirm your move?")
    square(ada, "e4").tap(force=True)
    bo.hear()


def test_gomoku_and_tic_tac_toe_confirm_moves_too(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Gomoku")
    choose(ada, Confirm_moves=True)
    ada.point("H8").click()
    ada.expect_point("H8", "empty, not confirmed")
    ada.point("G7").click()
    ada.expect_point("H8", "empty")
    ada.page.keyboard.press("Escape")
    ada.expect_point("G7", "empty")
    expect(ada.status).to_have_text("Your turn")
    ada.point("G7").click()
    ada.point("G7").click()
    bo.hear()
    ada.expect_point("G7", "black")

    ada.visit("/")
    bo = Opponent(ada, ada.open_table())
    if bo.acting == [bo.seat]:
        bo.play(do="mark", cell=0)
    expect(ada.status).to_have_text("Your turn")
    ada.cell(4).focus()
    ada.page.keyboard.press("Enter")
    expect(ada.cell(4)).to_have_attribute("aria-selected", "true")
    expect(ada.status).to_have_text("Confirm your move?")
    ada.cell(8).click()
    expect(ada.cell(4)).not_to_have_attribute("aria-selected", "true")
    ada.press("Confirm")
    bo.hear()
    ada.expect_cell(8, "[XO]")
    ada.expect_cell(4, "empty")
