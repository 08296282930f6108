"""Rooms whose game starts before a player arrives: how long they stay open, and how many may exist."""

from qipai.clients.legacy_messages import PlayAnySeat, TakeOpenSeat
from qipai.hall.people.presence import MAX_DESERTED
from qipai.kernel.ids import RoomId, Seat
from qipai.kernel.room import Phase
from tests.clients.mahjong.mahjong_clients import Mj, live_room_of, start
from tests.support.hall_simulation import HallSimulation


def test_a_started_game_is_dealt_and_all_its_seats_are_free_or_bots(simulation: HallSimulation) -> None:
    room = live_room_of(simulation, start(simulation, bots=[2])).durable
    assert room.phase is Phase.PLAYING
    assert [
        taken_seat is not None and (taken_seat.bot, taken_seat.reserved) for taken_seat in room.seats
    ] == [
        ("", True),
        ("normal", False),
        ("", True),
        ("", True),
    ]
    assert not room.table.public


def test_reserved_seats_count_for_no_person(simulation: HallSimulation) -> None:
    start(simulation)
    start(simulation, seats="token")
    assert not any(person.startswith(("vacant:", "seat:")) for person in simulation.hall.executor.seat_index)


def test_the_oldest_of_too_many_started_games_without_members_is_closed(simulation: HallSimulation) -> None:
    watched = start(simulation)
    Mj(simulation, watched).state()
    games = [start(simulation, address="192.0.2.7") for _ in range(MAX_DESERTED + 10)]
    simulation.wait(1)
    assert len(simulation.hall.executor.live_rooms) <= MAX_DESERTED + 1
    assert watched in simulation.hall.executor.live_rooms
    assert games[0] not in simulation.hall.executor.live_rooms
    assert games[-1] in simulation.hall.executor.live_rooms


def test_a_started_game_left_to_bots_is_not_closed_while_it_has_a_spectator(
    simulation: HallSimulation,
) -> None:
    one = Mj(simulation, start(simulation, bots=[1, 2, 3, 4]))
    one.state()
    simulation.wait(3_000)
    assert one.state()["stage"] == "WAITING_PLAYERS"
    one.leave()
    simulation.wait(700)
    assert one.game not in simulation.hall.executor.live_rooms


def test_impossible_seat_requests_are_refused(simulation: HallSimulation) -> None:
    kept, one = start(simulation, seats="token"), start(simulation)
    dealer = Mj(simulation, one)
    for kind in ("roll_positions", "roll_dealer", "deal_tiles"):
        dealer.do(kind)
    client = simulation.native_client("Ann")
    for game in (kept, one):
        client.ask("watch", room=game)
    client.received()
    nowhere = RoomId("majiang_nothing")
    intents = {
        PlayAnySeat(RoomId(kept), None): "not_seated",
        PlayAnySeat(RoomId(one), None): "not_your_turn",
        PlayAnySeat(nowhere, None): "no_such_room",
        TakeOpenSeat(nowhere, Seat(0)): "no_such_room",
        TakeOpenSeat(RoomId(kept), Seat(0)): "not_allowed",
        TakeOpenSeat(RoomId(one), Seat(0)): "seat_taken",
        TakeOpenSeat(RoomId(one), Seat(9)): "out_of_range",
    }
    for intent, code in intents.items():
        handler = simulation.hall.handlers[type(intent)]
        simulation.loop.call_soon(handler, client.connection, intent, simulation.now())
        (refused,) = client.received()
        assert (refused["type"], refused["code"]) == ("refused", code), intent


def test_a_seat_token_is_not_valid_in_another_room(simulation: HallSimulation) -> None:
    identity = simulation.hall.identity
    signed = identity.seat_token(RoomId("a"), Seat(1))
    assert identity.is_seat_token(signed, RoomId("a"), Seat(1))
    assert not identity.is_seat_token(signed, RoomId("b"), Seat(1))
    assert not identity.is_seat_token(signed, RoomId("a"), Seat(2))
    assert not identity.is_seat_token(signed + "x", RoomId("a"), Seat(1))
    assert not identity.is_seat_token("", RoomId("a"), Seat(1))
    assert identity.read_token(signed) is None, "it is no guest's token"
