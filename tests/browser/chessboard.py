"""Helpers for chess tables: open one, join it, move pieces by taps."""

import re
import time
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person, choose_opponent, unfold

YOUR_TURN: Final = re.compile("^(Check! )?Your turn")


def open_chess(
    person: Person, *, side: str = "white", bot: str = "", dice: str = "", fog: bool = False, mines: int = 0
) -> str:
    """Open a chess table and return its route."""
    person.press("Open your own table")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Chess", exact=True).check()
    choose_opponent(dialog, bot)
    unfold(dialog)
    dialog.get_by_role("radio", name=side.capitalize(), exact=True).check()
    dialog.get_by_role("combobox", name="Dice").select_option(dice)
    dialog.get_by_role("checkbox", name="Fog").set_checked(fog)
    dialog.get_by_role("checkbox", name="Mines").set_checked(mines > 0)
    if mines:
        number = dialog.get_by_role("spinbutton", name="Number of mines")
        # The field appears with its default a moment after the box is checked.
        expect(number).to_have_value("5")
        number.fill(str(mines))
        expect(number).to_have_value(str(mines))
    dialog.get_by_role("button", name="Open table").click()
    return person.at_table()


def sit_down(visitor: Visitor, **mode: Any) -> tuple[Person, Person, str]:
    """Return white on a desktop, black on a phone, and the route of their table."""
    ada = visitor()
    ada.call_me("Ada")
    route = open_chess(ada, **mode)
    bo = visitor(route, size=PHONE)
    bo.call_me("Bo")
    bo.press("Join the game")
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    return ada, bo, route


def square(person: Person, name: str) -> Locator:
    """Return a square, such as e4."""
    return person.page.locator(f'[data-square="{name}"]')


def expect_square(person: Person, name: str, content: str) -> None:
    """Wait until a square holds something such as `white king`, or is `empty`."""
    expect(square(person, name)).to_have_attribute("aria-label", re.compile(f"^{name}: {content}(,|$)"))


def pieces(person: Person) -> list[str]:
    """Return the content of every square."""
    labels = person.page.locator("[data-square]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    return sorted(label.split(",")[0] for label in labels)


def expect_replay(person: Person) -> None:
    """Step through the record of the finished game: it must end as the game did."""
    board, count = pieces(person), moves(person).count()
    person.press("Replay")
    expect(person.page.locator("output.autoplay-at")).to_be_visible()
    expect(moves(person)).to_have_count(count)
    person.page.keyboard.press("End")
    expect(moves(person).last).to_have_attribute("aria-current", "step")
    assert pieces(person) == board


def tap(person: Person, *names: str) -> None:
    """Tap squares; the board lies below the buttons that keys and screen readers use."""
    for name in names:
        square(person, name).click(force=True)


def play(person: Person, uci: str) -> None:
    """Make a move as soon as it is this player's turn, and wait until the server has it."""
    expect(person.status).to_have_text(YOUR_TURN)
    before = moves(person).count()
    tap(person, uci[:2], uci[2:4])
    expect(moves(person).nth(before)).to_be_attached()


def play_all(white: Person, black: Person, line: tuple[str, ...]) -> None:
    """Make moves in turn."""
    for number, uci in enumerate(line):
        play((white, black)[number % 2], uci)


def moves(person: Person) -> Locator:
    """Return the entries of the move list; a bot may add its own at once."""
    return person.page.locator(".moves-move")


def targets(person: Person) -> Locator:
    """Return the destinations of the selected piece."""
    return person.page.locator('[aria-label*="legal move"]')


_WATCH_CLICKS: Final = """() => {
  if (window.seenClicks) return;
  window.seenClicks = [];
  for (const kind of ["pointerdown", "pointerup", "pointercancel", "click"])
    addEventListener(kind, (event) => {
      const at = event.target instanceof Element ? event.target : document.body;
      const square = at.closest("[data-square]")?.dataset.square ?? at.className;
      window.seenClicks.push(`${kind} ${square} ${Math.round(event.clientX)},${Math.round(event.clientY)}`);
    }, true);
}"""


def play_anything(person: Person) -> None:
    """Make the first legal move; if nothing happens, fail with the clicks that the page received."""
    person.page.evaluate(_WATCH_CLICKS)
    colour = "white" if person.page.locator(".cg-wrap.orientation-white").count() else "black"
    before = moves(person).count()
    for piece in person.page.locator(f'[aria-label*=": {colour} "]').all():
        piece.click(force=True)
        expect(piece).to_have_attribute("aria-selected", "true")
        if targets(person).count():
            label = targets(person).first.get_attribute("aria-label")
            targets(person).first.click(force=True)
            break
    else:
        raise AssertionError("there is no legal move")
    promotion = person.page.get_by_role("group", name="Promote the pawn to")
    try:
        expect(promotion.or_(moves(person).nth(before)).first).to_be_attached()
        if promotion.is_visible():
            person.press("queen")
        expect(moves(person).nth(before)).to_be_attached()
    except AssertionError as error:
        clicks = person.page.evaluate("window.seenClicks.slice(-12)")
        raise AssertionError(
            f"no move to {label}; status {person.status.inner_text()!r}; {clicks}"
        ) from error


def to_act(*people: Person) -> Person | None:
    """Return the player to move, once a page shows it; None if the game is over."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for person in people:
            if YOUR_TURN.search(person.status.inner_text()):
                return person
            if person.page.locator(".status-over").count():
                return None
        people[0].page.wait_for_timeout(25)
    raise AssertionError("it is nobody's turn")


def resign(person: Person) -> None:
    """Resign and confirm."""
    person.press("Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def download(person: Person, path: Path) -> str:
    """Return the PGN that the page downloads."""
    with person.page.expect_download() as saved:
        person.press("Download PGN")
    saved.value.save_as(path)
    return path.read_text()
