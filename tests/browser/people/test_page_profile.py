"""Profiles in a real browser: results, filters, two people against each other, and unknown names."""

import re
import time
from typing import NamedTuple
from urllib.parse import quote, urlsplit
from zipfile import ZipFile

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.ratings.test_rated_game import LOST, RATED, WON, soon
from tests.ratings.test_rated_game import play as play_moves
from tests.server.people.test_people_api import play
from tests.server.test_account_api import registered
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL = (320, 568)
SOON = 60.0
RATINGS: list[dict[str, object]] = [
    {
        "category": category,
        "rating": curve[-1][1],
        "deviation": 200.0 if provisional else 60.0,
        "provisional": provisional,
        "games": games,
        "last": curve[-1][0],
        "change": change,
        "curve": curve,
    }
    for category, games, provisional, change, curve in (
        ("chess-blitz", 214, False, -12.2, [[1, 1480.0], [2, 1531.4], [3, 1519.2]]),
        ("mahjong-16", 41, False, 9.0, [[1, 1543.0], [2, 1552.0]]),
        ("gomoku-renju", 1, True, -10.0, [[1, 1490.0]]),
    )
]


class Host(NamedTuple):
    """Where the server of the browser tests listens."""

    port: int


class Club(NamedTuple):
    """Two accounts who have played: Ada won a game in public and one in private, Bo won one in public."""

    ada: str
    bo: str
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def club(address: str) -> Club:
    host = Host(urlsplit(address).port or 0)
    ada, bo = (registered(host, name) for name in ("Ada Byron", "小 明"))  # type: ignore[arg-type] # only its port
    players = ada.connect(), bo.connect()
    play(*players, nonce="one")
    play(*players, public=False, nonce="two")
    play(*reversed(players), nonce="three")
    bot_game(players[0])
    own, until = 0, time.monotonic() + SOON
    while own < 4 and time.monotonic() < until:  # The archive takes closed tables every few seconds.
        shown = ada.ask("GET", "/api/people/Ada%20Byron").body
        own = sum(row[-1] for row in shown["results"])
        time.sleep(0.2)
    assert own == 4
    for player in players:
        player.close()
    return Club("Ada Byron", "小 明", {"Ada Byron": ada.cookie, "小 明": bo.cookie})


def bot_game(player: Client) -> None:
    """Play gomoku against a bot until the first move, and give up."""
    opened = player.ask("open", "room", game="gomoku", nonce="bot", bot="easy", options={"rule": "renju"})
    room = opened["room"]["id"]
    # If the bot begins, this is refused, and the bot makes the first move.
    player.send("play", room=room, move={"do": "place", "x": 7, "y": 7})
    player.receive_event("placed")
    player.send("resign", room=room, nonce="bot-r")
    player.receive_event("game_over")
    player.send("leave", room=room)


def signed_in(person: Person, club: Club, name: str) -> Person:
    key, _, value = club.cookies[name].partition("=")
    person.context.add_cookies([{"name": key, "value": value, "url": person.address}])
    return person


