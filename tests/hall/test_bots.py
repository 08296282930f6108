"""Bots sit like people: they see a view and answer with commands."""

import time

import pytest

from tests.support.stage import Message, Peer, Stage


def until(peer: Peer, name: str) -> list[Message]:
    """Let the bot think (in its own thread) until an event of this name is heard."""
    heard: list[Message] = []
    for _ in range(500):
        heard += [event for message in peer.heard() for event in message.get("events", ())]
        if any(event["e"] == name for event in heard):
            return heard
        peer.stage.wait(0.3)
        time.sleep(0.001)
    raise AssertionError(f"no {name} in {heard}")


@pytest.mark.parametrize("bot", ["perfect", "random"])
def test_a_bot_plays_a_round_when_it_is_its_turn(stage: Stage, bot: str) -> None:
    ann = stage.peer("Ann")
    (shown, dealt) = ann.ask("open", game="tictactoe", nonce="1", bot=bot)
    room = shown["room"]["id"]
    position = dealt["events"][1]["position"]
    board, me = list(position["board"]), 0
    if position["turn"] != me:
        board[until(ann, "marked")[-1]["cell"]] = "o"
    for _ in range(5):
        cell = board.index(".")
        board[cell] = "x"
        ann.send("play", room=room, move={"do": "mark", "cell": cell})
        mine = until(ann, "marked")
        if any(event["e"] == "round_over" for event in mine):
            return
        theirs = [event for event in mine if event["e"] == "marked" and event["seat"] == 1]
        if not theirs:
            later = until(ann, "marked")
            if any(event["e"] == "round_over" for event in later):
                return
            theirs = [event for event in later if event["e"] == "marked"]
        board[theirs[-1]["cell"]] = "o"
    raise AssertionError("the round does not end")


def test_a_bot_agrees_to_a_rematch(stage: Stage) -> None:
    ann = stage.peer("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]["room"]["id"]
    ann.ask("resign", room=room)
    heard = [
        event["e"] for message in ann.ask("offer", room=room, kind="rematch") for event in message["events"]
    ]
    assert heard == ["offered", "answered", "dealt"]


def test_a_table_left_to_its_bot_is_closed(stage: Stage) -> None:
    ann = stage.peer("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]["room"]["id"]
    ann.ask("leave", room=room)
    assert stage.hall.host.boxes == {}
