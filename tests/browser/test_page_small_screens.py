"""What newcomers found on small screens: everything that can be pressed is reachable, nothing is cut."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIDEWAYS: Final = (844, 390)
_IS_REACHED: Final = """(one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return top >= 0 && top + height <= innerHeight && one.contains(hit);
}"""

_CUT_TAGS: Final = """() => {
    const right = (one) => one.getBoundingClientRect().right;
    return [...document.querySelectorAll(".table-head .tag")]
        .filter((tag) => tag.offsetParent)
        .filter((tag) => tag.scrollWidth > tag.clientWidth + 1 || right(tag) > right(tag.parentElement) + 1)
        .map((tag) => tag.textContent);
}"""


def is_reached(element: Locator) -> bool:
    """Tell whether an element is on the screen and nothing lies over it."""
    return bool(element.evaluate(_IS_REACHED))


def finish(visitor: Visitor, size: tuple[int, int]) -> tuple[Person, Person]:
    """Return a winner and a loser in a window of this size, after a game with one move."""
    ada, bo = visitor(), visitor(size=size)
    bo.visit(ada.open_table(game="Tic-tac-toe")).press("Join the game")
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    first = ada if ada.is_to_move() else bo
    first.mark(4)
    bo.press("Resign")
    bo.page.locator(".choice-yes").click()
    expect(bo.page.locator(".end-panel")).to_be_visible()
    return ada, bo


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_ways_to_play_are_on_the_first_screen_of_a_phone_held_sideways(
    visitor: Visitor, language: str
) -> None:
    ada = visitor(size=SIDEWAYS, language=language)
    for button in ada.page.locator(".hero-play button").all():
        assert is_reached(button), button.inner_text()


def test_the_header_of_a_table_covers_nothing_at_a_zoom_of_200_percent(visitor: Visitor) -> None:
    ada = visitor(size=(640, 400))
    ada.open_table(game="Gomoku", bot="easy")
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    for part in ada.page.locator(".player, .top a, .top button, .top select").all():
        assert not part.is_visible() or is_reached(part), part.inner_text()
    header, first = ada.page.locator(".top").bounding_box(), ada.page.locator(".player").first.bounding_box()
    assert header is not None
    assert first is not None
    assert header["y"] + header["height"] <= first["y"]


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, (1280, 800)], ids=str)
def test_the_computer_is_offered_on_the_first_screen_while_waiting(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    ada = visitor(size=size)
    ada.quick_match("Chess")
    offer = ada.page.get_by_role("button", name="Play the computer meanwhile")
    expect(offer).to_be_visible()
    assert is_reached(offer)
    assert is_reached(ada.page.get_by_role("button", name="Leave"))


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, (1280, 800), (1100, 700)], ids=str)
def test_the_seat_that_waits_covers_nothing(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    ada.quick_match("Chess")
    ada.press("Play the computer meanwhile")
    waiting = ada.page.locator(".waiting-elsewhere")
    expect(waiting).to_be_visible()
    for part in (waiting.locator("a"), waiting.locator("button"), ada.page.locator(".brand")):
        assert is_reached(part)
    for link in ada.page.locator(".nav a").all():
        assert not link.is_visible() or is_reached(link), link.inner_text()
    assert ada.page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=str)
def test_a_toast_at_a_table_covers_no_button(visitor: Visitor, size: tuple[int, int]) -> None:
    ada, bo = visitor(size=size), visitor()
    ada.quick_match("Gomoku")
    ada.press("Play the computer meanwhile")
    expect(ada.page.locator(".waiting-elsewhere")).to_be_visible()
    bo.quick_match("Gomoku")
    expect(ada.page.locator(".toast")).to_be_visible()
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    for button in ada.page.locator(".action button, .tabs button, .moves-steps button, .top a").all():
        if button.is_visible():
            button.evaluate("(one) => one.scrollIntoView({ block: 'nearest' })")
            assert is_reached(button), button.inner_text()


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=str)
def test_a_player_can_leave_after_a_game_without_closing_its_result(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    _, bo = finish(visitor, size)
    leave = bo.page.get_by_role("button", name="Leave", exact=True)
    expect(leave).to_have_count(1)
    assert is_reached(leave)
    leave.click()
    expect(bo.chosen_game).to_be_visible()


def test_a_finished_game_is_among_my_games_at_once_and_its_replay_faces_the_player(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    bo.visit(ada.open_table(game="Tic-tac-toe", listed=False)).press("Join the game")
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    (ada if ada.is_to_move() else bo).mark(4)
    bo.press("Resign")
    bo.page.locator(".choice-yes").click()
    expect(ada.page.locator(".end-panel")).to_be_visible()
    for person, result in ((ada, "Won"), (bo, "Lost")):
        name = person.page.locator("button.name .name-text").inner_text()
        person.visit("/mine")
        row = person.page.locator(".person-game").first
        expect(row.locator(".result-letter")).to_contain_text(result)
        row.get_by_role("link", name="Replay").click()
        expect(person.page.locator(".player").last).to_contain_text(name)


def test_a_game_without_a_move_has_no_replay_and_is_not_listed(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.open_table(game="Gomoku", listed=False)
    bo.visit(route).press("Join the game")
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    bo.press("Resign")
    bo.page.locator(".choice-yes").click()
    panel = ada.page.locator(".end-panel")
    expect(panel).to_be_visible()
    for label in ("Replay", "Share"):
        expect(ada.page.get_by_text(label, exact=True)).to_have_count(0)
    ada.visit(f"/g/{route.rsplit('/', 1)[1]}/1")
    expect(ada.page.locator(".message-page")).to_contain_text("No move was made in this game.")
    ada.visit("/mine")
    expect(ada.page.locator(".person-games-note")).to_contain_text("No finished games yet")


def test_a_result_keeps_the_names_of_those_who_left_after_a_reload(visitor: Visitor) -> None:
    ada, bo = finish(visitor, PHONE)
    name = bo.page.locator("button.name .name-text").inner_text()
    bo.page.get_by_role("button", name="Leave", exact=True).click()
    expect(bo.chosen_game).to_be_visible()
    expect(ada.page.locator(".end-player", has_text=name)).to_be_visible()
    ada.page.reload()
    expect(ada.page.locator(".end-player", has_text=name)).to_be_visible()


def test_somebody_who_waits_for_another_clock_is_named_and_can_be_joined(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    ada.call_me("Mei")
    route = ada.open_table(game="Gomoku", clock=3)
    bo.choose("Gomoku")
    offer = bo.page.get_by_role("button", name=re.compile("^Mei waits for Free · 5"))
    expect(offer).to_be_visible()
    offer.click()
    assert bo.at_table() == route
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, (320, 640)], ids=str)
def test_a_tag_of_a_mahjong_table_is_whole_or_not_shown(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    ada.choose("Mahjong")
    ada.press("Play computer")
    expect(ada.page.locator(".mj-held").first).to_be_visible()
    assert ada.page.evaluate(_CUT_TAGS) == []
