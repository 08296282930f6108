"""Reversi, installed beside the built wheel: nothing of the server or the page is changed for it."""

import json
import re
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person, unfold
from tests.support.installed_server import (
    InstalledServer,
    add_broken_package,
    install,
    install_laws,
    run_tests,
)
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHORTEST = ("f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3")
"""The shortest game: black, who moves first, flips every disc."""
BEFORE_PASS = ("d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1")
"""After these moves black cannot move, and white moves again."""
SMALL_PHONE = (320, 640)
"""Its squares are too small for a finger."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InstalledServer]:
    """Yield the installed server, with a broken package beside Reversi."""
    folder = tmp_path_factory.mktemp("installed")
    python = install(folder)
    add_broken_package(python)
    with InstalledServer(folder / "data", python) as process:
        yield process


@pytest.fixture(scope="module")
def address(server: InstalledServer) -> Iterator[str]:
    yield f"http://127.0.0.1:{server.port}"
    assert [line["event"] for line in server.errors] == ["game left out"]


def square(person: Person, name: str) -> Locator:
    return person.page.locator(f'[data-square="{name}"]')


def expect_square(person: Person, name: str, content: str) -> None:
    expect(square(person, name)).to_have_attribute("aria-label", re.compile(f"^{name}: {content}(,|$)"))


def discs(person: Person) -> Locator:
    """Return the squares with a disc."""
    return person.page.locator('[data-square][aria-label*=": black"], [data-square][aria-label*=": white"]')


def place(person: Person, name: str) -> None:
    """Place a disc with the mouse, as soon as that is possible, and wait until the server has it."""
    expect_square(person, name, "empty, you can play here")
    square(person, name).click()
    expect_square(person, name, "(black|white), last disc")


def sit_down(visitor: Visitor, **more: object) -> tuple[Person, Person, str]:
    """Return black, white and the route of their table."""
    ada = visitor()
    ada.call_me("Ada")
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Reversi", exact=True).check()
    unfold(dialog)
    dialog.get_by_role("radio", name="Black", exact=True).check()
    dialog.get_by_role("button", name="Open table").click()
    route = ada.at_table()
    bo = visitor(route, **more)
    bo.press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    return ada, bo, route


def test_two_players_play_to_the_end_with_a_reload_and_see_the_replay(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    for number, name in enumerate(SHORTEST):
        place((ada, bo)[number % 2], name)
        if number == 3:
            # In the middle of the game, and at the other player's turn.
            bo.page.reload()
            expect_square(bo, "f4", "white, last disc")
            expect(discs(bo)).to_have_count(8)
    for person in (ada, bo):
        expect(person.status).to_contain_text("with more discs")
    expect(ada.page.locator(".reversi-score").last).to_have_text("13")
    ada.press("Replay")
    expect(discs(ada)).to_have_count(4)
    for count, name in ((5, "f5"), (6, "d6")):
        ada.page.get_by_role("button", name="Next move", exact=True).click()
        expect(discs(ada)).to_have_count(count)
        expect_square(ada, name, "(black|white), last disc")
    ada.page.get_by_role("button", name="Last move", exact=True).click()
    expect(discs(ada)).to_have_count(13)
    address = ada.page.url.split("#/g/")[1]
    with urllib.request.urlopen(f"{ada.address}/api/games/{address}/record", timeout=60) as answer:
        assert answer.read().decode().endswith("\n" + "".join(SHORTEST) + "\n")


def test_a_pass_is_explained_to_both_players(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    for number, name in enumerate(BEFORE_PASS):
        place((ada, bo)[number % 2], name)
    expect(ada.status).to_have_text("You cannot move. Your opponent moves again.")
    expect(bo.status).to_have_text("Your opponent cannot move. It is your turn again.")
    expect(ada.page.locator("p[aria-live]")).to_contain_text("Black cannot move and passes.")
    bo.page.locator(".reversi-legal").first.click()
    expect(ada.page.locator(".reversi-pass")).to_have_text("–")


def play_a_game(person: Person, stop_after: int = 60) -> int:
    """Play the first legal square until the game is over or this many moves are made."""
    legal, over = person.page.locator(".reversi-legal").first, person.page.get_by_text("Rematch")
    for number in range(stop_after):
        expect(legal.or_(over).first).to_be_visible()
        if over.is_visible():
            return number
        name = str(legal.get_attribute("data-square"))
        place_at = square(person, name)
        place_at.click()
        expect(place_at).to_have_attribute("aria-label", re.compile(f"^{name}: (black|white)"))
    return stop_after


def test_a_player_plays_a_whole_game_against_the_bot(visitor: Visitor) -> None:
    ada = visitor(size=PHONE, has_touch=True)
    ada.open_table(game="Reversi", bot="normal")
    assert play_a_game(ada, 5) == 5
    ada.page.reload()
    expect(ada.page.locator(".reversi-legal").first).to_be_visible()
    assert play_a_game(ada) < 60
    expect(ada.status).to_contain_text(re.compile("with (more discs|the same number of discs)"))


def test_the_board_is_played_with_the_keyboard(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    square(ada, "d3").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        ada.page.keyboard.press(key)
    expect(square(ada, "f5")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect_square(bo, "f5", "black, last disc")
    expect(bo.page.locator("p[aria-live]")).to_have_text(re.compile(r"^Black f5\. Discs flipped: 1\."))


def test_a_tap_on_a_small_square_must_be_confirmed(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor, size=SMALL_PHONE, has_touch=True)
    place(ada, "f5")
    square(bo, "d6").tap()
    expect(bo.status).to_have_text("d6? Tap again to place.")
    expect_square(ada, "d6", "empty")
    square(bo, "d6").tap()
    expect_square(ada, "d6", "white, last disc")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_game_is_accessible_in_light_and_dark(visitor: Visitor, size: tuple[int, int]) -> None:
    ada, bo, _ = sit_down(visitor, size=size)
    for number, name in enumerate(SHORTEST[:5]):
        place((ada, bo)[number % 2], name)
    expect_square(bo, "f6", "empty, you can play here")
    found = accessibility_problems(bo.page, "the table")
    bo.visit("/")
    expect(bo.game("Reversi")).to_be_visible()
    bo.press("Open your own table")
    bo.page.get_by_role("dialog").get_by_role("radio", name="Reversi", exact=True).check()
    assert found + accessibility_problems(bo.page, "the dialog") == []


def test_options_and_texts_in_another_language(visitor: Visitor) -> None:
    ada = visitor(language="zh-TW")
    ada.press("自己開一桌")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="黑白棋", exact=True).check()
    dialog.get_by_label("從空棋盤開始，前四子下在中央").check()
    dialog.get_by_role("button").last.click()
    expect(ada.page.get_by_role("grid", name="棋盤")).to_be_visible()
    expect(ada.page.get_by_text("空盤開局").first).to_be_visible()


def test_a_slow_bot_of_the_package_answers_from_another_process(
    server: InstalledServer, address: str
) -> None:
    client = Client(server.port, name="Ann")
    room = client.ask("open", "room", game="reversi", bot="hard", seat=0, nonce="1")["room"]["id"]
    client.send("play", room=room, move={"do": "place", "square": 19}, nonce="2")
    assert [client.receive_event("placed")["seat"] for _ in range(2)] == [0, 1]
    client.close()


def test_the_web_module_is_served_with_the_headers_of_the_page(server: InstalledServer, address: str) -> None:
    client = Client(server.port)
    (entry,) = (game["module"] for game in client.welcome["games"] if "module" in game)
    client.close()
    with (
        urllib.request.urlopen(address + entry, timeout=60) as answer,
        urllib.request.urlopen(address, timeout=60) as page,
    ):
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]
        for name in ("content-security-policy", "x-content-type-options"):
            assert answer.headers[name] == page.headers[name] != ""
        assert "unsafe" not in page.headers["content-security-policy"]


def test_the_broken_package_is_named_and_left_out(server: InstalledServer, address: str) -> None:
    (line,) = server.errors
    assert (line["game"], line["package"], line["version"]) == ("broken", "broken-game", "0.9")
    assert line["reason"] == "RuntimeError: this package is broken"
    report = server.run("doctor").splitlines()
    assert "ok   game reversi of package qipai-reversi 1.0.0" in report
    assert (
        "FAIL game broken of package broken-game 0.9 is left out: RuntimeError: this package is broken"
        in report
    )
    with urllib.request.urlopen(f"{address}/games", timeout=60) as answer:
        games = json.load(answer)
    assert games["reversi"] == {"package": "qipai-reversi", "version": "1.0.0"}
    assert "broken" not in games


def test_the_laws_of_the_wheel_check_the_package(server: InstalledServer) -> None:
    install_laws(server)
    output = run_tests(server, "test_reversi_laws.py", "-k", "wire or bots or unreadable")
    assert re.search(r"^\d+ passed", output.splitlines()[-1]), output
