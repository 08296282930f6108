"""Chess in real browsers: board, move list, promotion, premoves, touch and keyboard."""

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from qipai.games.chess import pgn_reader, pgn_writer
from tests.browser.chessboard import (
    download,
    expect_square,
    moves,
    open_chess,
    play,
    play_all,
    sit_down,
    square,
    tap,
    targets,
    to_act,
)
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOOLS_MATE: Final = ("f2f3", "e7e5", "g2g4", "d8h4")
TO_PROMOTION: Final = ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")


def test_two_players_play_to_checkmate_with_a_spectator(visitor: Visitor, tmp_path: Path) -> None:
    ada, bo, route = sit_down(visitor)
    cy = visitor(route)
    expect(cy.page.get_by_role("gridcell")).to_have_count(64)
    tap(ada, "f2")
    expect(targets(ada)).to_have_count(2)
    expect(ada.page.locator("square.move-dest")).to_have_count(2)
    tap(ada, "f3")
    expect_square(bo, "f3", "white pawn, last move")
    expect(cy.page.locator("p[aria-live]")).to_have_text(re.compile("^White: pawn f3"))
    play_all(bo, ada, FOOLS_MATE[1:])
    expect(bo.status).to_have_text("You won by checkmate")
    expect(ada.status).to_have_text("Bo won by checkmate")
    expect(cy.page.locator("square.check")).to_have_count(1)
    expect(moves(cy)).to_have_text(["f3", "e5", "g4", "Qh4#"])

    cy.press("Previous move")
    expect(cy.status).to_have_text("Viewing move 3 of 4.")
    expect_square(cy, "h4", "empty")
    cy.press("Last move")
    expect_square(cy, "h4", "black queen, last move")

    bo.press("Show the board")
    text = download(bo, tmp_path / "game.pgn")
    game = pgn_reader.read_pgn(text)
    assert pgn_writer.write_pgn(game) == text
    assert (game.moves, game.heading.result, game.heading.black) == (FOOLS_MATE, "0-1", "Bo")

    ada.press("Rematch")
    bo.press("Accept")
    play(bo, "e2e4")
    expect_square(ada, "e4", "white pawn, last move")


def test_a_player_chooses_the_promotion_piece(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    play_all(ada, bo, TO_PROMOTION)
    tap(ada, "a7", "b8")
    choice = ada.page.get_by_role("group", name="Promote the pawn to")
    expect(choice.get_by_role("button", name="queen")).to_be_focused()
    # A tap outside the choice cancels the move.
    tap(ada, "h4")
    expect(choice).to_have_count(0)
    expect_square(ada, "a7", "white pawn")
    tap(ada, "a7", "b8")
    choice.get_by_role("button", name="knight").click()
    expect_square(bo, "b8", "white knight, last move")
    expect(ada.page.get_by_role("img", name="Captured: 3 pawns")).to_have_count(0)
    expect(ada.page.get_by_role("img", name="Captured: 2 pawns, knight")).to_be_visible()


def test_pieces_are_dragged_and_premoves_wait_for_their_turn(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    tap(bo, "e7", "e5")
    expect(bo.page.locator("square.current-premove")).to_have_count(2)
    expect_square(bo, "e7", "black pawn")
    square(ada, "e2").drag_to(square(ada, "e4"), force=True)
    expect_square(ada, "e5", "black pawn, last move")
    expect(ada.status).to_have_text("Your turn")
    ada.press("Undo")
    bo.press("Accept")
    expect_square(ada, "e2", "white pawn")
    expect_square(bo, "e7", "black pawn")


def test_chess_is_played_with_the_keyboard(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    keyboard = ada.page.keyboard
    square(ada, "e2").focus()
    keyboard.press("Enter")
    expect_square(ada, "e2", "white pawn, selected")
    expect_square(ada, "e4", "empty, legal move")
    keyboard.press("Escape")
    expect(targets(ada)).to_have_count(0)
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        keyboard.press(key)
    expect_square(bo, "e4", "white pawn, last move")
    expect(square(ada, "e4")).to_be_focused()


def test_pieces_stay_on_their_squares_when_a_phone_is_turned(visitor: Visitor) -> None:
    ada = visitor(size=PHONE)
    open_chess(ada, side="black", bot="level1")
    assert to_act(ada) is ada
    for width, height in ((844, 390), (1280, 800), (390, 844)):
        ada.page.set_viewport_size({"width": width, "height": height})
        for _ in range(100):
            king = ada.page.locator("piece.black.king:not(.ghost)").bounding_box()
            place = square(ada, "e8").bounding_box()
            assert king is not None
            assert place is not None
            if abs(king["x"] - place["x"]) < 1 and abs(king["y"] - place["y"]) < 1:
                break
            ada.page.wait_for_timeout(20)
        else:
            raise AssertionError(f"the king is not on its square at {width} x {height}")
    tap(ada, "e7", "e5")
    expect_square(ada, "e5", "black pawn(, last move)?")


def test_a_table_is_opened_as_the_last_one_was_and_sounds_stay_off(visitor: Visitor) -> None:
    ada = visitor()
    route = open_chess(ada, side="black", bot="level1", dice="free", mines=7)
    expect(ada.page.locator(".table-head .tag")).to_have_text(["dice in any order", "7 mines"])
    expect(ada.page.locator(".cg-wrap")).to_have_class(re.compile("orientation-black"))
    assert to_act(ada) is ada
    sounds = ada.page.get_by_role("switch", name="Sound")
    expect(sounds).to_be_checked()
    sounds.click()
    ada.page.reload()
    expect(sounds).not_to_be_checked()
    assert ada.at_table() == route
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="Computer", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Level")).to_have_value("level1")
    unfold(dialog)
    expect(dialog.get_by_role("radio", name="Black", exact=True)).to_be_checked()
    expect(dialog.get_by_role("combobox", name="Dice")).to_have_value("free")
    expect(dialog.get_by_role("spinbutton", name="Number of mines")).to_have_value("7")


def test_the_host_starts_the_game(visitor: Visitor) -> None:
    ada = visitor()
    intent = {
        "type": "open",
        "game": "chess",
        "nonce": "a-hosted-table",
        "table": {"legacy": {"host_starts": True}},
    }
    # No button of the page opens such a table; older clients do.
    ada.page.evaluate("intent => window.sockets.at(-1).send(JSON.stringify(intent))", intent)
    ada.page.reload()
    ada.press("Back to the table")
    route = ada.at_table()
    bo = visitor(route)
    bo.press("Join the game")
    expect(bo.status).to_have_text(re.compile("^Waiting for .* to start the game.$"))
    expect(bo.page.get_by_role("button", name="Start game")).to_have_count(0)
    ada.press("Start game")
    play(ada, "e2e4")
    expect_square(bo, "e4", "white pawn, last move")
