"""From the lobby to a game: presets, friends, your games, waiting, the featured game, wrong addresses."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.support.server import Client, ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PRESETS = {"Plain": None, "Dice": "dice in any order", "Fog": "fog of war", "Mines": "5 mines"}


_IS_DRAWN = """() => {
    const context = document.querySelector(".featured canvas").getContext("2d");
    return new Set(context.getImageData(0, 0, 99, 99).data).size > 9;
}"""


_SMALL_TARGETS = """() =>
    [...document.querySelectorAll("button, a, select, input, label")]
        .filter((one) => one.offsetParent && getComputedStyle(one).opacity !== "0" && !one.matches(".skip"))
        .map((one) => [one.className || one.textContent, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => Math.min(width, height) < 43.5)
        .map(([what, { width, height }]) => `${what}: ${width} x ${height}`)
"""
_CUT_TEXTS = """() =>
    [...document.querySelectorAll(".lobby button, .twist span, .other-game-name, .name-text")]
        .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent)
"""
_COVERED = """(dialog) => {
    const covered = [];
    for (let top = 0; top <= 2000; top += 40) {
        for (const part of [dialog, ...dialog.querySelectorAll("form, .sheet-fields")]) part.scrollTop = top;
        for (const button of dialog.querySelectorAll("form > .buttons button")) {
            const { left, top: y, width, height } = button.getBoundingClientRect();
            const hit = document.elementFromPoint(left + width / 2, y + height / 2);
            if (!button.contains(hit)) covered.push(`${button.textContent} under ${hit?.className}`);
        }
    }
    return covered;
}"""


class Clicks:
    """Counts the presses of a visitor who has never been here."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.count = 0

    def press(self, label: str) -> None:
        self.person.press(label)
        self.count += 1

    def choose(self, twist: str) -> None:
        twists = self.person.page.get_by_role("group", name="Twist")
        if not twists.get_by_role("radio", name=twist).is_checked():
            twists.get_by_role("radio", name=twist).check()
            self.count += 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("twist", PRESETS)
def test_a_newcomer_plays_the_computer_with_two_clicks(
    chromium: Browser, address: str, twist: str, size: tuple[int, int]
) -> None:
    with Person(chromium, address, size) as ada:
        ada.visit()
        clicks = Clicks(ada)
        clicks.choose(twist)
        clicks.press("Play computer")
        ada.at_table()
        assert clicks.count <= 2
        if (tag := PRESETS[twist]) is not None:
            expect(ada.page.locator(".tags")).to_contain_text(tag)
        expect(ada.page.get_by_text("bot", exact=True)).to_be_visible()
        expect(ada.status).to_have_text(re.compile("Your turn|is thinking|Roll"))


@pytest.mark.parametrize("game", ["Gomoku", "Mahjong", "Tic-tac-toe"])
def test_a_newcomer_plays_another_game_with_two_clicks(chromium: Browser, address: str, game: str) -> None:
    with Person(chromium, address) as ada:
        ada.visit()
        clicks = Clicks(ada)
        ada.choose(game)
        clicks.count += 1
        clicks.press("Play computer")
        expect(ada.page.locator(".table-head h1")).to_contain_text(game)
        expect(ada.status).to_be_visible()
        assert clicks.count <= 2


@pytest.mark.parametrize("twist", PRESETS)
def test_a_friend_gets_a_link_with_three_clicks(chromium: Browser, address: str, twist: str) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with Person(chromium, address, permissions=allowed) as ada, Person(chromium, address) as bo:
        ada.visit()
        clicks = Clicks(ada)
        clicks.choose(twist)
        clicks.press("Play a friend")
        route = ada.at_table()
        ada.watch_for_copied(ada.page.get_by_role("button", name="Copy link"))
        clicks.press("Copy link")
        assert clicks.count <= 3
        ada.expect_copied()
        link = ada.page.evaluate("navigator.clipboard.readText()")
        assert link == f"{address}{route}"
        bo.page.goto(link)
        bo.press("Join the game")
        expect(ada.status).to_have_text(re.compile("Your turn|'s turn|Roll"))
        if (tag := PRESETS[twist]) is not None:
            expect(bo.page.locator(".tags")).to_contain_text(tag)


