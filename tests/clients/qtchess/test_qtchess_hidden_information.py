"""Chess clients at tables of web clients that hide information."""

from typing import Any

import pytest

from tests.clients.qtchess.qtchess_clients import FOG, MINES, Qt, actions, error, start
from tests.clients.qtchess.test_qtchess_with_web_clients import page, web_table
from tests.support.hall_simulation import HallSimulation

HIDDEN_OPTIONS = [{"fog": True}, {"mines": 3}, {"fog": True, "mines": 3}]


@pytest.mark.parametrize("options", HIDDEN_OPTIONS, ids=str)
def test_a_web_table_that_hides_information_refuses_a_chess_client(
    simulation: HallSimulation, options: dict[str, Any]
) -> None:
    web, room = web_table(simulation, options)
    guest = Qt(simulation)
    received = guest.join(room["code"])
    assert error(received) == "此房間有隱藏資訊，不開放本程式加入"
    assert len(received) == 1
    assert web.received() == []
    page(simulation, "Bo").ask("join", room=room["code"])
    assert web.received()[-1]["type"] == "events", "the seat was still free"


def test_a_rated_table_refuses_a_chess_client(simulation: HallSimulation) -> None:
    table = {"rated": True, "undo_allowed": False, "clock": {"main": [60_000]}}
    ada = simulation.account("Ada")
    room = ada.ask("open", game="chess", nonce="n", table=table)[0]["room"]
    assert error(Qt(simulation).join(room["code"])) == "此房間為積分賽，須登入帳號"
    assert ada.received() == []


def test_a_web_table_without_hidden_information_takes_a_chess_client(simulation: HallSimulation) -> None:
    _, room = web_table(simulation, {"dice": "free"})
    assert actions(Qt(simulation).join(room["code"]))[:2] == ["joinedRoom", "gameStart"]


def test_a_chess_client_may_join_where_the_host_allows_it(simulation: HallSimulation) -> None:
    _, room = web_table(simulation, {"fog": True}, sees_hidden_allowed=True)
    assert actions(Qt(simulation).join(room["code"]))[:2] == ["joinedRoom", "gameStart"]


def test_a_web_client_sits_where_others_may_see_everything_only_after_accepting(
    simulation: HallSimulation,
) -> None:
    ada, room = web_table(simulation, {"fog": True}, sees_hidden_allowed=True)
    bo = page(simulation, "Bo")
    (refused,) = bo.ask("join", room=room["code"])
    assert (refused["type"], refused["code"]) == ("refused", "sees_hidden")
    assert ada.received() == []
    (seen, *_) = bo.ask("join", room=room["code"], accept_sees_hidden=True)
    assert seen["type"] == "room"
    assert seen["room"]["table"]["sees_hidden_allowed"]
    assert bo.ask("join", room=room["code"])[0]["type"] == "room", (
        "a seated player returns without a question"
    )
    ada.received()
    assert ada.ask("join", room=room["code"])[0]["type"] == "room"


def test_nothing_must_be_accepted_where_nothing_is_hidden(simulation: HallSimulation) -> None:
    _, room = web_table(simulation, {}, sees_hidden_allowed=True)
    assert page(simulation, "Bo").ask("join", room=room["code"])[0]["type"] == "room"


def test_the_lobby_names_tables_where_others_may_see_everything(simulation: HallSimulation) -> None:
    for options, allowed in (({"fog": True}, True), ({"mines": 2}, False), ({}, True)):
        web = page(simulation)
        table = {"sees_hidden_allowed": allowed}
        web.ask("open", game="chess", nonce="t", options=options, table=table, seat=0)
    (lobby,) = page(simulation, "Cy").ask("lobby")
    assert [row.get("sees_hidden_allowed", False) for row in lobby["rooms"]] == [True, False, False]


def test_a_web_client_must_accept_to_join_a_chess_client_after_a_game_in_fog(
    simulation: HallSimulation,
) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    host.create()
    guest.join(host.code)
    host.received()
    start(host, FOG)
    guest.ask("leaveRoom")
    simulation.wait(1)
    web = page(simulation)
    (refused,) = web.ask("join", room=host.code)
    assert refused["code"] == "sees_hidden"


@pytest.mark.parametrize("modes", [(FOG,), (MINES,), ()], ids=["fog", "mines", "neither"])
def test_a_web_client_knows_before_it_sits_what_the_host_of_a_chess_client_may_choose(
    simulation: HallSimulation, modes: tuple[str, ...]
) -> None:
    host, web = Qt(simulation), page(simulation)
    host.create()
    (lobby,) = page(simulation, "Cy").ask("lobby")
    assert [row["sees_hidden_allowed"] for row in lobby["rooms"]] == [True]
    (refused,) = web.ask("join", room=host.code)
    assert (refused["type"], refused["code"]) == ("refused", "sees_hidden")
    assert host.received() == [], "nobody sat down"
    assert web.ask("join", room=host.code, accept_sees_hidden=True)[0]["type"] == "room"
    assert actions(host.received()) == ["playerJoined"]
    start(host, *modes)
    web.received()
    assert web.ask("join", room=host.code)[0]["type"] == "room", "a seated player is not asked again"


def test_two_chess_clients_are_asked_nothing(simulation: HallSimulation) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    host.create()
    assert actions(guest.join(host.code)) == ["joinedRoom"]


def test_a_web_client_who_is_left_alone_in_such_a_room_is_no_such_program(simulation: HallSimulation) -> None:
    host, web = Qt(simulation), page(simulation)
    host.create()
    web.ask("join", room=host.code, accept_sees_hidden=True)
    host.ask("leaveRoom")
    simulation.wait(1)
    assert page(simulation, "Bo").ask("join", room=host.code)[0]["type"] == "room"
