"""Lessons on how to play: every page, refused and right tries, the tutorial, and the way from a table."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import open_chess, square
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import open_mahjong
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES: Final = {
    "chess": ("plain", "dice", "fog", "mines"),
    "gomoku": ("free", "swap2", "renju"),
    "mahjong": ("tutorial", "sixteen", "thirteen"),
    "tictactoe": ("plain",),
}
ROUTES: Final = [f"/learn/{game}/{page}" for game, pages in PAGES.items() for page in pages]
LANGUAGES: Final = {"en": "How to play", "zh-TW": "玩法教學", "zh-CN": "玩法教学"}


class Lesson:
    """A page of lessons in a browser."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page

    @property
    def answer(self) -> Locator:
        return self.page.locator(".lesson-answer")

    @property
    def title(self) -> Locator:
        return self.page.locator(".lesson-card h2")

    def count(self) -> int:
        """Return the number of steps."""
        return self.page.locator(".lesson-steps li").count()

    def expect_refused(self, reason: str) -> None:
        """Wait for the reason, and until the board has taken the move back."""
        expect(self.answer).to_have_class(re.compile("lesson-refused"))
        expect(self.answer).to_contain_text(reason)

    def expect_right(self) -> None:
        expect(self.answer).to_have_class(re.compile("lesson-right"))

    def move(self, uci: str) -> None:
        """Move a chess piece by two clicks."""
        for name in (uci[:2], uci[2:4]):
            square(self.person, name).click(force=True)

    def forward(self, button: str) -> None:
        """Press a button and wait for the next step."""
        before = self.title.inner_text()
        self.person.press(button)
        expect(self.page.locator(".lesson-finished, .lesson-card")).to_be_visible()
        expect(self.page.get_by_text(before, exact=True).and_(self.title)).to_have_count(0)

    def through_to_the_end(self) -> None:
        """Let the page show every step up to the last one."""
        show, following = (
            self.page.get_by_role("button", name=name, exact=True) for name in ("Show me", "Next")
        )
        for _ in range(self.count()):
            while show.is_visible():
                show.click()
            before = self.title.inner_text()
            following.click()
            expect(self.title.get_by_text(before, exact=True)).to_have_count(0)
        expect(self.page.locator(".lesson-finished")).to_be_visible()


def lesson_at(visitor: Visitor, route: str, **more: object) -> Lesson:
    """Open a page of lessons."""
    lesson = Lesson(visitor(route, **more))
    expect(lesson.page.locator(".lesson-board .board")).to_be_visible()
    return lesson