def test_the_last_choice_comes_first(visitor: Visitor) -> None:
    ada = visitor()
    expect(ada.chosen_game).to_have_text("Chess")
    ada.page.get_by_role("radio", name="Fog").check()
    ada.page.get_by_label("Clock").select_option("2")
    ada.page.get_by_label("Level").select_option("level5")
    ada.page.reload()
    expect(ada.page.get_by_role("radio", name="Fog")).to_be_checked()
    expect(ada.page.get_by_label("Clock")).to_have_value("2")
    expect(ada.page.get_by_label("Level")).to_have_value("level5")
    ada.choose("Gomoku")
    ada.page.reload()
    expect(ada.chosen_game).to_have_text("Gomoku")


def test_quick_match_pairs_by_twist_and_clock(visitor: Visitor) -> None:
    ada, bo, cy = visitor(), visitor(), visitor()
    for one in (ada, bo, cy):
        one.page.get_by_role("radio", name="Mines").check()
    for one in (ada, bo):
        one.page.get_by_label("Clock").select_option("2")
    ada.press("Play anyone")
    route = ada.at_table()
    expect(bo.page.locator(".hero-play")).to_contain_text("1 waiting")
    expect(cy.page.locator(".hero-play")).not_to_contain_text("waiting")
    bo.press("Play anyone")
    assert bo.at_table() == route
    expect(bo.page.get_by_role("timer")).to_have_count(2)


