"""A bot that plays for whoever is long gone, where a table has one, and goes on for whoever leaves."""

from typing import Any

from tests.support.stage import Message, Peer, Stage


def play_on(stage: Stage, seconds: float) -> None:
    """Let bots think in their thread while virtual time passes."""
    for _ in range(round(seconds * 2)):
        stage.wait(0.5)
        stage.think()


def table(stage: Stage, **more: Any) -> tuple[list[Peer], str]:
    """Return four people at a running table of mahjong with a stand-in."""
    people = [stage.peer(name) for name in ("Ann", "Bob", "Cyd", "Dan")]
    wanted = {"disconnect_timeout": 0, "substitute_bot": "normal", **more}
    room = people[0].ask("open", game="mahjong", nonce="t", table=wanted)[0]["room"]["id"]
    for one in people[1:]:
        one.ask("join", room=room)
    for one in people:
        one.heard()
    return people, room


def view(one: Peer, room: str) -> Message:
    (shown,) = [message for message in one.ask("resume", room=room, version=0) if message["type"] == "room"]
    found: Message = shown["room"]
    return found


def test_a_stand_in_plays_for_who_has_been_gone_for_a_minute_and_stops_when_he_is_back(stage: Stage) -> None:
    people, room = table(stage)
    turn = view(people[0], room)["position"]["turn"]
    token, gone = people[turn].token, people[turn]
    other = people[(turn + 1) % 4]
    gone.cut()
    play_on(stage, 58)
    assert view(other, room)["position"]["stage"] == "discarding"
    assert view(other, room)["seats"][turn]["disconnected"]
    play_on(stage, 4)
    assert view(other, room)["position"]["last"] is not None
    assert "bot" not in view(other, room)["seats"][turn], "the seat is still his"
    back = stage.peer(token=token)
    back.ask("join", room=room)
    voted = view(other, room)["position"].get("answered", [])
    play_on(stage, 10)
    assert view(other, room)["position"].get("answered", []) == voted, "nobody votes for him now"


def test_where_everybody_is_gone_nobody_plays(stage: Stage) -> None:
    people, room = table(stage)
    for one in people:
        one.cut()
    play_on(stage, 70)
    box = stage.hall.executor.find(room)
    assert box is not None
    version = box.durable.version
    play_on(stage, 30)
    assert box.durable.version == version


def test_whoever_leaves_a_table_with_a_stand_in_is_followed_by_a_bot(stage: Stage) -> None:
    people, room = table(stage)
    turn = view(people[0], room)["position"]["turn"]
    other = people[(turn + 1) % 4]
    people[turn].ask("leave", room=room)
    shown = view(other, room)
    assert shown["phase"] == "playing"
    assert shown["seats"][turn] == {"name": "Normal", "bot": "normal"}
    play_on(stage, 3)
    assert view(other, room)["position"]["last"] is not None


def test_the_last_one_who_leaves_ends_the_game(stage: Stage) -> None:
    people, room = table(stage)
    for one in people:
        one.ask("leave", room=room)
    stage.wait(1)
    assert stage.hall.executor.find(room) is None


def test_a_stand_in_that_nobody_knows_is_refused(stage: Stage) -> None:
    ann = stage.peer("Ann")
    (refused,) = ann.ask("open", game="mahjong", nonce="t", table={"substitute_bot": "nobody"})
    assert refused["code"] == "no_such_bot"


def test_nobody_ends_the_game_for_the_others_by_resigning(stage: Stage) -> None:
    people, room = table(stage)
    (refused,) = people[0].ask("resign", room=room, nonce="r")
    assert refused["code"] == "not_allowed"
    assert view(people[1], room)["phase"] == "playing"
