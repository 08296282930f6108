"""Each game in other languages: join by code, reload, reconnect; no requests to other servers."""

import time
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.support.server import Client, Message

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Move = dict[str, Any]
VISITS: Final = [
    ("tictactoe", "zh-CN", DESKTOP, [{"do": "mark", "cell": cell} for cell in (4, 0)]),
    ("gomoku", "zh-TW", PHONE, [{"do": "place", "x": 7, "y": 7}, {"do": "place", "x": 3, "y": 3}]),
    ("chess", "zh-TW", DESKTOP, [{"do": "move", "uci": "e2e4"}, {"do": "move", "uci": "d2d4"}]),
]
"""Two moves of the first player; the page answers between them."""
ANSWERS: Final = {"tictactoe": ['[data-cell="8"]'], "gomoku": ['[data-cell="0"]'] * 2, "chess": ["e7", "e5"]}


def play(client: Client, room: str, move: Move, nonce: str) -> None:
    client.send("play", room=room, move=move, nonce=nonce)
    while (notice := client.receive_until("events", "refused", "unchanged")).get("nonce") != nonce:
        pass
    assert notice["type"] != "refused", notice


def board(person: Person) -> list[str]:
    """Return the accessible names on the board."""
    cells = person.page.locator(".board :is([data-cell], [data-square])")
    return [
        label.split("，")[0].split(",")[0]
        for label in cells.evaluate_all("all => all.map((one) => one.ariaLabel)")
    ]


def answer(person: Person, game: str) -> None:
    for where in ANSWERS[game]:
        person.page.locator(where if "[" in where else f'[data-square="{where}"]').click(force=True)


@pytest.mark.parametrize(("game", "language", "size", "moves"), VISITS)
def test_a_game_in_another_language_survives_a_reload_and_a_disconnect(
    visitor: Visitor, address: str, game: str, language: str, size: tuple[int, int], moves: list[Move]
) -> None:
    client = Client(int(address.rsplit(":", 1)[1]), name="Bo")
    room: Message = client.ask("open", "room", game=game, nonce="open", seat=0)["room"]
    ada = visitor(language=language, size=size, has_touch=size == PHONE)
    asked: list[str] = []
    ada.context.on("request", lambda request: asked.append(request.url))
    ada.page.goto(f"{address}/#/c/{room['code']}")
    ada.page.wait_for_url(f"**/#/t/{room['id']}")
    dealt = client.receive_event("game_started")
    first = dealt["position"].get("first", dealt["position"].get("black", dealt["position"].get("white")))
    if first == 0:
        play(client, room["id"], moves[0], "first")
    expect(ada.page.locator(".status-mine")).to_be_visible()
    before = board(ada)
    answer(ada, game)
    expect(ada.page.locator(".status-mine")).to_have_count(0)
    after = board(ada)
    assert after != before
    ada.page.reload()
    expect(ada.page.locator(".status-text")).to_be_visible()
    expect(ada.page.locator(".board :is([data-cell], [data-square])").nth(8)).to_be_visible()
    assert board(ada) == after
    ada.cut()
    expect(ada.banner).to_be_visible()
    play(client, room["id"], moves[1 if first == 0 else 0], "meanwhile")
    assert board(ada) == after
    ada.mend()
    expect(ada.banner).to_have_count(0)
    expect(ada.page.locator(".status-mine")).to_be_visible()
    assert board(ada) != after
    assert (
        ada.page.evaluate("document.documentElement.lang")
        == {"zh-TW": "zh-Hant", "zh-CN": "zh-Hans"}[language]
    )
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in asked if not url.startswith((address, address.replace("http", "ws")))] == []
    client.close()


def test_a_mahjong_hand_survives_a_reload_and_a_disconnect_on_a_phone(visitor: Visitor, address: str) -> None:
    client = Client(int(address.rsplit(":", 1)[1]), name="Bo")
    room = client.ask("open", "room", game="mahjong", nonce="open", bot="random", bots=2)["room"]
    ada = visitor(language="zh-CN", size=PHONE, has_touch=True)
    ada.page.goto(f"{address}/#/c/{room['code']}")
    tiles = ada.page.locator(".mj-held")
    expect(tiles.nth(12)).to_be_visible()

    def held() -> set[str]:
        return set(tiles.evaluate_all("all => all.map((one) => one.dataset.tile)"))

    # The other player never moves, so the hand changes by one draw at most.
    before = held()
    ada.page.reload()
    expect(tiles.nth(12)).to_be_visible()
    assert len(held() & before) >= 12
    ada.cut()
    expect(ada.banner).to_be_visible()
    ada.mend()
    expect(ada.banner).to_have_count(0)
    assert len(held() & before) >= 12
    client.close()


def test_a_spectator_of_a_delayed_table_sees_it_later(visitor: Visitor, address: str) -> None:
    port = int(address.rsplit(":", 1)[1])
    ann, bo = Client(port, name="Ann"), Client(port, name="Bo")
    room = ann.ask("open", "room", game="gomoku", nonce="open", seat=0, table={"spectator_delay": 4})["room"][
        "id"
    ]
    bo.ask("join", "room", room=room, seat=1)
    cyd = visitor(f"/t/{room}")
    expect(cyd.point("H8")).to_be_visible()
    # Only a spectator who sees the game can see a delayed stone.
    expect(cyd.status).to_contain_text("'s turn")
    asked = time.monotonic()
    play(ann, room, {"do": "place", "x": 7, "y": 7}, "stone")
    cyd.expect_point("H8", "black")
    assert time.monotonic() - asked >= 3.9
    for one in (ann, bo):
        one.close()
