"""Table rules chosen when a room is opened: undo, substitute bots, disconnect timeout."""

from qipai.kernel.seats import SEAT_OPEN_AFTER
from tests.support.hall_simulation import EPOCH, HallSimulation, Message, seat_to_act


def opened(simulation: HallSimulation, game: str, **table: object) -> Message:
    (answer,) = simulation.native_client("Ann").ask("open", game=game, nonce="n", table=table)
    return answer


def test_where_no_move_is_taken_back_an_undo_is_forbidden_and_nothing_else(
    simulation: HallSimulation,
) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    shown = ann.ask("open", game="gomoku", nonce="t", table={"undo_allowed": False})[0]
    room = shown["room"]["id"]
    assert shown["room"]["table"] == {"undo_allowed": False}
    start = bob.ask("join", room=room)[0]
    ann.received()
    seats = [ann, bob]
    mover = seats[seat_to_act(start)]
    assert mover.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})[0]["type"] == "events"
    (refused,) = mover.ask("offer", room=room, kind="undo", nonce="u")
    assert (refused["code"], refused["nonce"]) == ("forbidden", "u")
    assert mover.ask("offer", room=room, kind="draw", nonce="d")[0]["events"][0]["e"] == "offer_made"
    watcher = simulation.native_client("Eve")
    assert watcher.ask("watch", room=room)[0]["room"]["table"] == {"undo_allowed": False}


def test_a_substitute_bot_must_be_a_bot_of_the_game(simulation: HallSimulation) -> None:
    assert opened(simulation, "gomoku", substitute_bot="perfect")["code"] == "no_such_bot"
    assert opened(simulation, "tictactoe", substitute_bot="perfect")["type"] == "room"


def test_with_a_substitute_bot_no_player_forfeits(simulation: HallSimulation) -> None:
    table = opened(simulation, "gomoku", substitute_bot="easy", disconnect_timeout=30)["room"]["table"]
    assert table == {"substitute_bot": "easy", "disconnect_timeout": 0}


def test_between_two_one_may_resign_though_a_bot_would_go_on(simulation: HallSimulation) -> None:
    _, bob, shown = simulation.running_room(substitute_bot="perfect")
    (over,) = bob.ask("resign", room=shown["room"]["id"], nonce="r")
    assert over["events"][0]["reason"] == "resigned"


def test_everybody_sees_until_when_an_absent_player_is_waited_for(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=30)
    room = shown["room"]["id"]
    eve = simulation.native_client("Eve")
    eve.ask("watch", room=room)
    ann.disconnect()
    simulation.wait(6)
    seat = 1 - shown["you"]
    lost = EPOCH + 5_000
    for one in (bob, eve):
        (away,) = one.received_except_counts()
        assert away["events"] == [{"e": "disconnected", "seat": seat, "forfeits_at": lost + 30_000}]
        (whole,) = one.ask("resume", room=room, version=0)
        chair = whole["room"]["seats"][seat]
        assert (chair["disconnected"], chair["disconnected_at"], chair["forfeits_at"]) == (
            True,
            lost,
            lost + 30_000,
        )
        assert whole["room"]["table"]["disconnect_timeout"] == 30
    simulation.wait(30)
    assert bob.received()[0]["events"][0]["reason"] == "left"


def test_without_a_disconnect_timeout_the_view_has_the_time_of_disconnection(
    simulation: HallSimulation,
) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=0)
    room = shown["room"]["id"]
    ann.disconnect()
    simulation.wait(6 + SEAT_OPEN_AFTER / 1000)
    chair = bob.ask("resume", room=room, version=0)[-1]["room"]["seats"][1 - shown["you"]]
    assert chair["disconnected_at"] == EPOCH + 5_000
    assert "until" not in chair


def test_a_game_against_bots_alone_waits_for_its_player(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    table = {"disconnect_timeout": 60}
    shown = ann.ask("open", game="chess", nonce="n", bot="level1", seat=0, table=table)[0]
    room = shown["room"]["id"]
    assert shown["room"]["table"]["disconnect_timeout"] == 0
    ann.disconnect()
    simulation.wait(3_600)
    back = simulation.native_client(token=ann.token)
    assert back.ask("join", room=room)[0]["room"]["phase"] == "playing"


def test_where_persons_play_beside_bots_the_table_rules_hold(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    (shown,) = ann.ask("open", game="tictactoe", nonce="n", table={"disconnect_timeout": 30})
    assert shown["room"]["table"]["disconnect_timeout"] == 30
