"""Mahjong commands repeated after a restart take effect once."""

from pathlib import Path

import pytest

from qipai.stores.sqlite_store import SqliteStore
from tests.clients.mahjong.mahjong_clients import Message, Mj, hand, live_room_of, start, token
from tests.support.hall_simulation import HallSimulation


def sit(simulation: HallSimulation, game: str, players: tuple[int, ...] = (1, 2, 3, 4)) -> dict[int, Mj]:
    """Return a client for each of these seats, by token or as an open seat."""
    clients = {player: Mj(simulation, game) for player in players}
    for player, one in clients.items():
        one.do("join_room", {"player_id": player, "token": token(simulation, game, player)})
    return clients


def begun(simulation: HallSimulation, seats: str) -> tuple[dict[int, Mj], int]:
    """Return four clients at a game just dealt, and the dealer."""
    clients = sit(simulation, start(simulation, seats=seats))
    clients[1].do("roll_positions")
    clients[1].do("roll_dealer")
    return clients, int(clients[1].do("deal_tiles")["current_player_id"])


def after(player: int, steps: int = 1) -> int:
    return (player - 1 + steps) % 4 + 1


def drop(clients: dict[int, Mj], player: int) -> None:
    clients[player].discard(player, hand(clients[player].state(), player)[-1])


def say_pass(one: Mj, player: int, req_id: str) -> Message:
    return one.ask("player_action", {"player_id": player, "action": "pass"}, req_id=req_id)


@pytest.mark.parametrize("seats", ["token", "open"])
def test_a_repeated_pass_does_not_pass_on_a_later_discard(tmp_path: Path, seats: str) -> None:
    with HallSimulation(SqliteStore(tmp_path / "m.db")) as first:
        clients, dealer = begun(first, seats)
        game = clients[1].game
        drop(clients, dealer)
        slow = after(dealer, 3)
        assert "error" not in say_pass(clients[slow], slow, "p")
    with HallSimulation(SqliteStore(tmp_path / "m.db"), clock=500) as second:
        second.wait(90)
        others = tuple(player for player in range(1, 5) if player != slow)
        clients = sit(second, game, others)
        for player in others:
            if player != dealer:
                clients[player].act(player, "pass")
        drawer = after(dealer)
        clients[drawer].do("draw_tile", {"player_id": drawer})
        drop(clients, drawer)
        late = Mj(second, game)
        if seats == "token":
            late.do("join_room", {"player_id": slow, "token": token(second, game, slow)})
        answer = say_pass(late, slow, "p")
        assert answer["data"]["stage"] == "WAIT_ACTION"
        assert slow in answer["data"]["waiting_for"], "the new discard is not passed on"
        version = live_room_of(second, game).durable.version
        assert say_pass(late, slow, "p") == answer
        assert live_room_of(second, game).durable.version == version
        assert slow not in say_pass(late, slow, "q")["data"]["waiting_for"]


def test_a_repeated_draw_does_not_draw_in_a_later_turn(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "m.db")) as first:
        clients, dealer = begun(first, "token")
        game = clients[1].game
        drop(clients, dealer)
        for steps in (1, 2, 3):
            clients[after(dealer, steps)].act(after(dealer, steps), "pass")
        drawer = after(dealer)
        assert "error" not in clients[drawer].ask("draw_tile", req_id=1)
    with HallSimulation(SqliteStore(tmp_path / "m.db"), clock=500) as second:
        clients = sit(second, game)
        for turn in range(4):
            player = after(drawer, turn)
            if turn:
                clients[player].do("draw_tile")
            drop(clients, player)
            for steps in (1, 2, 3):
                clients[after(player, steps)].act(after(player, steps), "pass")
        left = clients[drawer].state()["deck_remaining"]
        assert clients[drawer].state()["legal_actions"] == {str(drawer): ["draw"]}
        answer = clients[drawer].ask("draw_tile", req_id=1)
        assert (answer["data"]["stage"], answer["data"]["tile"]) == ("PLAYER_DRAW", None)
        assert clients[drawer].state()["deck_remaining"] == left
        assert clients[drawer].do("draw_tile", req_id=2)["stage"] == "PLAYER_DISCARD"


def test_a_request_refused_before_a_restart_may_be_sent_again(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "m.db")) as first:
        clients, dealer = begun(first, "token")
        game, other = clients[1].game, after(dealer)
        assert say_pass(clients[other], other, "p")["code"] == "bad_stage"
    with HallSimulation(SqliteStore(tmp_path / "m.db"), clock=500) as second:
        clients = sit(second, game)
        drop(clients, dealer)
        assert other not in say_pass(clients[other], other, "p")["data"]["waiting_for"]


def test_two_seats_may_use_the_same_request_id_at_the_same_time() -> None:
    with HallSimulation() as simulation:
        clients, dealer = begun(simulation, "token")
        drop(clients, dealer)
        voters = [after(dealer, steps) for steps in (1, 2)]
        for player in voters:
            clients[player].send("player_action", {"player_id": player, "action": "pass"}, req_id=7)
        for player in voters:
            (answer,) = clients[player].answers()
            assert answer["type"] == "player_action_response"
            assert player not in answer["data"]["waiting_for"]
        assert clients[dealer].state()["waiting_for"] == [after(dealer, 3)]
