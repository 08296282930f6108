"""Several seats over one socket: each has a person, and all end with the socket."""

from qipai.clients.legacy_messages import ActAs
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from tests.clients.mahjong.mahjong_clients import Mj, live_room_of, single, start, token
from tests.support.hall_simulation import HallSimulation


def test_one_socket_holds_several_seats_with_a_person_each(simulation: HallSimulation) -> None:
    one, _ = single(simulation)
    chairs = [
        taken_seat
        for taken_seat in live_room_of(simulation, one.game).durable.seats
        if taken_seat is not None
    ]
    assert len({taken_seat.person for taken_seat in chairs}) == 4
    assert one.connection.person not in {taken_seat.person for taken_seat in chairs}
    holders = live_room_of(simulation, one.game).holders
    assert {holder.outbox for holder in holders.values()} == {one.connection.outbox}
    assert len(holders) == 4


def test_further_seats_of_a_socket_are_not_counted_as_persons_online(simulation: HallSimulation) -> None:
    before = len(simulation.hall.persons)
    single(simulation)
    assert len(simulation.hall.persons) == before + 1


def test_when_a_socket_closes_all_its_seats_are_left(simulation: HallSimulation) -> None:
    one, _ = single(simulation)
    one.leave()
    live_room = live_room_of(simulation, one.game)
    assert live_room.members == {}
    assert live_room.holders == {}
    simulation.wait(6)
    assert all(
        taken_seat is not None and taken_seat.disconnected_at is not None
        for taken_seat in live_room.durable.seats
    )
    assert simulation.legacy._seats._seats == {}


def test_a_connection_without_a_person_has_no_further_seats(simulation: HallSimulation) -> None:
    one = Mj(simulation)
    wish = ActAs("key", one.connection.dialect, None)
    simulation.hall.handlers_before_hello[ActAs](one.connection, wish, simulation.now())
    assert simulation.legacy._seats._seats == {}


def test_a_seat_that_was_taken_as_the_socket_closed_is_lost_at_once(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    one.state()
    one.send("join_room", {"player_id": 1})
    simulation.loop.call_soon(simulation.hall.arrived, one.connection, None)
    simulation.wait(6)
    live_room = live_room_of(simulation, one.game)
    taken_seat = live_room.durable.seats[0]
    assert taken_seat is not None
    assert taken_seat.reserved or taken_seat.disconnected_at is not None
    assert live_room.members == {}


def test_a_stored_game_continues_after_a_restart_with_its_tokens_and_numbers(
    simulation: HallSimulation,
) -> None:
    game = start(simulation, seats="token", bots=[2])
    one = Mj(simulation, game)
    for player in (1, 3, 4):
        one.do("join_room", {"player_id": player, "token": token(simulation, game, player)})
    one.do("roll_positions")
    one.do("roll_dealer")
    one.do("deal_tiles")
    before = one.state()
    simulation.run(simulation.hall.stop())
    with HallSimulation(simulation.store, clock=simulation.loop.clock + 60) as again:
        back = Mj(again, game)
        for player in (1, 3, 4):
            back.do("join_room", {"player_id": player, "token": token(again, game, player)})
        after = back.state()
        same = ("stage", "players", "commitment", "current_player_id", "legal_actions")
        assert {key: after[key] for key in same} == {key: before[key] for key in same}
        assert after["seq"] >= before["seq"]


def test_a_move_that_came_with_its_seat_is_replayed_after_a_restart(simulation: HallSimulation) -> None:
    game = start(simulation)
    dealer = Mj(simulation, game)
    dealer.do("join_room", {"player_id": 1})
    dealer.do("roll_positions")
    number = dealer.do("roll_dealer")["dealer_player_id"]
    dealer.do("deal_tiles")
    other = Mj(simulation, game)
    live_room = live_room_of(simulation, game)
    assert live_room.durable.state is not None
    tile = live_room.durable.state.seat_tiles[number - 1].tiles[0]
    (dealer if number == 1 else other).discard(number, tile)
    state = live_room.durable.state
    simulation.run(simulation.hall.stop())
    with HallSimulation(simulation.store, clock=simulation.loop.clock + 60) as again:
        assert live_room_of(again, game).durable.state == state
        assert live_room_of(again, game).durable.phase is Phase.PLAYING


def test_a_seat_is_not_open_without_its_token(simulation: HallSimulation) -> None:
    game = start(simulation, seats="token")
    peer = simulation.native_client("Ann")
    (refused,) = peer.ask("join", room=game, seat=0)
    assert refused["code"] == "room_full"
    assert live_room_of(simulation, game).holders.get(Seat(0)) is None
