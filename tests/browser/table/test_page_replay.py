"""PGN and SGF files, opened in the browser."""

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.chessboard import expect_square, play_all, resign, sit_down
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOREIGN: Final = """[Event "Between the acts"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1.e4 e5 2.Nf3 d6 {Philidor} 3.d4 Bg4?! (3...exd4 4.Qxd4 Nc6) 4.dxe5 Bxf3 $1 5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7
8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7 12.0-0-0 Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+ Nxb8
17.Rd8# 1-0
"""
OURS: Final = """[White "Ada"]
[Black "Bo"]
[Result "0-1"]
[Reason "resigned"]
[Qipai "dice=free mines=2"]

{[%dice PNQ w xx-]} 1. e4 -- 2. Nf3 {[%boom f3 N]} {[%dice PPP b x..]} {[%moves e7e5]} {[%mines f3 c6]} 0-1
"""
FIVE: Final = (
    "(;FF[4]GM[4]SZ[15]PB[Ada]PW[Bo]RE[B+];B[hh];W[ao];B[ii];W[bo];B[gg];W[co](;B[ff];W[do];B[ee])(;B[aa]))"
)


def show(person: Person, text: str) -> None:
    """Paste a record and show it."""
    person.page.get_by_role("textbox", name="PGN or SGF").fill(text)
    person.press("Show game")


def at(person: Person) -> Locator:
    """Return the text of the shown move."""
    return person.page.locator("output")


def test_a_pasted_game_is_stepped_through_by_buttons_keys_and_autoplay(visitor: Visitor) -> None:
    ada = visitor()
    sent: list[str] = []
    ada.page.on("websocket", lambda line: line.on("framesent", lambda payload: sent.append(str(payload))))
    ada.page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    ada.page.reload()
    ada.press("Finished games")
    show(ada, FOREIGN)
    expect(at(ada)).to_have_text("Move 0 of 33")
    expect(ada.page.get_by_text("Between the acts")).to_be_visible()
    expect_square(ada, "e2", "white pawn")
    ada.press("Next move")
    expect_square(ada, "e4", "white pawn, last move")
    ada.page.keyboard.press("ArrowRight")
    expect_square(ada, "e5", "black pawn, last move")
    ada.page.keyboard.press("Home")
    expect(at(ada)).to_have_text("Move 0 of 33")
    ada.page.keyboard.press("End")
    expect_square(ada, "d8", "white rook, last move")
    expect(ada.page.locator(".player-won")).to_have_text("Morphy")
    ada.page.get_by_role("button", name="12 white O-O-O").click()
    expect_square(ada, "c1", "white king, last move")
    expect_square(ada, "d1", "white rook")
    ada.press("Flip board")
    expect(ada.page.locator(".player").last).to_have_text("Duke and Count")
    ada.page.get_by_label("Speed").select_option("fast")
    ada.press("Autoplay")
    expect(at(ada)).to_have_text("Move 33 of 33")
    expect(ada.page.get_by_role("button", name="Autoplay")).to_be_visible()
    assert not any("Morphy" in one or "Bxf3" in one for one in sent), "a record stays in the browser"


def test_a_qipai_pgn_shows_dice_and_mines(visitor: Visitor) -> None:
    ada = visitor("/replay", size=PHONE)
    show(ada, f"{FOREIGN}\n{OURS}")
    ada.page.get_by_label("Game", exact=True).select_option("1")
    expect(ada.page.get_by_text("dice in any order")).to_be_visible()
    expect(ada.page.locator(".roll-die")).to_have_count(6)
    expect(ada.page.locator("square.mine")).to_have_count(2)
    ada.press("Last move")
    expect_square(ada, "f3", "empty, crater")
    expect(ada.page.locator("square.mine")).to_have_count(1)
    expect(ada.page.get_by_text("by resignation")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Download PGN")).to_have_count(0)
    assert ada.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_a_file_is_chosen_or_dropped(visitor: Visitor, tmp_path: Path) -> None:
    ada = visitor("/replay")
    file = tmp_path / "five.sgf"
    file.write_text(FIVE)
    ada.page.locator("input[type=file]").set_input_files(file)
    expect(at(ada)).to_have_text("Move 0 of 9")
    ada.press("Last move")
    ada.expect_point("E11", "black")
    expect(ada.point("H8")).to_have_attribute("aria-label", re.compile("winning line"))
    ada.press("Open another file")
    expect(ada.page.get_by_role("textbox", name="PGN or SGF")).to_be_visible()
    ada.page.evaluate(
        """(text) => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "game.pgn"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: carried, cancelable: true }));
        }""",
        FOREIGN,
    )
    expect(at(ada)).to_have_text("Move 0 of 33")


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("", "Paste a game or choose a file"),
        ("hello", "neither PGN nor SGF"),
        ("1. e4 e5 2. Ke3", "Move 2, “Ke3”, is illegal"),
        ("(;GM[1]SZ[19];B[aa])", "not a gomoku game"),
    ],
)
def test_an_invalid_record_is_explained(visitor: Visitor, text: str, explanation: str) -> None:
    ada = visitor("/replay")
    show(ada, text)
    expect(ada.page.get_by_role("alert")).to_contain_text(explanation)
    expect(ada.page.get_by_role("textbox", name="PGN or SGF")).to_have_value(text)


def test_a_finished_table_links_to_its_replay_and_back(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor, fog=True)
    play_all(ada, bo, ("e2e4", "e7e5"))
    resign(ada)
    bo.press("Replay")
    expect(at(bo)).to_have_text(re.compile("^Step 0 of"))
    expect(bo.page.locator("square.fog")).to_have_count(0)
    bo.page.keyboard.press("End")
    expect_square(bo, "e5", "black pawn, last move")
    ada.press("Rematch")
    bo.press("Back to the table")
    assert bo.at_table() == route
    expect(bo.page.get_by_role("alert")).to_have_text("Ada offers a rematch.")