def test_who_waits_plays_the_computer_until_a_person_comes(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    bo.call_me("Bo the late")
    for one in (ada, bo):
        one.page.get_by_role("radio", name="Fog").check()
    ada.press("Play anyone")
    match = ada.at_table()
    ada.press("Play the computer meanwhile")
    expect(ada.page.get_by_text("bot", exact=True)).to_be_visible()
    aside = ada.at_table()
    assert aside != match
    expect(ada.page.locator(".waiting-elsewhere")).to_contain_text("Waiting for a player: Chess")
    ada.page.reload()
    expect(ada.page.locator(".waiting-elsewhere")).to_contain_text("Waiting for a player: Chess")
    bo.press("Play anyone")
    assert bo.at_table() == match
    expect(ada.page.locator(".toast")).to_contain_text("Bo the late sat down.")
    ada.page.wait_for_url(f"**/#{match}")
    expect(ada.status).to_have_text(re.compile("Your turn|'s turn"))
    # The game with the computer goes on where it was.
    ada.visit("/mine")
    kept = ada.page.locator(".your-tables", has=ada.page.locator(f'a[href="#{aside}"]'))
    kept.get_by_role("link", name="Continue").click()
    expect(ada.page.get_by_text("bot", exact=True)).to_be_visible()
    expect(ada.status).to_have_text(re.compile("Your turn|is thinking"))


def test_my_games_has_private_games_and_nobody_elses(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    ada.choose("Tic-tac-toe")
    ada.press("Play computer")
    ada.at_table()
    ada.page.locator(".cell-open").first.click()
    expect(ada.page.locator("[data-cell]:not(.cell-open)").first).to_be_visible()
    ada.press("Resign")
    ada.page.locator(".choice-yes").click()
    expect(ada.page.locator(".status-over")).to_be_visible()
    ada.press("Leave")
    expect(ada.page.locator(".hero")).to_be_visible()
    ada.visit("/mine")
    row = ada.page.locator(".person-game")
    for _ in range(60):  # The archive takes closed tables every few seconds.
        if row.count():
            break
        ada.page.wait_for_timeout(1_000)
        ada.page.reload()
        expect(ada.page.locator(".person-games-list")).to_have_attribute("aria-busy", "false")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Lost")
    expect(row).to_contain_text("private")
    row.get_by_role("link").click()
    expect(ada.page.locator(".replay")).to_be_visible()
    bo.visit("/mine")
    expect(bo.page.get_by_text("No finished games yet.")).to_be_visible()


def test_while_no_game_runs_the_lobby_shows_the_one_that_ended_last(
    chromium: Browser, tmp_path: Path
) -> None:
    game: dict[str, Any] = {
        "room": "abc",
        "match": 1,
        "game": "chess",
        "title": "",
        "began": 1,
        "ended": 2,
        "moves": 4,
    }
    game |= {"names": ["Ken", "Mei"], "bots": ["", ""], "winners": [1], "reason": "resigned"}
    with (
        ServerProcess(tmp_path / "data") as server,
        Person(chromium, f"http://127.0.0.1:{server.port}") as ada,
    ):
        ada.page.route("**/api/games?*", lambda route: route.fulfill(json={"games": [game]}))
        ada.page.route("**/g/abc/1/picture.png", lambda route: route.fulfill(status=204))
        ada.visit()
        featured = ada.page.locator(".featured")
        expect(featured).to_contain_text("Latest game")
        expect(featured).to_contain_text("Ken – Mei")
        expect(featured).to_contain_text("Mei won by resignation")
        # A visitor without a finished game is offered the lessons.
        lessons = ada.page.get_by_role("region", name="Learn the rules")
        expect(lessons.get_by_role("link", name="Gomoku")).to_have_attribute("href", "#/learn/gomoku")
        expect(featured.get_by_role("link")).to_have_attribute("href", "#/g/abc/1")


def test_the_lobby_shows_the_most_watched_game_and_its_moves(visitor: Visitor) -> None:
    ada = visitor()
    port = int(ada.address.rsplit(":", 1)[1])
    ken, oriole, fan = (Client(port, name=name) for name in ("Ken live", "Oriole live", "Fan"))
    table = {"title": "Evening club"}
    room = ken.ask("open", "room", game="chess", nonce="live", seat=0, table=table)["room"]["id"]
    oriole.ask("join", "room", room=room)
    fan.ask("watch", "room", room=room)
    featured = ada.page.locator(".featured")
    expect(featured).to_contain_text("Ken live")
    expect(featured).to_contain_text("Evening club")
    board = featured.locator("canvas")
    picture = "(canvas) => canvas.toDataURL()"
    ada.page.wait_for_function(_IS_DRAWN)
    before = board.evaluate(picture)
    ken.send("play", room=room, move={"do": "move", "uci": "e2e4"}, nonce="e4")
    for _ in range(100):
        if board.evaluate(picture) != before:
            break
        ada.page.wait_for_timeout(100)
    assert board.evaluate(picture) != before
    row = ada.page.locator(".row", has_text="Ken live")
    expect(row).to_contain_text("Evening club")
    expect(row.locator(".row-spectators")).to_contain_text("1", use_inner_text=True)
    featured.get_by_role("link").click()
    ada.at_table()
    expect(ada.page.locator(".table-head")).to_contain_text("Evening club")
    for client in (ken, oriole, fan):
        client.close()


def test_newcomers_have_names_in_their_language(visitor: Visitor) -> None:
    expect(visitor(language="zh-TW").page.locator("button.name")).to_have_text(
        re.compile(r"^[\u4e00-\u9fff]+ \d{3}$")
    )
    expect(visitor().page.locator("button.name")).to_have_text(re.compile(r"^[A-Z][a-z]+ \d{3}$"))


def test_an_address_that_leads_nowhere_has_a_way_back(visitor: Visitor) -> None:
    ada = visitor()
    for path in ("/#/nowhere", "/nowhere", "/no/where"):
        ada.page.goto(f"{ada.address}{path}")
        expect(ada.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
        ada.press("Back to the lobby")
        expect(ada.page.locator(".hero")).to_be_visible()
    # The browser itself logs the status of the two pages.
    assert [problem.count("404") for problem in ada.problems] == [1, 1]
    ada.problems.clear()


@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
@pytest.mark.parametrize("size", [DESKTOP, (640, 400), PHONE, (320, 640), (844, 390)], ids=str)
def test_everything_in_the_lobby_can_be_touched_and_read(
    visitor: Visitor, size: tuple[int, int], language: str
) -> None:
    ada = visitor(size=size, language=language)
    expect(ada.page.locator(".last-games p").first).to_be_visible()
    assert ada.page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert ada.page.evaluate(_SMALL_TARGETS) == []
    assert ada.page.evaluate(_CUT_TEXTS) == []


@pytest.mark.parametrize("size", [(1280, 720), (640, 400), PHONE, (844, 390)], ids=str)
def test_nothing_covers_the_buttons_of_the_dialog(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Open table")).to_be_visible()
    assert dialog.evaluate(_COVERED) == []


def test_bots_show_a_measured_rating_where_their_level_is_chosen_and_at_the_table(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Gomoku")
    level = ada.page.get_by_label("Level", exact=True)
    expect(level.get_by_role("option")).to_contain_text(["about 400", "about 1500", "about 2200"])
    ada.choose("Tic-tac-toe")
    expect(level.get_by_role("option").first).not_to_contain_text("about")
    ada.choose("Gomoku")
    ada.press("Play computer")
    ada.at_table()
    expect(ada.page.locator(".player .rating-text")).to_have_text(re.compile("about [0-9]+"))
