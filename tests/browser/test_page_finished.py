"""Finished games, looked at again by their link."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import obstacles
from tests.browser.chessboard import expect_square
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.support.finished import finish

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def port(address: str) -> int:
    return int(address.rsplit(":", 1)[1])


def at(person: Person) -> Locator:
    """Return what says which step is shown."""
    return person.page.locator("output.autoplay-at")


def told(address: str, path: str) -> Any:
    with urllib.request.urlopen(f"{address}/api/games/{path}", timeout=60) as answer:
        return json.load(answer)


def picture(person: Person, path: Path) -> tuple[int, int]:
    """Save the board as a picture and return its size."""
    with person.page.expect_download() as saved:
        person.press("Save as picture")
    saved.value.save_as(path)
    drawn = path.read_bytes()
    assert drawn.startswith(b"\x89PNG")
    # One colour would compress to next to nothing.
    assert len(drawn) > 10_000
    return int.from_bytes(drawn[16:20]), int.from_bytes(drawn[20:24])


def test_a_game_of_chess_is_stepped_through_kept_and_shared(
    visitor: Visitor, address: str, port: int, tmp_path: Path
) -> None:
    room = finish(port, "chess")
    ada = visitor(f"/g/{room}/1", permissions=["clipboard-read", "clipboard-write"])
    expect(at(ada)).to_have_text("Step 0 of 4")
    ada.press("One move forward")
    expect_square(ada, "f3", "white pawn, last move")
    ada.page.keyboard.press("ArrowRight")
    expect_square(ada, "e5", "black pawn, last move")
    slider = ada.page.get_by_role("slider", name="Place in the game")
    slider.fill("3")
    expect_square(ada, "g4", "white pawn, last move")
    expect(ada.page.locator(".moves-move[aria-current]")).to_have_text("g4")
    ada.page.get_by_role("button", name="1 white f3").click()
    expect(at(ada)).to_have_text("Step 1 of 4")
    ada.page.get_by_label("Speed").select_option("fast")
    ada.press("Play by itself")
    expect(at(ada)).to_have_text("Step 4 of 4")
    expect(ada.page.locator(".player-won")).to_contain_text("Bo")
    expect(ada.page.get_by_text("checkmate", exact=True)).to_be_visible()
    assert picture(ada, tmp_path / "chess.png") == (1200, 1248)
    with ada.page.expect_download() as saved:
        ada.press("Download PGN")
    saved.value.save_as(tmp_path / "chess.pgn")
    # The head names the table, whose id may begin as a move does.
    _, _, movetext = (tmp_path / "chess.pgn").read_text().partition("\n\n")
    assert movetext.split() == ["1.", "f3", "e5", "2.", "g4", "Qh4#", "0-1"]
    with ada.page.expect_download() as saved:
        ada.press("Download JSON")
    saved.value.save_as(tmp_path / "chess.json")
    assert json.loads((tmp_path / "chess.json").read_text())["result"]["reason"] == "mate"
    ada.press("Copy link")
    assert ada.page.evaluate("navigator.clipboard.readText()") == f"{address}/#/g/{room}/1"
    assert obstacles(ada.page, "a finished game") == []


def test_each_side_of_a_game_in_fog_sees_what_it_saw(visitor: Visitor, port: int) -> None:
    room = finish(port, "chess", fog=True, mines=4)
    ada = visitor(f"/g/{room}/1", size=PHONE)
    expect(at(ada)).to_have_text(re.compile("Step 0 of"))
    expect(ada.page.locator("square.fog")).to_have_count(0)
    expect(ada.page.locator("square.mine")).to_have_count(4)
    eyes = ada.page.get_by_label("Seen by")
    eyes.select_option("0")
    expect(ada.page.locator("square.fog")).not_to_have_count(0)
    expect(ada.page.locator("square.mine")).to_have_count(0)
    expect_square(ada, "e2", "white pawn")
    expect(ada.page.locator(".player").last).to_contain_text("Ada")
    eyes.select_option("1")
    expect(ada.page.locator(".player").last).to_contain_text("Bo")
    expect_square(ada, "e7", "black pawn")
    expect(ada.page.locator("piece.white")).to_have_count(0)
    ada.page.locator(".proof summary").click()
    ada.press("Check the chance")
    expect(ada.page.locator(".proof")).to_contain_text("It holds")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_table_of_mahjong_is_seen_with_any_eyes(
    visitor: Visitor, address: str, port: int, tmp_path: Path
) -> None:
    room = finish(port, "mahjong")
    ada = visitor(f"/g/{room}/1")
    expect(ada.page.locator(".mj-open")).to_have_count(4)
    ada.press("To the end")
    expect(ada.page.locator(".mj-lying").first).to_be_visible()
    assert picture(ada, tmp_path / "mahjong.png") == (1200, 1248)
    ada.page.get_by_label("Seen by").select_option("0")
    expect(ada.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    ada.press("To the beginning")
    expect(ada.page.locator(".mj-rack.mj-open")).to_have_count(0)
    mine = told(address, f"{room}/1?seat=0")["frames"][0]["position"]["private"]["tiles"]
    shown = ada.page.locator(".mj-held").evaluate_all("all => all.map((one) => Number(one.dataset.tile))")
    assert set(mine) <= set(shown)
    expect(ada.page.get_by_role("switch", name="Pass claims")).to_have_count(0)
    ada.page.locator(".proof summary").click()
    ada.press("Check the chance")
    expect(ada.page.locator(".proof")).to_contain_text("It holds")
    assert obstacles(ada.page, "a finished game of mahjong") == []


def test_small_games_are_told_again_and_a_game_that_is_not_over_is_not(
    visitor: Visitor, port: int, tmp_path: Path
) -> None:
    room = finish(port, "tictactoe")
    ada = visitor(f"/g/{room}/1", language="zh-TW")
    expect(at(ada)).to_have_text("第 0 步，共 3 步")
    ada.press("下一步")
    expect(ada.page.locator(".cell .sign")).to_have_count(1)
    assert picture_named(ada, "存成圖片", tmp_path / "cells.png") > 10_000
    ada.page.locator(".proof summary").click()
    ada.press("驗證運氣")
    expect(ada.page.locator(".proof")).to_contain_text("屬實")
    found = obstacles(ada.page, "finished tic-tac-toe")
    room = finish(port, "gomoku")
    ada.page.goto(f"{ada.address}/#/g/{room}/1")
    expect(at(ada)).to_have_text("第 0 步，共 9 步")
    ada.page.keyboard.press("End")
    expect(ada.page.locator(".player-won")).to_contain_text("Ada")
    assert found + obstacles(ada.page, "finished gomoku") == []
    ada.page.goto(f"{ada.address}/#/g/{room}/2")
    expect(ada.page.get_by_role("alert")).to_contain_text("沒有這個已結束的棋局")
    # The browser says so as well; nobody can keep it from that.
    ada.problems = [one for one in ada.problems if "404" not in one]


def picture_named(person: Person, label: str, path: Path) -> int:
    with person.page.expect_download() as saved:
        person.press(label)
    saved.value.save_as(path)
    return path.stat().st_size
