"""Whole games with Tab, arrow keys and Enter only; the focus is never lost."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.chessboard import expect_square
from tests.browser.conftest import Visitor
from tests.browser.person import Person
from tests.support.server import Client, Message

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MATE: Final = ("f2f3", "e7e5", "g2g4", "d8h4")
LONGEST_WAY: Final = 60


def tab_to(person: Person, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until an element has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(LONGEST_WAY):
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"no way to {wanted}")


def button(person: Person, name: str) -> Locator:
    return person.page.get_by_role("button", name=name, exact=True)


def focused(person: Person, kind: str) -> str:
    """Return the focused cell or square."""
    place = person.page.locator(f"[data-{kind}]:focus")
    expect(place).to_have_count(1)
    return place.get_attribute(f"data-{kind}") or ""


def walk(person: Person, right: int, down: int) -> None:
    """Move the focus over a board."""
    for count, plus, minus in ((right, "ArrowRight", "ArrowLeft"), (down, "ArrowDown", "ArrowUp")):
        for _ in range(abs(count)):
            person.page.keyboard.press(plus if count > 0 else minus)


class Opponent:
    """An opponent without a page."""

    def __init__(self, person: Person, route: str) -> None:
        self.room = route.removeprefix("/t/")
        self.client = Client(int(person.address.rsplit(":", 1)[1]), name="Bo")
        shown = self.client.ask("join", "room", room=self.room)
        self.seat: int = shown["you"]
        self.position: Message = shown["room"]["position"]
        self.acting: list[int] = shown["room"]["to_act"]
        self._sent = 0

    def hear(self) -> None:
        """Wait for the next events."""
        self.acting = self.client.receive_until("events")["to_act"]

    def play(self, **move: object) -> None:
        self._sent += 1
        self.client.send("play", room=self.room, move=move, nonce=f"move {self._sent}")
        self.hear()

    def accept(self) -> None:
        """Accept the rematch that is offered next."""
        offer = self.client.receive_event("offer_made")["offer"]
        self.client.send("answer", room=self.room, offer=offer["id"], yes=True, nonce="yes")


def rematch(person: Person, bo: Opponent) -> None:
    """Offer a rematch; the focus stays, and moves to the board when the game starts."""
    tab_to(person, button(person, "Rematch"))
    expect(button(person, "Rematch")).to_be_enabled()
    person.page.keyboard.press("Enter")
    expect(button(person, "Cancel")).to_be_focused()
    bo.accept()
    expect(person.page.locator(".action-bar-playing")).to_be_visible()
    expect(person.page.locator(".board :focus")).to_have_count(1)
    bo.client.close()


def test_tic_tac_toe_is_played_with_the_keyboard_only(visitor: Visitor) -> None:
    ada = visitor()
    tab_to(ada, ada.page.locator(".other-game", has_text="Tic-tac-toe"))
    ada.page.keyboard.press("Enter")
    expect(ada.chosen_game).to_be_focused()
    tab_to(ada, button(ada, "Play anyone"))
    ada.page.keyboard.press("Enter")
    bo = Opponent(ada, ada.at_table())
    tab_to(ada, ada.page.locator('[data-cell][tabindex="0"]'))
    for number in range(3):
        idle = iter((3, 4, 8))
        for cell in (0, 1, 2):
            if bo.acting == [bo.seat]:
                taken = next(idle)
                bo.play(do="mark", cell=taken)
                ada.expect_cell(taken, "[XO]")
            expect(ada.status).to_have_text("Your turn")
            at = int(focused(ada, "cell"))
            walk(ada, cell % 3 - at % 3, cell // 3 - at // 3)
            ada.page.keyboard.press("Enter")
            bo.hear()
        if number < 2:
            tab_to(ada, button(ada, "Next round"))
            ada.page.keyboard.press("Enter")
            bo.hear()
    expect(ada.status).to_have_text("You won in the best of five")
    rematch(ada, bo)


def test_chess_is_played_with_the_keyboard_only(visitor: Visitor) -> None:
    ada = visitor()
    expect(ada.chosen_game).to_have_text("Chess")
    tab_to(ada, ada.page.get_by_role("radio", name="Plain"))
    for _ in range(4):
        ada.page.keyboard.press("ArrowRight")
    expect(ada.page.get_by_role("radio", name="Plain")).to_be_checked()
    tab_to(ada, button(ada, "Play a friend"))
    ada.page.keyboard.press("Enter")
    bo = Opponent(ada, ada.at_table())
    white = bo.position["white"] != bo.seat
    tab_to(ada, ada.page.locator('[data-square][tabindex="0"]'))
    for number, uci in enumerate(MATE):
        if (number % 2 == 0) != white:
            bo.play(do="move", uci=uci)
            expect_square(ada, uci[2:], ".*last move")
            continue
        expect(ada.status).to_have_text(re.compile("^(Check! )?Your turn"))
        for square in (uci[:2], uci[2:]):
            at = focused(ada, "square")
            right, up = ord(square[0]) - ord(at[0]), int(square[1]) - int(at[1])
            walk(ada, *((right, -up) if white else (-right, up)))
            ada.page.keyboard.press("Enter")
        bo.hear()
    expect_square(ada, "h4", "black queen, last move")
    expect(ada.status).to_contain_text("checkmate")
    rematch(ada, bo)


def test_the_focus_moves_on_when_its_element_disappears(visitor: Visitor) -> None:
    ada = visitor()
    # A dialog returns it; an edited name keeps it.
    create = button(ada, "Open your own table")
    tab_to(ada, create)
    ada.page.keyboard.press("Enter")
    tab_to(ada, button(ada, "Cancel"))
    ada.page.keyboard.press("Enter")
    expect(create).to_be_focused()
    tab_to(ada, ada.page.locator("button.name"), "Shift+Tab")
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.type("Ada")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("button.name")).to_be_focused()

    # A confirmation keeps it; after a game it moves to the next action.
    ada.open_table(bot="perfect")
    tab_to(ada, button(ada, "Leave"))
    ada.page.keyboard.press("Enter")
    expect(button(ada, "Cancel")).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(button(ada, "Leave")).to_be_focused()
    tab_to(ada, button(ada, "Resign"), "Shift+Tab")
    ada.page.keyboard.press("Enter")
    # The question takes the focus as soon as it is shown.
    expect(button(ada, "Cancel")).to_be_focused()
    tab_to(ada, ada.page.locator(".choice-yes"), "Shift+Tab")
    expect(ada.page.locator(".choice-yes")).to_be_enabled()
    ada.page.keyboard.press("Enter")
    expect(button(ada, "Rematch")).to_be_focused()
