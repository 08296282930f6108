"""Replays of finished games."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import expect_square
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.support.finished_games import finish

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def port(address: str) -> int:
    return int(address.rsplit(":", 1)[1])


def at(person: Person) -> Locator:
    """Return the text of the shown step."""
    return person.page.locator("output.autoplay-at")


def fetched(address: str, path: str) -> Any:
    with urllib.request.urlopen(f"{address}/api/games/{path}", timeout=60) as answer:
        return json.load(answer)


def picture(person: Person, path: Path) -> tuple[int, int]:
    """Save the board as an image and return its size."""
    with person.page.expect_download() as saved:
        person.press("Save as image")
    saved.value.save_as(path)
    drawn = path.read_bytes()
    assert drawn.startswith(b"\x89PNG")
    # An image of one colour would be tiny.
    assert len(drawn) > 10_000
    return int.from_bytes(drawn[16:20]), int.from_bytes(drawn[20:24])


def test_a_chess_game_is_replayed_downloaded_and_shared(
    visitor: Visitor, address: str, port: int, tmp_path: Path
) -> None:
    room = finish(port, "chess")
    ada = visitor(f"/g/{room}/1", permissions=["clipboard-read", "clipboard-write"])
    expect(at(ada)).to_have_text("Step 0 of 4")
    ada.press("Next move")
    expect_square(ada, "f3", "white pawn, last move")
    ada.page.keyboard.press("ArrowRight")
    expect_square(ada, "e5", "black pawn, last move")
    slider = ada.page.get_by_role("slider", name="Position in the game")
    slider.fill("3")
    expect_square(ada, "g4", "white pawn, last move")
    expect(ada.page.locator(".moves-move[aria-current]")).to_have_text("g4")
    ada.page.get_by_role("button", name="1 white f3").click()
    expect(at(ada)).to_have_text("Step 1 of 4")
    ada.page.get_by_label("Speed").select_option("fast")
    ada.press("Autoplay")
    expect(at(ada)).to_have_text("Step 4 of 4")
    expect(ada.page.locator(".player-won")).to_contain_text("Bo")
    expect(ada.page.get_by_text("by checkmate", exact=True)).to_be_visible()
    assert picture(ada, tmp_path / "chess.png") == (1200, 1248)
    with ada.page.expect_download() as saved:
        ada.press("Download PGN")
    saved.value.save_as(tmp_path / "chess.pgn")
    # The Site tag contains the room id, which may start like a move.
    _, _, movetext = (tmp_path / "chess.pgn").read_text().partition("\n\n")
    assert movetext.split() == ["1.", "f3", "e5", "2.", "g4", "Qh4#", "0-1"]
    with ada.page.expect_download() as saved:
        ada.press("Download JSON")
    saved.value.save_as(tmp_path / "chess.json")
    assert json.loads((tmp_path / "chess.json").read_text())["result"]["reason"] == "mate"
    ada.press("Copy link")
    assert ada.page.evaluate("navigator.clipboard.readText()") == f"{address}/g/{room}/1"
    assert accessibility_problems(ada.page, "a finished game") == []


def test_a_replay_in_fog_shows_what_each_player_saw(visitor: Visitor, port: int) -> None:
    room = finish(port, "chess", fog=True, mines=4)
    ada = visitor(f"/g/{room}/1", size=PHONE)
    expect(at(ada)).to_have_text(re.compile("Step 0 of"))
    expect(ada.page.locator("square.fog")).to_have_count(0)
    expect(ada.page.locator("square.mine")).to_have_count(4)
    eyes = ada.page.get_by_label("View as")
    eyes.select_option("0")
    expect(ada.page.locator("square.fog")).not_to_have_count(0)
    expect(ada.page.locator("square.mine")).to_have_count(0)
    expect_square(ada, "e2", "white pawn")
    expect(ada.page.locator(".player").last).to_contain_text("Ada")
    eyes.select_option("1")
    expect(ada.page.locator(".player").last).to_contain_text("Bo")
    expect_square(ada, "e7", "black pawn")
    expect(ada.page.locator("piece.white")).to_have_count(0)
    ada.page.locator(".verify summary").click()
    ada.press("Verify fairness")
    expect(ada.page.locator(".verify")).to_contain_text("Verified")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_mahjong_replay_has_every_viewpoint(
    visitor: Visitor, address: str, port: int, tmp_path: Path
) -> None:
    room = finish(port, "mahjong")
    ada = visitor(f"/g/{room}/1")
    expect(ada.page.locator(".mj-open")).to_have_count(4)
    ada.press("Last move")
    expect(ada.page.locator(".mj-discard").first).to_be_visible()
    assert picture(ada, tmp_path / "mahjong.png") == (1200, 1248)
    ada.page.get_by_label("View as").select_option("0")
    expect(ada.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    ada.press("First move")
    expect(ada.page.locator(".mj-rack.mj-open")).to_have_count(0)
    mine = fetched(address, f"{room}/1?seat=0")["frames"][0]["position"]["private"]["tiles"]
    shown = ada.page.locator(".mj-held").evaluate_all("all => all.map((one) => Number(one.dataset.tile))")
    assert set(mine) <= set(shown)
    expect(ada.page.get_by_role("switch", name="No calls")).to_have_count(0)
    ada.page.locator(".verify summary").click()
    ada.press("Verify fairness")
    expect(ada.page.locator(".verify")).to_contain_text("Verified")
    assert accessibility_problems(ada.page, "a finished game of mahjong") == []


def test_small_games_have_replays_and_a_running_game_has_none(
    visitor: Visitor, port: int, tmp_path: Path
) -> None:
    room = finish(port, "tictactoe")
    ada = visitor(f"/g/{room}/1", language="zh-TW")
    expect(at(ada)).to_have_text("第 0 步，共 3 步")
    ada.press("下一步")
    expect(ada.page.locator(".cell .symbol")).to_have_count(1)
    assert picture_named(ada, "存成圖片", tmp_path / "cells.png") > 10_000
    ada.page.locator(".verify summary").click()
    ada.press("驗證公平性")
    expect(ada.page.locator(".verify")).to_contain_text("驗證無誤")
    found = accessibility_problems(ada.page, "finished tic-tac-toe")
    room = finish(port, "gomoku")
    ada.page.goto(f"{ada.address}/#/g/{room}/1")
    expect(at(ada)).to_have_text("第 0 步，共 9 步")
    ada.page.keyboard.press("End")
    expect(ada.page.locator(".player-won")).to_contain_text("Ada")
    assert found + accessibility_problems(ada.page, "finished gomoku") == []
    ada.page.goto(f"{ada.address}/#/g/{room}/2")
    expect(ada.page.get_by_role("alert")).to_contain_text("找不到這一局")
    # The browser logs the 404 as well.
    ada.problems = [one for one in ada.problems if "404" not in one]


def picture_named(person: Person, label: str, path: Path) -> int:
    with person.page.expect_download() as saved:
        person.press(label)
    saved.value.save_as(path)
    return path.stat().st_size
