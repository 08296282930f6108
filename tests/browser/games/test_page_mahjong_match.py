"""A whole mahjong match with three bots: started on a desktop, finished on a phone, and replayed."""

import json
import re
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import by_fingers, number, open_mahjong, result
from tests.browser.person import PHONE, Person
from tests.support.finished_games import play_simple_mahjong
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAST = 3
"""Number of the last dealer in a match of one round."""


def play_until_last(person: Person, port: int, room: str) -> None:
    """Play on without a page, as the same person, until the last dealer."""
    client = Client(port, token=person.page.evaluate("localStorage['qipai.token']"))
    for position in play_simple_mahjong(client, client.ask("join", "room", room=room)):
        if position.get("place", 0) == LAST:
            break
    client.close()


def steps(address: str, room: str) -> list[Any]:
    """Return the positions of a finished match, without answers to claims."""
    with urllib.request.urlopen(f"{address}/api/games/{room}/1?seat=all", timeout=60) as answer:
        positions = [frame["position"] for frame in json.load(answer)["frames"]]
    for position in positions:
        position.pop("answered", None)
    return [now for before, now in zip([None, *positions], positions, strict=False) if now != before]


def expect_hand(person: Person, over: Any) -> None:
    """The result matches the server's, and the wall is verified."""
    shown = result(person)
    changes = [number(cell) for cell in shown.locator(".mj-change").all_inner_texts()]
    assert changes == over["result"]["delta"]
    expect(shown.locator(".mj-verify")).to_have_count(0)
    shown.get_by_role("button", name="Fair deal ✓ check it").click()
    # A later visitor has not seen the commitment at the deal.
    expect(shown.locator(".mj-verify")).to_contain_text("The wall matches its seed")
    shown.locator("summary").click()
    expect(shown.locator(".mj-verify code").first).to_have_text(over["seed"])


def expect_ranking(person: Person, scores: list[int]) -> None:
    """The ranking has the scores in order, a line for each player, and the best hand."""
    shown = person.page.get_by_role("region", name="Final ranking")
    expect(shown.locator(".mj-ranked-score")).to_have_count(4)
    ranked = [number(text.removeprefix("+")) for text in shown.locator(".mj-ranked-score").all_inner_texts()]
    assert ranked == sorted(scores, reverse=True)
    expect(shown.locator(".mj-chart-line")).to_have_count(4)
    rows = shown.locator("table tbody tr")
    assert rows.count() > LAST
    assert [number(text) for text in rows.last.locator("td").all_inner_texts()] == scores
    best = shown.get_by_role("region", name="Best hand")
    expect(best.locator(".mj-winning .mj-tile")).to_have_count(1)
    expect(best.get_by_role("link", name="Watch this hand")).to_have_attribute(
        "href", re.compile(r"^#/g/[\w-]+/1/[1-9]\d*$")
    )


def test_a_whole_match_is_played_on_two_devices_and_stepped_through(visitor: Visitor, address: str) -> None:
    ada = visitor()
    open_mahjong(ada)
    top = ada.page.locator(".top").bounding_box()
    route = ada.page.url.split("#", 1)[1]
    room = route.rsplit("/", 1)[1]
    play_until_last(ada, int(address.rsplit(":", 1)[1]), room)
    expect(ada.status).to_have_text("This table is open in another tab.")

    phone = visitor(route, size=PHONE, has_touch=True, storage_state=ada.context.storage_state())
    expect(phone.page.locator(".table-round").first).to_have_text("East round, hand 4")
    for _ in range(12):
        by_fingers(phone)
        if phone.page.get_by_role("button", name="Next hand").count() == 0:
            break
        phone.press("Next hand")
        expect(result(phone)).to_be_hidden()
    expect(phone.status).to_contain_text("after the last hand")
    scores = [number(cell) for cell in result(phone).locator(".mj-sum").all_inner_texts()]
    assert sum(scores) == 0
    assert accessibility_problems(phone.page, "the last hand on a phone") == []
    phone.press("Final ranking")
    expect_ranking(phone, scores)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_problems(phone.page, "a finished match on a phone") == []
    # A page that is opened later knows the hands before it came, too.
    phone.page.reload()
    expect_ranking(phone, scores)

    # The phone continues at the table, the desktop opens the replay.
    phone.press("Rematch")
    expect(result(phone)).to_be_hidden()
    expect(phone.page.locator(".table-round").last).to_have_text("Game 2")
    expect(phone.page.get_by_role("toolbar", name="Your hand")).to_be_visible()

    positions = steps(address, room)
    ends = [place for place, position in enumerate(positions) if position["stage"] == "hand_over"]
    assert len(ends) >= LAST
    # The best hand has a link to its first step.
    ada.visit(f"/g/{room}/1/2")
    at = ada.page.locator("output.autoplay-at")
    expect(at).to_have_text(f"Step {ends[0] + 1} of {len(positions) - 1}")
    ada.visit(f"/g/{room}/1")
    expect(at).to_have_text(f"Step 0 of {len(positions) - 1}")
    assert ada.page.locator(".top").bounding_box() == top
    for end in (ends[0], ends[-1]):
        ada.page.get_by_role("slider", name="Position in the game").fill(str(end))
        expect(at).to_have_text(f"Step {end} of {len(positions) - 1}")
        expect_hand(ada, positions[end])
        ada.press("Next move")
        expect(result(ada)).to_be_hidden()
        expect(ada.page.locator(".replay-announcement")).to_contain_text(
            re.compile(r"^East round, hand [1-4]")
        )
        expect(ada.page.locator(".mj-rack.mj-open")).to_have_count(4)
        assert positions[end + 1]["commitment"] != positions[end]["commitment"]
    # Another viewpoint stays at the same step.
    moment = at.inner_text()
    ada.page.get_by_label("View as").select_option("0")
    expect(ada.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    assert at.inner_text() == moment
    ada.press("Last move")
    expect_hand(ada, positions[-1])
    ada.page.locator(".verify summary").click()
    ada.press("Verify fairness")
    expect(ada.page.locator(".verify")).to_contain_text("Verified")
    assert accessibility_problems(ada.page, "a whole match, looked at again") == []