def fits(page: Page) -> bool:
    """Tell whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_opens_in_every_language(visitor: Visitor, language: str) -> None:
    ada = visitor("/learn", size=(320, 640), language=language)
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(LANGUAGES[language])
    links = ada.page.locator(".learn-card")
    expect(links).to_have_count(len(ROUTES))
    assert [link.get_attribute("href") for link in links.all()] == [f"#{route}" for route in ROUTES]
    assert fits(ada.page)
    titles = set()
    for route in ROUTES:
        ada.page.goto(f"{ada.address}/#{route}")
        expect(ada.page.locator(".lesson-board .board")).to_be_visible()
        titles.add(ada.page.locator(".learn h1").inner_text())
        assert fits(ada.page), route
    assert len(titles) == len(ROUTES)


def test_every_page_of_a_game_can_be_done_to_its_end(visitor: Visitor) -> None:
    for route in ROUTES:
        lesson = lesson_at(visitor, route)
        lesson.through_to_the_end()
    lesson.page.goto(f"{lesson.person.address}/#/learn")
    expect(lesson.page.locator(".learn-card-done")).to_have_count(1)


def test_a_chess_lesson_refuses_a_move_and_says_why(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/chess/plain")
    lesson.move("e2e5")
    lesson.expect_refused("A pawn moves one square forward, or two from its first square.")
    # The piece goes back.
    expect(square(lesson.person, "e2")).to_have_attribute("aria-label", re.compile("white pawn"))
    lesson.move("e2e4")
    lesson.expect_right()
    lesson.forward("Next")
    lesson.forward("Skip")
    lesson.forward("Skip")
    lesson.move("c1f4")
    lesson.expect_refused("That bishop is blocked by your pawn.")
    expect(square(lesson.person, "c1")).to_have_attribute("aria-label", re.compile("white bishop"))
    lesson.move("c1a3")
    lesson.expect_right()
    # What was done is remembered.
    lesson.page.reload()
    expect(lesson.title).to_have_text("The pawn captures sideways")
    expect(lesson.page.locator(".lesson-step-done")).to_have_count(2)


def test_the_dice_of_a_lesson_say_which_piece_moves(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/chess/dice")
    lesson.move("e2e4")
    lesson.expect_refused("This die shows a knight; move a knight.")
    expect(square(lesson.person, "e2")).to_have_attribute("aria-label", re.compile("white pawn"))
    for uci in ("g1f3", "e2e4", "f1c4"):
        expect(square(lesson.person, uci[:2])).to_have_attribute("aria-label", re.compile("white"))
        lesson.move(uci)
        lesson.expect_right()
        expect(square(lesson.person, uci[2:])).to_have_attribute("aria-label", re.compile("white"))
    lesson.forward("Next")
    lesson.person.press("Skip die")
    lesson.expect_right()


def test_a_mine_explodes_and_the_fog_lifts(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/chess/mines")
    lesson.forward("Skip")
    lesson.move("c3d5")
    lesson.expect_right()
    expect(square(lesson.person, "d5")).to_have_attribute("aria-label", re.compile("empty.*crater"))
    fog = lesson_at(visitor, "/learn/chess/fog")
    fog.forward("Skip")
    expect(square(fog.person, "e5")).to_have_attribute("aria-label", re.compile("fog"))
    fog.move("e4e5")
    fog.expect_refused("something that you cannot see")
    expect(square(fog.person, "e4")).to_have_attribute("aria-label", re.compile("white pawn"))
    fog.move("g1f3")
    fog.expect_right()
    expect(square(fog.person, "e5")).to_have_attribute("aria-label", re.compile("black knight"))


def test_a_gomoku_lesson_is_done_by_mouse(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/gomoku/renju")
    ada = lesson.person
    ada.point("H8").click()
    lesson.expect_refused("H8 is forbidden for Black: double-three")
    expect(lesson.answer).to_have_count(1)
    ada.point("E8").click()
    lesson.expect_right()
    lesson.forward("Next")
    lesson.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Free").click()
    expect(lesson.title).to_have_text("Five in a row wins")
    ada.point("H6").click(force=True)
    lesson.expect_refused("There is a stone on H6 already.")
    ada.point("J8").click()
    lesson.expect_right()
    ada.expect_point("J8", "black")
    lesson.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Swap2").click()
    lesson.page.get_by_role("navigation", name="Steps").get_by_role("button", name="The second").click()
    ada.press("Place two more")
    lesson.expect_right()


def test_a_gomoku_lesson_is_done_by_touch(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/gomoku/free", size=PHONE, has_touch=True)
    lesson.person.point("J8").tap()
    # Small points ask for a second tap, as at a table.
    lesson.person.press("Place J8")
    lesson.expect_right()


def test_lessons_are_done_by_keyboard(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/tictactoe/plain")
    keys = lesson.page.keyboard
    lesson.person.cell(4).focus()
    keys.press("Enter")
    lesson.expect_refused("That cell is taken.")
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        keys.press(key)
    lesson.expect_right()
    following = lesson.page.get_by_role("button", name="Next", exact=True)
    following.focus()
    keys.press("Enter")
    expect(lesson.title).to_have_text("Stop the opponent")
    expect(lesson.title).to_be_focused()
    lesson.page.goto(f"{lesson.person.address}/#/learn/chess/plain")
    square(lesson.person, "e2").focus()
    for key in ("Enter", "ArrowUp", "ArrowUp", "ArrowUp", "Enter"):
        keys.press(key)
    lesson.expect_refused("A pawn moves one square forward")
    expect(square(lesson.person, "e2")).to_have_attribute("aria-label", re.compile("white pawn"))
    square(lesson.person, "e2").focus()
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        keys.press(key)
    lesson.expect_right()


def test_the_mahjong_tutorial_is_done_to_its_end(visitor: Visitor) -> None:
    lesson = lesson_at(visitor, "/learn/mahjong/tutorial", size=PHONE)
    page = lesson.page

    def discard(tile: str) -> None:
        page.get_by_role("button", name=re.compile(f"^{tile}")).click()
        lesson.expect_right()

    lesson.forward("Next")
    lesson.forward("Next")
    page.get_by_role("button", name="1 of characters").first.click()
    expect(lesson.answer).to_have_class(re.compile("lesson-other"))
    discard("East wind")
    lesson.forward("Next")
    page.get_by_role("button", name="red dragon").click(force=True)
    lesson.expect_refused("It is not your turn to discard.")
    for action, tile in (("Chow", "red dragon"), ("Pong", "West wind"), ("Kong", "West wind")):
        claim = page.get_by_role("button", name=re.compile(f"^{action}"))
        expect(claim).to_be_enabled()
        claim.click()
        lesson.expect_right()
        discard(tile)
        lesson.forward("Next")
    page.get_by_role("button", name=re.compile("^Pass")).click()
    expect(lesson.answer).to_contain_text("you cannot win on a discard until your next draw")
    win = page.get_by_role("button", name=re.compile("^Win"))
    expect(win).to_be_enabled()
    win.click()
    lesson.expect_right()
    lesson.forward("Next")
    count = page.get_by_role("button", name="Count the next line")
    for said in ("Three equal dragons.", "You claimed nothing", "the orchid is a flower of South"):
        count.click()
        expect(page.locator(".mj-lesson-count")).to_contain_text(said)
    expect(page.locator(".mj-total")).to_contain_text("3 tai")
    expect(count).to_have_count(0)
    lesson.forward("Next")
    expect(page.locator(".mj-gain")).to_contain_text("+720")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".lesson-finished h2")).to_have_text("Tutorial: finished")
    expect(page.locator(".lesson-finished h2")).to_be_focused()


def test_lessons_are_reached_from_a_table_without_leaving_it(visitor: Visitor) -> None:
    ada = visitor()
    route = open_chess(ada, bot="level1", fog=True)
    ada.page.get_by_role("tab", name="Table").click()
    ada.press("How to play")
    dialog = ada.page.get_by_role("dialog", name="How to play Chess")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("What you see")
    expect(dialog).to_contain_text("It is your turn at the table.")
    dialog.get_by_role("button", name="Dice").click()
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Three dice, three moves")
    assert ada.page.url.endswith(f"#{route}")
    dialog.get_by_role("button", name="Back to the table").click()
    expect(dialog).to_have_count(0)
    expect(ada.status).to_contain_text("Your turn")
    bo = visitor(size=PHONE)
    open_mahjong(bo, bot="random")
    bo.page.get_by_role("button", name="Table", exact=True).click()
    bo.press("How to play")
    dialog = bo.page.get_by_role("dialog", name="How to play Mahjong")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Four sets and a pair")
    dialog.get_by_role("button", name=re.compile("^Win")).click()
    expect(dialog.locator(".lesson-right")).to_be_visible()
    bo.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_lessons_are_accessible(visitor: Visitor) -> None:
    ada, bo = visitor("/learn"), visitor("/learn", size=PHONE)
    expect(ada.page.locator(".learn-card").first).to_be_visible()
    expect(bo.page.locator(".learn-card").first).to_be_visible()
    found = accessibility_problems(ada.page, "all lessons") + accessibility_problems(bo.page, "on a phone")
    for route in ROUTES:
        ada.page.goto(f"{ada.address}/#{route}")
        expect(ada.page.locator(".lesson-board .board")).to_be_visible()
        found += accessibility_problems(ada.page, route)
    for step in ("吃 Chow: a run", "台 Tai: what the hand is worth", "Who pays"):
        bo.page.goto(f"{bo.address}/#/learn/mahjong/tutorial")
        bo.page.get_by_role("navigation", name="Steps").get_by_role("button", name=step).click()
        found += accessibility_problems(bo.page, step)
    lesson = lesson_at(visitor, "/learn/chess/plain")
    lesson.move("e2e5")
    lesson.expect_refused("A pawn")
    found += accessibility_problems(lesson.page, "a refused move")
    lesson.through_to_the_end()
    found += accessibility_problems(lesson.page, "a finished page")
    assert found == []


def test_lessons_fit_at_twice_the_text_size(visitor: Visitor) -> None:
    # 1280 pixels at 200 % are as wide as 640.
    ada = visitor("/learn", size=(640, 400))
    expect(ada.page.locator(".learn-card").first).to_be_visible()
    assert fits(ada.page)
    for route in ROUTES:
        ada.page.goto(f"{ada.address}/#{route}")
        expect(ada.page.locator(".lesson-board .board")).to_be_visible()
        assert fits(ada.page), route
