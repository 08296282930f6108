"""What a mahjong table shows: call-outs, claims, results step by step, and how it fits on small screens."""

import contextlib
from typing import Any, Final

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import open_mahjong, result, switch, turns
from tests.browser.person import PHONE, Person
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIDEWAYS: Final = (844, 390)
TARGET: Final = 44
"""Smallest side of what a finger has to hit, in pixels."""
_WATCH: Final = """
    window.calls = []; window.asked = []; window.statuses = new Set();
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            for (const node of addedNodes)
                if (node instanceof Element && node.matches(".mj-call"))
                    window.calls.push(node.querySelector(".mj-call-sign").textContent);
        if (document.querySelector(".mj-claim-pass") && !document.querySelector(".mj-claim-hu"))
            window.asked.push(document.querySelector(".mj-actions").textContent);
        window.statuses.add(document.querySelector(".status-text")?.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
"""
_SMALL: Final = f"""() => [...document.querySelectorAll(".table-page :is(button, a, summary)")]
    .filter((one) => one.checkVisibility() && !one.closest("[hidden]"))
    .map((one) => [one.className, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < {TARGET} || box.height < {TARGET})
    .map(([name, box]) => `${{name}} ${{box.width}}×${{box.height}}`)"""
_CLIPPED: Final = """() => [...document.querySelectorAll(".mj :is(button, .mj-round, p), .rail button")]
    .filter((one) => !one.matches(".hidden") && one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.className}: ${one.textContent}`)"""


def watched(person: Person) -> Person:
    """Watch call-outs and claims from now on."""
    person.page.evaluate(_WATCH)
    return person


def open_by_client(person: Person, address: str, **options: Any) -> None:
    """Open a table with three bots as this person, in any language, and go there."""
    client = Client(int(address.rsplit(":", 1)[1]), token=person.page.evaluate("localStorage['qipai.token']"))
    room = client.ask("open", "room", game="mahjong", nonce="open", bot="random", options=options)["room"][
        "id"
    ]
    client.close()
    person.visit(f"/t/{room}")
    expect(person.page.locator(".mj-held").first).to_be_visible()


def test_calls_are_called_out_and_the_result_is_counted_step_by_step(visitor: Visitor) -> None:
    ada = visitor()
    open_mahjong(watched(ada), tiles=16)
    ada.page.emulate_media(reduced_motion="no-preference")
    for _ in range(8):
        for asked in turns(ada):
            ada.page.keyboard.press({"win": "h", "claim": "p", "discard": "x"}[asked])
            if asked == "claim" and ada.page.locator(".mj-claim-pass:enabled:not(.mj-claim-chosen)").count():
                ada.page.keyboard.press("x")
            if asked == "discard":
                ada.page.locator(".mj-hand-mine .mj-held:not(.mj-barred)").last.click()
        if result(ada).locator(".mj-win").count():
            break
        ada.press("Next hand")
        expect(result(ada)).to_have_count(0)
    calls = ada.page.evaluate("window.calls")
    assert set(calls) <= {"吃", "碰", "槓", "胡", "自摸"}
    assert calls[-1] in {"胡", "自摸"}
    # The tiles are still being turned over, or have just been.
    # The button goes away with the last line, maybe just before the click.
    with contextlib.suppress(PlaywrightError):
        result(ada).get_by_role("button", name="Skip").click(timeout=2_000)
    expect(result(ada).locator(".mj-later")).to_have_count(0)
    expect(result(ada).locator(".mj-laid .mj-set:first-child .mj-back")).to_have_count(0)
    counted = [int(text.split()[0]) for text in result(ada).locator(".mj-tai-seal").all_inner_texts()]
    totals = result(ada).locator(".mj-total span:last-child").all_inner_texts()
    assert counted == [int(text.split()[0]) for text in totals]


def test_a_call_that_a_switch_passes_is_never_shown(visitor: Visitor) -> None:
    ada = visitor()
    open_mahjong(ada, tiles=16)
    switch(ada, "No calls", "Auto-discard")
    watched(ada)
    for asked in turns(ada):
        if asked == "win":
            ada.page.keyboard.press("x")
    assert ada.page.evaluate("window.asked") == []
    statuses = ada.page.evaluate("[...window.statuses]")
    assert "Waiting for calls" in statuses
    assert not [text for text in statuses if text and text.startswith("Answered")]


def test_what_a_player_writes_is_shown_at_their_plate_for_a_moment(visitor: Visitor, address: str) -> None:
    bo = visitor()
    open_by_client(bo, address, tiles=16)
    assert bo.page.locator(".mj-bubble").count() == 0
    bo.press("Chat")
    bo.page.get_by_role("textbox", name="Message").fill("close :)")
    bo.press("Send")
    expect(bo.page.locator(".mj-seat-0 .mj-bubble")).to_have_text("close 😊")
    expect(bo.page.locator(".mj-bubble")).to_have_count(0)
    # The lines of before are in the chat only.
    bo.page.reload()
    expect(bo.page.locator(".chat-text")).to_have_text("close 😊")
    assert bo.page.locator(".mj-bubble").count() == 0


def test_people_play_with_sixteen_tiles_unless_they_choose_otherwise(visitor: Visitor) -> None:
    ada = visitor()
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Mahjong", exact=True).check()
    expect(dialog.get_by_role("radio", name="16 tiles")).to_be_checked()
    dialog.get_by_role("button", name="Cancel").click()
    ada.choose("Mahjong")
    ada.press("Play computer")
    expect(ada.page.locator(".table-head .tag", has_text="16 tiles")).to_be_visible()
    expect(ada.page.locator(".mj-held").nth(15)).to_be_visible()
    assert ada.page.locator(".mj-held").count() in {16, 17}


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
def test_hand_and_status_are_under_the_thumb_on_a_phone(
    visitor: Visitor, address: str, size: tuple[int, int]
) -> None:
    bo = visitor(size=size, has_touch=True)
    open_by_client(bo, address, tiles=16, hints=False)
    width, height = size
    assert bo.page.evaluate(_SMALL) == []
    assert bo.page.evaluate("document.documentElement.scrollWidth") <= width
    for part in (".mj-held >> nth=0", ".mj-held >> nth=-1", ".mj-status", ".mj-drawer-button"):
        box = bo.page.locator(part).bounding_box()
        assert box is not None
        assert height * 0.45 < box["y"] < box["y"] + box["height"] <= height, part
    bo.page.locator(".mj-drawer-button").tap()
    expect(bo.page.get_by_role("switch", name="No calls")).to_be_visible()
    assert bo.page.evaluate(_SMALL) == []


@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
def test_texts_fit_on_the_smallest_phone_and_at_double_size(
    visitor: Visitor, address: str, language: str
) -> None:
    ada = visitor(language=language)
    open_by_client(ada, address, tiles=16)
    for width, height in ((320, 640), (640, 400), (1280, 800)):
        ada.page.set_viewport_size({"width": width, "height": height})
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
        assert ada.page.evaluate(_CLIPPED) == [], (width, height)
