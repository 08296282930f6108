"""Games that begin before anybody has come: how they are kept, and that nobody fills the server with them."""

from qipai.clients.legacy_messages import PlayAnySeat, TakeOpenSeat
from qipai.hall.people.presence import MAX_DESERTED
from qipai.kernel.ids import RoomId, Seat
from qipai.kernel.room import Phase
from tests.clients.mahjong.mahjong_clients import Mj, live_room_of, start
from tests.support.stage import Stage


def test_a_started_game_is_dealt_and_all_its_seats_are_vacant_or_bots(stage: Stage) -> None:
    room = live_room_of(stage, start(stage, bots=[2])).durable
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


def test_seats_that_are_kept_count_for_nobody(stage: Stage) -> None:
    start(stage)
    start(stage, seats="token")
    assert not any(person.startswith(("vacant:", "seat:")) for person in stage.hall.executor.seat_index)


def test_the_oldest_of_too_many_games_to_which_nobody_came_is_closed(stage: Stage) -> None:
    watched = start(stage)
    Mj(stage, watched).state()
    games = [start(stage) for _ in range(MAX_DESERTED + 10)]
    stage.wait(1)
    assert len(stage.hall.executor.live_rooms) <= MAX_DESERTED + 1
    assert watched in stage.hall.executor.live_rooms
    assert games[0] not in stage.hall.executor.live_rooms
    assert games[-1] in stage.hall.executor.live_rooms


def test_a_started_game_that_was_left_to_bots_is_not_closed_while_somebody_watches(stage: Stage) -> None:
    one = Mj(stage, start(stage, bots=[1, 2, 3, 4]))
    one.state()
    stage.wait(3_000)
    assert one.state()["stage"] == "WAITING_PLAYERS"
    one.leave()
    stage.wait(700)
    assert one.game not in stage.hall.executor.live_rooms


def test_what_is_asked_for_in_vain_is_refused(stage: Stage) -> None:
    kept, one = start(stage, seats="token"), start(stage)
    dealer = Mj(stage, one)
    for kind in ("roll_positions", "roll_dealer", "deal_tiles"):
        dealer.do(kind)
    peer = stage.peer("Ann")
    for game in (kept, one):
        peer.ask("watch", room=game)
    peer.heard()
    nowhere = RoomId("majiang_nothing")
    wishes = {
        PlayAnySeat(RoomId(kept), None): "not_seated",
        PlayAnySeat(RoomId(one), None): "not_your_turn",
        PlayAnySeat(nowhere, None): "no_such_room",
        TakeOpenSeat(nowhere, Seat(0)): "no_such_room",
        TakeOpenSeat(RoomId(kept), Seat(0)): "not_allowed",
        TakeOpenSeat(RoomId(one), Seat(0)): "seat_taken",
        TakeOpenSeat(RoomId(one), Seat(9)): "out_of_range",
    }
    for wish, code in wishes.items():
        deed = stage.hall.handlers[type(wish)]
        stage.loop.call_soon(deed, peer.connection, wish, stage.now())
        (refused,) = peer.heard()
        assert (refused["type"], refused["code"]) == ("refused", code), wish


def test_the_seats_of_another_table_are_not_opened_by_a_token(stage: Stage) -> None:
    identity = stage.hall.identity
    signed = identity.seat_token(RoomId("a"), Seat(1))
    assert identity.is_seat_token(signed, RoomId("a"), Seat(1))
    assert not identity.is_seat_token(signed, RoomId("b"), Seat(1))
    assert not identity.is_seat_token(signed, RoomId("a"), Seat(2))
    assert not identity.is_seat_token(signed + "x", RoomId("a"), Seat(1))
    assert not identity.is_seat_token("", RoomId("a"), Seat(1))
    assert identity.read_token(signed) is None, "it is no guest's token"
