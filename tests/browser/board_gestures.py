"""What a person does at a board besides playing: drawing with a mouse or a finger, changing settings."""

import re
from typing import Any, Final

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.chessboard import open_chess, square
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.browser.table.test_page_keys import Opponent

TOUCH: Final[dict[str, Any]] = {"size": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}


def choose(person: Person, **settings: bool) -> None:
    """Switch settings of the board in the settings sheet, by their labels with `_` for a space."""
    person.press("Settings")
    sheet = person.page.get_by_role("dialog", name="Settings")
    for label, on in settings.items():
        sheet.get_by_role("switch", name=re.compile("^" + label.replace("_", " "))).set_checked(on)
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of a square or a point on the screen."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw(person: Person, start: Locator, end: Locator, *modifiers: str) -> None:
    """Drag with the right mouse button."""
    mouse, keyboard = person.page.mouse, person.page.keyboard
    mouse.move(*middle(start))
    # The layer is loaded when the pointer reaches the board.
    expect(person.page.locator(".drawings")).to_be_attached()
    for key in modifiers:
        keyboard.down(key)
    mouse.down(button="right")
    mouse.move(*middle(end), steps=3)
    mouse.up(button="right")
    for key in modifiers:
        keyboard.up(key)


def drawn(person: Person) -> list[str]:
    """Return the finished drawings: colour, first and last cell."""
    shapes = person.page.locator(".drawn:not(.drawn-current)")
    found: list[str] = shapes.evaluate_all(
        "all => all.map((one) => [/drawn-(green|red|blue|yellow)/.exec(one.getAttribute('class'))[1],"
        " one.dataset.from, one.dataset.to].join(' '))"
    )
    return sorted(found)


def cell_of(place: Locator) -> str:
    return place.get_attribute("data-cell") or ""


class Finger:
    """One finger on a touch screen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def press_long(self, place: Locator) -> None:
        """Press until the page draws."""
        self._send("touchStart", middle(place))
        expect(self.page.locator(".drawn-current")).to_have_count(1)

    def move(self, place: Locator) -> None:
        self._send("touchMove", middle(place))

    def release(self) -> None:
        self._send("touchEnd")

    def swipe_up(self, place: Locator) -> None:
        """Scroll with a quick movement."""
        x, y = middle(place)
        self._send("touchStart", (x, y))
        for step in range(1, 12):
            self._send("touchMove", (x, y - 12 * step))
        self.release()


def at_board(visitor: Visitor, game: str, **more: Any) -> tuple[Person, Opponent, str]:
    """Return a player with the first move, the opponent and the route of their table."""
    ada = visitor(**more)
    route = open_chess(ada) if game == "Chess" else ada.open_table(game=game)
    bo = Opponent(ada, route)
    expect(ada.status).to_have_text("Your turn")
    return ada, bo, route


def places(person: Person, game: str) -> tuple[Locator, Locator, Locator, Locator]:
    """Return four places of a board: the first two are a legal move."""
    names = ("e2", "e4", "g1", "f3") if game == "Chess" else ("H8", "H8", "C3", "K12")
    return tuple(square(person, name) if game == "Chess" else person.point(name) for name in names)  # type: ignore[return-value]
