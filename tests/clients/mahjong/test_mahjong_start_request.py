"""The body of `POST /api/game/start`: options and errors."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.clients.mahjong.errors import REFUSALS
from qipai.clients.mahjong.incoming_messages import RequestType
from qipai.clients.mahjong.outgoing_messages import STAGES
from qipai.clients.mahjong.rest_start_request import InvalidBody, house_rule_list, parse_start, start_reply
from qipai.games.mahjong.house_rules import DESCRIPTIONS, HouseRules
from qipai.games.mahjong.wire_types import Flowers, Settings, Size
from qipai.kernel.ids import RoomId
from tests.clients.mahjong.mahjong_clients import start
from tests.support.hall_simulation import HallSimulation

PAGE = Path(__file__).parents[3] / "docs" / "protocol" / "mahjong.md"


def body(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


@pytest.mark.parametrize("raw", [b"", b"  \n", b"{}"])
def test_an_empty_body_gives_the_default_game(raw: bytes) -> None:
    wanted = parse_start(raw)
    assert wanted.options == Settings(hints=False, manual_steps=True)
    assert wanted.table.legacy.open_seats
    assert wanted.table.clock is None
    assert wanted.bots == ()


def test_everything_may_be_chosen() -> None:
    wanted = parse_start(
        body(
            game_type=16,
            flowers="keep",
            seats="token",
            bots=[4, 2],
            rules={"several_winners": False, "passed_hu": "free", "dead_wall": 20},
            timeouts=True,
            base=300,
            unit=100,
            start_score=2000,
        )
    )
    options = wanted.options
    assert (options.tiles, options.flowers) == (Size.SIXTEEN, Flowers.KEEP)
    assert (options.base, options.unit, options.start) == (300, 100, 2000)
    assert options.house == HouseRules(several_winners=False, passed_hu="free", dead_wall=20)
    assert not wanted.table.legacy.open_seats
    assert wanted.table.clock is not None
    assert wanted.bots == (1, 3)


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b"x", "body"),
        (b"null", "body"),
        (b"[]", "body"),
        (b"\xff", "body"),
        (b"[" * 50, "body"),
        (body(game_type=14), "game_type"),
        (body(game_type="13"), "game_type"),
        (body(flowers=True), "flowers"),
        (body(flowers="eat"), "flowers"),
        (body(seats="closed"), "seats"),
        (body(bots=[0]), "bots"),
        (body(bots=[5]), "bots"),
        (body(bots=["1"]), "bots"),
        (body(bots=[True]), "bots"),
        (body(bots=[2, 2]), "bots"),
        (body(bots=2), "bots"),
        (body(seats="token", bots=[1, 2, 3, 4]), "bots"),
        (body(timeouts=1), "timeouts"),
        (body(base=-1), "base"),
        (body(base=2**40), "base"),
        (body(unit=1.5), "unit"),
        (body(start_score="0"), "start_score"),
        (body(rules=[]), "rules"),
        (body(rules={"several_winners": "yes"}), "rules.several_winners"),
        (body(rules={"passed_hu": "never"}), "rules.passed_hu"),
        (body(rules={"no_such_switch": True}), "rules.no_such_switch"),
        (body(players=4), "players"),
    ],
)
def test_an_invalid_body_names_the_field(raw: bytes, field: str) -> None:
    with pytest.raises(InvalidBody) as caught:
        parse_start(raw)
    assert caught.value.field == field
    assert caught.value.text


@given(st.binary(max_size=60))
def test_any_bytes_give_a_game_or_invalid_body(raw: bytes) -> None:
    with contextlib.suppress(InvalidBody):
        assert parse_start(raw).options.manual_steps


def test_the_start_reply_is_as_documented() -> None:
    answer = start_reply(RoomId("majiang_x"), parse_start(b""), {})
    assert answer == {
        "game_id": "majiang_x",
        "message": "遊戲初始化完成，等待進入 WebSocket 進行後續階段",
        "game_type": 13,
        "stage": "WAITING_PLAYERS",
        "round": "東風東",
        "round_code": "1-1",
        "round_number": 1,
    }
    keyed = start_reply(RoomId("majiang_x"), parse_start(body(seats="token")), {"1": "a"})
    assert keyed["tokens"] == {"1": "a"}


def test_every_house_rule_is_listed_with_default_and_meaning() -> None:
    rules = {rule["name"]: rule for rule in house_rule_list()["rules"]}
    assert list(rules) == list(HouseRules.__struct_fields__) == list(DESCRIPTIONS)
    assert rules["several_winners"]["default"] is True
    assert rules["passed_hu"]["choices"] == ["until_draw", "until_change", "free"]
    assert rules["cap"]["type"] == "integer"
    assert all(rule["meaning"] for rule in rules.values())


def test_the_protocol_page_lists_every_house_rule_command_and_code() -> None:
    page = PAGE.read_text("utf-8")
    for rule in house_rule_list()["rules"]:
        row = f"| `{rule['name']}` | `{json.dumps(rule['default'])}` | {rule['meaning']} |"
        assert row in page
    for word in (*RequestType, *(code for code, _ in REFUSALS.values()), *STAGES.values()):
        assert f"`{word}`" in page, word


def test_game_ids_are_random_and_unique(simulation: HallSimulation) -> None:
    games = [start(simulation) for _ in range(50)]
    assert len(set(games)) == 50
    for game in games:
        assert game.startswith("majiang_")
        assert len(game.removeprefix("majiang_")) * 5 >= 64
