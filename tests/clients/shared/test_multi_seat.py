"""Several people behind one peer: each has his own seat, and all go when the peer goes."""

from qipai.clients.legacy_messages import ActAs
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from tests.clients.mahjong.mahjong_clients import Mj, live_room_of, single, start, token
from tests.support.stage import Stage


def test_one_socket_holds_several_seats_by_people_of_its_own(stage: Stage) -> None:
    one, _ = single(stage)
    chairs = [
        taken_seat for taken_seat in live_room_of(stage, one.game).durable.seats if taken_seat is not None
    ]
    assert len({taken_seat.person for taken_seat in chairs}) == 4
    assert one.connection.person not in {taken_seat.person for taken_seat in chairs}
    holders = live_room_of(stage, one.game).holders
    assert {holder.outbox for holder in holders.values()} == {one.connection.outbox}
    assert len(holders) == 4


def test_companions_are_not_counted_as_people_online(stage: Stage) -> None:
    before = len(stage.hall.persons)
    single(stage)
    assert len(stage.hall.persons) == before + 1


def test_when_a_socket_goes_all_its_people_are_gone(stage: Stage) -> None:
    one, _ = single(stage)
    one.leave()
    live_room = live_room_of(stage, one.game)
    assert live_room.members == {}
    assert live_room.holders == {}
    stage.wait(6)
    assert all(
        taken_seat is not None and taken_seat.disconnected_at is not None
        for taken_seat in live_room.durable.seats
    )
    assert stage.legacy._seats._seats == {}


def test_a_stranger_has_no_companions(stage: Stage) -> None:
    one = Mj(stage)
    wish = ActAs("key", one.connection.dialect, None)
    stage.hall.handlers_before_hello[ActAs](one.connection, wish, stage.now())
    assert stage.legacy._seats._seats == {}


def test_a_seat_that_was_taken_as_the_socket_closed_is_lost_at_once(stage: Stage) -> None:
    one = Mj(stage, start(stage))
    one.state()
    one.send("join_room", {"player_id": 1})
    stage.loop.call_soon(stage.hall.arrived, one.connection, None)
    stage.wait(6)
    live_room = live_room_of(stage, one.game)
    taken_seat = live_room.durable.seats[0]
    assert taken_seat is not None
    assert taken_seat.reserved or taken_seat.disconnected_at is not None
    assert live_room.members == {}


def test_a_stored_game_goes_on_after_a_restart_with_its_tokens_and_numbers(stage: Stage) -> None:
    game = start(stage, seats="token", bots=[2])
    one = Mj(stage, game)
    for player in (1, 3, 4):
        one.do("join_room", {"player_id": player, "token": token(stage, game, player)})
    one.do("roll_positions")
    one.do("roll_dealer")
    one.do("deal_tiles")
    before = one.state()
    stage.run(stage.hall.stop())
    with Stage(stage.store, clock=stage.loop.clock + 60) as again:
        back = Mj(again, game)
        for player in (1, 3, 4):
            back.do("join_room", {"player_id": player, "token": token(again, game, player)})
        after = back.state()
        same = ("stage", "players", "commitment", "current_player_id", "legal_actions")
        assert {key: after[key] for key in same} == {key: before[key] for key in same}
        assert after["seq"] >= before["seq"]


def test_a_move_that_came_with_its_seat_is_replayed_after_a_restart(stage: Stage) -> None:
    game = start(stage)
    dealer = Mj(stage, game)
    dealer.do("join_room", {"player_id": 1})
    dealer.do("roll_positions")
    number = dealer.do("roll_dealer")["dealer_player_id"]
    dealer.do("deal_tiles")
    other = Mj(stage, game)
    live_room = live_room_of(stage, game)
    assert live_room.durable.state is not None
    tile = live_room.durable.state.seat_tiles[number - 1].tiles[0]
    (dealer if number == 1 else other).discard(number, tile)
    state = live_room.durable.state
    stage.run(stage.hall.stop())
    with Stage(stage.store, clock=stage.loop.clock + 60) as again:
        assert live_room_of(again, game).durable.state == state
        assert live_room_of(again, game).durable.phase is Phase.PLAYING


def test_a_seat_is_not_open_to_who_is_neither_seated_nor_told(stage: Stage) -> None:
    game = start(stage, seats="token")
    peer = stage.peer("Ann")
    (refused,) = peer.ask("join", room=game, seat=0)
    assert refused["code"] == "room_full"
    assert live_room_of(stage, game).holders.get(Seat(0)) is None
