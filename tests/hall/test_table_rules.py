"""The house rules that somebody chose when the table was opened: takebacks, stand-ins, absence."""

from qipai.kernel.seats import SEAT_OPEN_AFTER
from tests.support.stage import EPOCH, Message, Stage, seat_to_act


def opened(stage: Stage, game: str, **table: object) -> Message:
    (answer,) = stage.peer("Ann").ask("open", game=game, nonce="n", table=table)
    return answer


def test_where_no_move_is_taken_back_an_undo_is_forbidden_and_nothing_else(stage: Stage) -> None:
    ann, bob = stage.peer("Ann"), stage.peer("Bob")
    shown = ann.ask("open", game="gomoku", nonce="t", table={"undo_allowed": False})[0]
    room = shown["room"]["id"]
    assert shown["room"]["table"] == {"undo_allowed": False}
    start = bob.ask("join", room=room)[0]
    ann.heard()
    seats = [ann, bob]
    mover = seats[seat_to_act(start)]
    assert mover.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})[0]["type"] == "events"
    (refused,) = mover.ask("offer", room=room, kind="undo", nonce="u")
    assert (refused["code"], refused["nonce"]) == ("forbidden", "u")
    assert mover.ask("offer", room=room, kind="draw", nonce="d")[0]["events"][0]["e"] == "offer_made"
    watcher = stage.peer("Eve")
    assert watcher.ask("watch", room=room)[0]["room"]["table"] == {"undo_allowed": False}


def test_a_stand_in_must_be_a_bot_of_the_game(stage: Stage) -> None:
    assert opened(stage, "gomoku", substitute_bot="perfect")["code"] == "no_such_bot"
    assert opened(stage, "tictactoe", substitute_bot="perfect")["type"] == "room"


def test_where_a_bot_goes_on_nobody_forfeits(stage: Stage) -> None:
    table = opened(stage, "gomoku", substitute_bot="easy", disconnect_timeout=30)["room"]["table"]
    assert table == {"substitute_bot": "easy", "disconnect_timeout": 0}


def test_between_two_one_may_resign_though_a_bot_would_go_on(stage: Stage) -> None:
    _, bob, shown = stage.table(substitute_bot="perfect")
    (over,) = bob.ask("resign", room=shown["room"]["id"], nonce="r")
    assert over["events"][0]["reason"] == "resigned"


def test_everybody_sees_until_when_an_absent_player_is_waited_for(stage: Stage) -> None:
    ann, bob, shown = stage.table(disconnect_timeout=30)
    room = shown["room"]["id"]
    eve = stage.peer("Eve")
    eve.ask("watch", room=room)
    ann.cut()
    stage.wait(6)
    seat = 1 - shown["you"]
    lost = EPOCH + 5_000
    for one in (bob, eve):
        (away,) = one.news()
        assert away["events"] == [{"e": "disconnected", "seat": seat, "forfeits_at": lost + 30_000}]
        (whole,) = one.ask("resume", room=room, version=0)
        chair = whole["room"]["seats"][seat]
        assert (chair["disconnected"], chair["disconnected_at"], chair["forfeits_at"]) == (
            True,
            lost,
            lost + 30_000,
        )
        assert whole["room"]["table"]["disconnect_timeout"] == 30
    stage.wait(30)
    assert bob.heard()[0]["events"][0]["reason"] == "left"


def test_where_everybody_is_waited_for_the_view_says_since_when(stage: Stage) -> None:
    ann, bob, shown = stage.table(disconnect_timeout=0)
    room = shown["room"]["id"]
    ann.cut()
    stage.wait(6 + SEAT_OPEN_AFTER / 1000)
    chair = bob.ask("resume", room=room, version=0)[-1]["room"]["seats"][1 - shown["you"]]
    assert chair["disconnected_at"] == EPOCH + 5_000
    assert "until" not in chair