def profile(person: Person, name: str) -> Person:
    person.visit(f"/@{quote(name)}")
    expect(person.page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(rows(person).first).to_be_visible()
    return person


def without_ratings(person: Person) -> Person:
    """Let the server have no ratings, whatever it has."""
    return with_ratings(person, [])


def with_ratings(person: Person, ratings: list[dict[str, object]]) -> Person:
    """Let the server have these ratings of everybody."""
    person.context.route("**/api/ratings/*", lambda route: route.fulfill(json={"ratings": ratings}))
    return person


def rows(person: Person) -> Locator:
    return person.page.locator(".person-game")


def test_a_visitor_sees_results_and_public_games_of_a_profile(visitor: Visitor, club: Club) -> None:
    eve = without_ratings(visitor())
    # A shared link works, and the name is shown as its owner writes it.
    eve.page.goto(f"{eve.address}/@ada%20byron")
    expect(eve.page.get_by_role("heading", level=1, name=club.ada)).to_be_visible()
    expect(eve.page).to_have_url(re.compile(r"/#/@Ada%20Byron$"))
    expect(rows(eve)).to_have_count(3)
    results = eve.page.get_by_role("region", name="Results", exact=True)
    expect(results.get_by_role("listitem")).to_have_text(["1 won", "0 drawn", "2 lost"])
    expect(results.get_by_role("row", name="Against people 1 0 1")).to_be_visible()
    expect(results.get_by_role("row", name="Against bots 0 0 1")).to_be_visible()
    expect(results.get_by_role("row", name="Gomoku · Renju 0 0 1")).to_be_visible()
    expect(eve.page.get_by_role("region", name="You and")).to_have_count(0)
    # To the opponent's profile, and to a replay.
    rows(eve).get_by_role("link", name=club.bo).first.click()
    expect(eve.page.get_by_role("heading", level=1, name=club.bo)).to_be_visible()
    rows(eve).get_by_role("link", name=re.compile("^Replay: Ada Byron")).first.click()
    expect(eve.page.get_by_role("slider", name="Position in the game")).to_be_visible()


def test_the_own_profile_has_private_games_and_that_of_another_the_score(
    visitor: Visitor, club: Club
) -> None:
    ada = profile(signed_in(without_ratings(visitor()), club, club.ada), club.ada)
    expect(rows(ada)).to_have_count(4)
    expect(rows(ada).filter(has_text="private")).to_have_count(1)
    profile(ada, club.bo)
    expect(rows(ada)).to_have_count(2)
    score = ada.page.get_by_role("region", name=f"You and {club.bo}")
    expect(score.locator(".head-to-head-score")).to_have_text("2 – to1")
    expect(score.get_by_role("listitem")).to_have_count(3)


def test_games_are_filtered_by_keyboard_too(visitor: Visitor, club: Club) -> None:
    eve = profile(without_ratings(visitor()), club.ada)
    eve.page.get_by_text("More filters").focus()
    eve.page.keyboard.press("Enter")
    eve.page.get_by_role("combobox", name="Result").select_option("Won")
    expect(rows(eve)).to_have_count(1)
    eve.page.get_by_role("combobox", name="Result").select_option("Any")
    eve.page.get_by_role("combobox", name="Opponents").select_option("Against bots")
    expect(rows(eve)).to_have_count(1)
    eve.page.get_by_role("combobox", name="Opponents").select_option("Any")
    eve.page.get_by_role("button", name="Gomoku").press("Enter")
    eve.page.get_by_role("combobox", name="Twist").select_option("Renju")
    expect(rows(eve)).to_have_count(1)
    eve.page.get_by_role("button", name="All games").press("Enter")
    expect(rows(eve)).to_have_count(3)
    eve.page.get_by_label("Name of the opponent").fill(club.bo)
    eve.page.keyboard.press("Tab")
    expect(rows(eve)).to_have_count(2)
    expect(eve.page.get_by_role("region", name=f"{club.bo} and {club.ada}")).to_be_visible()
    eve.page.get_by_label("From", exact=True).fill("2099-01-01")
    expect(eve.page.get_by_text("No games match these filters.")).to_be_visible()


def test_ratings_are_shown_where_the_server_has_them(visitor: Visitor, club: Club) -> None:
    eve = profile(with_ratings(visitor(), RATINGS), club.ada)
    cards = eve.page.get_by_role("list", name="Ratings").get_by_role("listitem")
    expect(cards).to_have_text(
        [
            re.compile(r"Blitz\s*1519 −12\s*214 games"),
            re.compile(r"16 tiles\s*1552 \+9\s*41 games"),
            re.compile(r"Renju\s*1490\? not settled yet −10\s*1 game"),
        ]
    )


def test_a_rated_game_changes_the_rating_on_the_profile(visitor: Visitor, address: str) -> None:
    host = Host(urlsplit(address).port or 0)
    cy, dan = (registered(host, name) for name in ("Cy Young", "Dan"))  # type: ignore[arg-type] # only its port
    white, black = cy.connect(), dan.connect()
    room = white.ask("open", "room", game="chess", nonce="rated", table=RATED)["room"]["id"]
    black.ask("join", "room", room=room)
    play_moves(white, black, room, "f2f3 e7e5 g2g4 d8h4")
    soon(lambda: cy.ask("GET", "/api/ratings/Dan").body["ratings"] != [])
    white.close()
    black.close()
    eve = visitor()
    for name, shown in (("Dan", f"{WON}.*\\+162"), ("Cy Young", f"{LOST}.*−162")):
        eve.visit(f"/@{quote(name)}")
        cards = eve.page.get_by_role("list", name="Ratings").get_by_role("listitem")
        expect(cards).to_have_text([re.compile(rf"Blitz\s*{shown}\s*1 game")])


def test_my_games_have_the_same_filters_and_are_downloaded(visitor: Visitor, club: Club) -> None:
    ada = signed_in(visitor(), club, club.ada)
    ada.visit("/mine")
    expect(rows(ada)).to_have_count(4)
    with ada.page.expect_download() as started:
        ada.press("Download all games")
    assert started.value.suggested_filename == "qipai-games.zip"
    with ZipFile(started.value.path()) as file:
        assert len(file.namelist()) == 4
    ada.page.get_by_text("More filters").click()
    ada.page.get_by_role("combobox", name="Opponents").select_option("Against bots")
    expect(rows(ada)).to_have_count(1)
    guest = visitor("/mine")
    expect(guest.page.get_by_text("No finished games yet.")).to_be_visible()


def test_an_unknown_name_has_a_page_that_says_so(visitor: Visitor) -> None:
    eve = without_ratings(visitor())
    eve.expect_trouble()
    eve.visit("/@Nobody%20Here")
    expect(eve.page.get_by_role("heading", name="No account is called Nobody Here")).to_be_visible()
    expect(eve.page.get_by_role("link", name="To the lobby")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), PHONE, SMALL])
@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
def test_a_profile_is_accessible_and_fits(
    visitor: Visitor, club: Club, size: tuple[int, int], language: str
) -> None:
    ada = with_ratings(visitor(size=size, language=language), RATINGS)
    profile(signed_in(ada, club, club.ada), club.bo)
    expect(ada.page.locator(".rating")).to_have_count(3)
    expect(ada.page.locator(".head-to-head")).to_be_visible()
    ada.page.locator(".game-filters summary").click()
    assert accessibility_problems(ada.page, f"profile, {language}") == []
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
