"""The dialog for a new table: what it says, what it sends, and that it fits."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person, choose_opponent, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OPEN: Final = {"en": "Open your own table", "zh-TW": "自己開一桌", "zh-CN": "自己开一桌"}
_KEEP_SENT: Final = """() => {
    const socket = window.sockets.at(-1);
    const send = socket.send.bind(socket);
    window.sent = [];
    socket.send = (frame) => { window.sent.push(frame); send(frame); };
}"""
_TOO_WIDE: Final = """(dialog) =>
    [...dialog.querySelectorAll(".sheet-fields, .segment, .create-choice, .create-row, button, summary")]
        .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.className}: ${one.textContent}`)
"""
_SMALL: Final = """(dialog) =>
    [...dialog.querySelectorAll("button, summary, label, select")]
        .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5)
        .map((one) => `${one.className}: ${one.textContent}`)
"""


def open_dialog(person: Person, language: str = "en") -> Locator:
    person.press(OPEN[language])
    dialog = person.page.get_by_role("dialog")
    expect(dialog.locator(".primary")).to_be_enabled()
    return dialog


def opened(person: Person, dialog: Locator) -> dict[str, Any]:
    """Open the table and return what was sent."""
    person.page.evaluate(_KEEP_SENT)
    dialog.get_by_role("button", name="Open table").click()
    person.at_table()
    frames = [json.loads(frame) for frame in person.page.evaluate("window.sent")]
    found: dict[str, Any] = next(frame for frame in frames if frame["type"] == "open")
    return found


def test_the_footer_says_what_will_be_opened(visitor: Visitor) -> None:
    ada = visitor()
    dialog = open_dialog(ada)
    foot = dialog.locator(".create-foot p")
    expect(foot).to_have_text("Chess, unlimited Shown in the lobby")
    dialog.get_by_role("radio", name="Dice", exact=True).check()
    dialog.get_by_role("radio", name="3 min + 2 s per move", exact=True).check()
    expect(foot).to_have_text("Chess with Dice, 3+2 Shown in the lobby")
    dialog.get_by_role("radio", name="A friend", exact=True).check()
    expect(foot).to_have_text("Chess with Dice, 3+2 By link or code only")
    choose_opponent(dialog, "level2")
    expect(foot).to_have_text("Chess with Dice, 3+2 Against the computer")
    sent = opened(ada, dialog)
    assert sent["bot"] == "level2"
    assert sent["options"] == {"dice": "free"}
    assert sent["table"]["clock"] == {"main": [180_000], "increment": 2_000}
    assert sent["table"]["public"] is False


def test_twists_can_be_combined_in_the_folded_part(visitor: Visitor) -> None:
    ada = visitor()
    dialog = open_dialog(ada)
    dialog.get_by_role("radio", name="Fog", exact=True).check()
    unfold(dialog)
    dialog.get_by_role("checkbox", name="Mines").check()
    for twist in ("Plain", "Dice", "Fog", "Mines"):
        expect(dialog.get_by_role("radio", name=twist, exact=True)).not_to_be_checked()
    expect(dialog.locator(".create-foot b")).to_have_text("Chess with fog of war, 5 mines, unlimited")


def test_the_folded_part_tells_whether_network_lag_is_charged(visitor: Visitor) -> None:
    ada = visitor()
    dialog = open_dialog(ada)
    summary = dialog.locator(".create-more-summary")
    expect(summary).not_to_contain_text("lag")
    dialog.get_by_role("radio", name="5 min", exact=True).check()
    expect(summary).to_contain_text("network lag not charged")
    dialog.get_by_role("radio", name="15 min + 10 s per move", exact=True).check()
    expect(summary).to_contain_text("network lag charged")
    unfold(dialog)
    dialog.get_by_role("switch", name="Do not charge network lag").check()
    expect(summary).to_contain_text("network lag not charged")
    assert opened(ada, dialog)["table"]["clock"]["lag_compensation"] is True


def test_a_custom_clock_is_remembered(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Gomoku")
    dialog = open_dialog(ada)
    dialog.get_by_role("radio", name="Custom", exact=True).check()
    dialog.get_by_label("Minutes per player").fill("7")
    dialog.get_by_label("Increment per move").fill("4")
    dialog.get_by_role("radio", name="Renju", exact=True).check()
    expect(dialog.locator(".create-foot b")).to_have_text("Gomoku with Renju, 7+4")
    sent = opened(ada, dialog)
    assert sent["table"]["clock"] == {"main": [420_000], "increment": 4_000}
    assert sent["options"] == {"rule": "renju"}
    ada.visit()
    ada.press("Stop waiting")
    open_dialog(ada)
    expect(dialog.get_by_role("radio", name="Custom", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Minutes per player")).to_have_value("7")


def test_the_ways_to_play_gomoku_start_with_one_press(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Gomoku")
    ada.page.locator(".twist", has_text="Swap2").click()
    ada.press("Play computer")
    ada.at_table()
    expect(ada.page.locator(".table-head .tag")).to_have_text("Swap2")


@pytest.mark.parametrize("language", OPEN)
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 640), (844, 390), (640, 400)], ids=str)
def test_everything_fits_and_only_the_middle_scrolls(
    visitor: Visitor, size: tuple[int, int], language: str
) -> None:
    ada = visitor(size=size, language=language)
    dialog = open_dialog(ada, language)
    for number in range(4):
        tab = dialog.locator(".create-games input").nth(number)
        tab.check()
        dialog.get_by_role("group").nth(1).get_by_role("radio").last.check()
        unfold(dialog)
        assert dialog.evaluate(_TOO_WIDE) == []
        if size == PHONE:
            assert dialog.evaluate(_SMALL) == []
        for part in ("h2", ".primary"):
            box = dialog.locator(part).bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size[1]
        assert dialog.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0
    box = dialog.bounding_box()
    assert box is not None
    is_sheet = (box["x"], box["width"], box["y"] + box["height"]) == (0, size[0], size[1])
    assert is_sheet == (size[0] <= 640)
