"""Mahjong in a real browser: one person and three bots, with keyboard and touch."""

import contextlib
import json
import re
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, WebSocket, expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person, choose_opponent, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TILES: Final = {
    "tile",
    "tiles",
    "drawn",
    "taken",
    "win",
    "hand",
    "flowers",
    "chows",
    "kongs",
    "barred",
    "readies",
    "last",
    "wall",
}
"""Fields that hold tiles, by their ids."""


class Listener:
    """Keeps every frame that a page receives."""

    def __init__(self, person: Person) -> None:
        self.notices: list[dict[str, Any]] = []
        person.page.on("websocket", self._listen)
        person.page.reload()
        expect(person.page.locator("button.name")).to_be_enabled()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.notices.append(json.loads(frame)))

    def until_over(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the frames before the end of the first hand, and its result."""
        for place, notice in enumerate(self.notices):
            for event in notice.get("events", ()):
                if event["e"] == "hand_ended":
                    return self.notices[:place], event["position"]
        raise AssertionError("no hand is over")


def open_mahjong(person: Person, *, bot: str = "normal", tiles: int = 13) -> None:
    """Open a table of one round with bots, and wait for the tiles."""
    person.press("Open your own table")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Mahjong", exact=True).check()
    choose_opponent(dialog, bot)
    dialog.get_by_role("radio", name=f"{tiles} tiles").check()
    dialog.get_by_label("Length").select_option("1")
    dialog.get_by_role("button", name="Open table").click()
    expect(person.page.get_by_role("toolbar", name="Your hand")).to_be_visible()


def held(person: Person) -> Locator:
    """Return the tiles that can be discarded now."""
    return person.page.locator(".mj-hand-mine .mj-held:not(.mj-barred)")


def result(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Result of the hand")


def number(text: str) -> int:
    """Return a score or a change of it, which is written with a minus sign."""
    return int(text.replace("\u2212", "-").replace(",", ""))


def switch(person: Person, *labels: str) -> None:
    """Open the drawer and turn these switches."""
    for label in labels:
        wanted = person.page.get_by_role("switch", name=label)
        until = time.monotonic() + 60
        while True:
            # The drawer closes when the player is asked for a claim.
            if not wanted.count():
                person.page.get_by_role("button", name="Switches").click()
            try:
                wanted.click(timeout=2_000)
                break
            except PlaywrightError:
                assert time.monotonic() < until, f"{label} cannot be switched"
    person.page.keyboard.press("Escape")
    expect(person.page.locator(".mj-drawer")).to_have_count(0)


def turns(person: Person) -> Iterator[str]:
    """Yield what the person is asked for, until the hand is over: `win`, `claim` or `discard`."""
    page = person.page
    for _ in range(4000):
        if result(person).is_visible():
            return
        if page.locator(".mj-claim-hu:enabled").count():
            yield "win"
        elif page.locator(".mj-claim-pass:enabled:not(.mj-claim-chosen)").count():
            yield "claim"
        elif held(person).count():
            yield "discard"
        page.wait_for_timeout(20)
    raise AssertionError("the hand has no end")


def by_keys(person: Person) -> None:
    """Play a hand without a pointer."""
    page = person.page
    page.get_by_role("toolbar", name="Your hand").locator("button[tabindex='0']").focus()
    before = ""
    for asked in turns(person):
        if asked != "discard":
            page.keyboard.press({"win": "h", "claim": "x"}[asked])
            continue
        focused = page.locator(".mj-held:focus")
        expect(focused).to_have_count(1)
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".mj-held").nth(1)).to_be_focused()
        page.keyboard.press("End")
        before = focused.get_attribute("data-tile") or ""
        page.keyboard.press("Enter")
        expect(page.locator(f'.mj-held[data-tile="{before}"]')).to_have_count(0)
    assert before


def by_fingers(person: Person) -> int:
    """Play a hand on a touch screen, where two taps discard a tile; return how often that was."""
    page = person.page
    raised = 0
    for asked in turns(person):
        if asked != "discard":
            # The claim may have ended in the meantime; then something else is asked.
            with contextlib.suppress(PlaywrightError):
                page.locator({"win": ".mj-claim-hu", "claim": ".mj-claim-pass"}[asked]).tap(timeout=2_000)
        else:
            last = held(person).last
            tile = last.get_attribute("data-tile")
            last.tap()
            expect(page.locator(".mj-raised")).to_have_attribute("data-tile", tile or "")
            expect(person.status).to_have_text(re.compile("Tap again to discard"))
            raised += 1
            page.locator(".mj-raised").tap()
            expect(page.locator(f'.mj-held[data-tile="{tile}"]')).to_have_count(0)
    return raised


def expect_result(person: Person) -> None:
    """The payments sum to zero, and the wall is verified."""
    shown = result(person)
    expect(shown.get_by_role("row")).to_have_count(5)
    changes, scores = (
        [number(cell) for cell in shown.locator(cells).all_inner_texts()]
        for cells in (".mj-change", ".mj-sum")
    )
    assert sum(changes) == 0
    assert changes == scores
    if shown.locator(".mj-win").count():
        assert shown.locator(".mj-patterns li").count() >= 1
        assert shown.locator(".mj-winning .mj-tile").count() >= 1
    shown.get_by_role("button", name="Fair deal ✓ check it").click()
    expect(shown.locator(".mj-verify")).to_contain_text("Verified")


def expect_blind(listener: Listener) -> None:
    """No frame before the end contains a hidden tile."""
    before, end = listener.until_over()
    you = next(notice["you"] for notice in before if notice["type"] == "room")
    shown = {winner["win"] for winner in end["result"].get("winners", ())}
    hidden = {
        tile for seat, player in enumerate(end["players"]) if seat != you for tile in player.get("tiles", ())
    } - shown
    assert len(hidden) >= 3, "everybody else hides a tile to the end"
    assert len(end["wall"]) == 144
    own = set(end["players"][you]["tiles"])
    assert own <= {tile for notice in before for tile in named(notice)}
    for notice in before:
        assert not hidden & set(named(notice)), notice
        text = json.dumps(notice)
        assert '"wall"' not in text
        assert end["seed"] not in text


def named(part: object, field: str = "") -> Iterator[int]:
    """Yield every tile in a frame."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key != "options":
                yield from named(value, key)
    elif isinstance(part, list):
        for value in part:
            yield from named(value, field)
    elif field in TILES and isinstance(part, int) and not isinstance(part, bool):
        yield part


def test_a_hand_is_played_by_keys_to_its_result(visitor: Visitor) -> None:
    ada = visitor()
    listener = Listener(ada)
    open_mahjong(ada)
    by_keys(ada)
    # The result covers the tiles; the focus moves to the next action.
    expect(ada.page.locator(".mj-next")).to_be_focused()
    expect_result(ada)
    expect_blind(listener)
    ada.page.keyboard.press("Tab")
    expect(result(ada).get_by_role("button", name="Show table")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(result(ada)).to_be_hidden()
    assert ada.page.locator(".mj-open").count() == 4
    expect(ada.page.locator(".mj-next")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".mj-rack.mj-open")).to_have_count(0)
    expect(ada.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    expect(ada.page.locator(".mj-held:focus")).to_have_count(1)


def test_a_hand_is_played_by_fingers_on_a_phone(visitor: Visitor) -> None:
    bo = visitor(size=PHONE, has_touch=True)
    listener = Listener(bo)
    open_mahjong(bo, tiles=16)
    page = bo.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".mj-held").first.bounding_box()
    assert box is not None
    assert box["width"] >= 36
    assert by_fingers(bo)
    expect_result(bo)
    expect_blind(listener)


def test_automatic_actions_play_a_hand(visitor: Visitor) -> None:
    ada = visitor()
    Listener(ada)
    open_mahjong(ada)
    switch(ada, "No calls", "Auto-discard")
    expect(ada.page.locator(".mj-chip")).to_have_text(["No calls", "Auto-discard"])
    for asked in turns(ada):
        if asked == "win":
            ada.page.keyboard.press("h")
    expect(ada.page.get_by_role("button", name="Next hand")).to_be_visible()
    ada.press("Next hand")
    expect(ada.page.locator(".mj-chip")).to_have_count(0)


def discard_any(person: Person) -> None:
    """Discard the first tile; a winning hand needs confirmation."""
    tile = held(person).first.get_attribute("data-tile")
    held(person).first.click()
    if person.page.locator(".mj-raised").count():
        person.page.locator(".mj-raised").click()
    expect(person.page.locator(f'.mj-held[data-tile="{tile}"]')).to_have_count(0)


def test_draws_may_stay_face_down_and_hints_may_be_forbidden(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    listener = Listener(ada)
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Mahjong", exact=True).check()
    choose_opponent(dialog, "random")
    dialog.get_by_label("Number of bots").select_option("2")
    unfold(dialog)
    dialog.get_by_role("checkbox", name="Discards that make the hand ready").uncheck()
    dialog.get_by_role("checkbox", name="Tiles away from ready").uncheck()
    dialog.get_by_role("button", name="Open table").click()
    expect(ada.page.locator(".mj-plate", has_text="Open seat")).to_have_count(1)
    bo.visit(ada.page.evaluate("location.hash.slice(1)"))
    bo.press("Join the game")
    switch(bo, "No calls", "Auto-discard")
    expect(ada.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    names = ada.page.locator(".mj-name").all_inner_texts()
    assert len(set(names)) == 4
    for tag in ("no ready discards shown", "no shanten shown"):
        expect(ada.page.locator(".tag", has_text=tag)).to_be_visible()

    switch(ada, "No calls", "Auto-draw")
    covered = ada.page.get_by_role("button", name="Your drawn tile, face down: turn it over")
    expect(covered.or_(ada.page.locator(".mj-hand-mine"))).to_be_visible()
    if not covered.count():
        # The dealer has already seen the last tile.
        discard_any(ada)
    for key in ("Space", "Enter", "click"):
        expect(covered).to_be_visible()
        expect(ada.status).to_have_text(re.compile("turn over your tile"))
        expect(ada.page.locator(".mj-hand-mine")).to_have_count(0)
        if key == "click":
            covered.click()
        else:
            ada.page.evaluate("document.activeElement.blur()")
            ada.page.keyboard.press(key)
        expect(covered).to_have_count(0)
        expect(ada.page.locator(".mj-hand").get_by_role("status")).to_have_text(re.compile("You draw"))
        discard_any(ada)
    frames = [json.dumps(notice) for notice in listener.notices]
    assert any('"ready_discards": false' in text for text in frames)
    assert not any(re.search(r'"ready_discards": \[|"shanten": -?\d', text) for text in frames)


def test_the_score_calculator_scores_any_hand(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Mahjong")
    ada.press("Score calculator")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="13 tiles").check()
    for suit in ("characters", "dots", "bamboos"):
        for value in (1, 2, 3):
            dialog.get_by_role("button", name=f"Add {value} of {suit}").click()
    for tile in ("East wind",) * 3 + ("red dragon",) * 2 + ("orchid",):
        dialog.get_by_role("button", name=f"Add {tile}").click()
    dialog.get_by_role("button", name="Calculate", exact=True).click()
    lines = dialog.locator(".mj-patterns li")
    expect(lines).to_have_text(
        [
            re.compile(r"圈風刻\s*1 tai"),
            re.compile(r"門清\s*1 tai"),
            re.compile(r"獨聽\s*1 tai"),
            re.compile(r"正花 蘭\s*1 tai"),
            re.compile(r"Total\s*4 tai"),
        ]
    )
    dialog.get_by_role("button", name="Remove red dragon").last.click()
    dialog.get_by_role("button", name="Add 9 of dots").click()
    dialog.get_by_role("button", name="Calculate", exact=True).click()
    expect(dialog.get_by_text("This is not a winning hand.")).to_be_visible()
