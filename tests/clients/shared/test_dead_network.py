"""Players of older clients whose network is dead, on the hall without sockets."""

from qipai.clients.client_registry import PING_INTERVAL, PING_TIMEOUT
from qipai.hall.connections.keep_alive import AWAY, PERIOD
from tests.clients.mahjong.mahjong_clients import live_room_of, start
from tests.clients.mahjong.test_mahjong_restart import sit
from tests.clients.qtchess.qtchess_clients import Qt
from tests.support.hall_simulation import HallSimulation

NOTICED_SECONDS = 10
"""Within this time the others see that a player is away."""


def test_a_dead_network_is_noticed_in_time_by_the_settings() -> None:
    # A connection may have sent something just after a check, so that one more period passes.
    assert (AWAY + 1) * PERIOD / 1000 <= NOTICED_SECONDS
    assert PING_INTERVAL + PING_TIMEOUT <= NOTICED_SECONDS


def test_every_seat_of_a_dead_mahjong_socket_is_away_and_back_with_it(simulation: HallSimulation) -> None:
    game = start(simulation)
    peer = sit(simulation, game, (1,))[1]
    live = live_room_of(simulation, game)
    simulation.wait(5)
    peer.transport.pong = None
    simulation.wait(NOTICED_SECONDS)
    taken = live.durable.seats[0]
    assert taken is not None
    assert taken.disconnected_at is not None
    assert not peer.transport.aborted
    peer.send("get_state")
    simulation.wait(2.1)
    taken = live.durable.seats[0]
    assert taken is not None
    assert taken.disconnected_at is None


def test_a_dead_chess_client_is_away_for_web_players_and_keeps_its_game(
    simulation: HallSimulation,
) -> None:
    """These clients cannot reconnect, so that a network that is only slow must not cost the game."""
    host, web = Qt(simulation), simulation.native_client("Web")
    code = host.create()
    web.ask("join", room=code, accept_sees_hidden=True)
    simulation.wait(5)
    web.received()
    host.transport.pong = None
    simulation.wait(NOTICED_SECONDS)
    events = [event["e"] for notice in web.received() for event in notice.get("events", ())]
    assert events == ["disconnected"]
    assert not host.transport.aborted
