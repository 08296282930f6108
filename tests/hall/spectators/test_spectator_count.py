"""Everybody at a table knows how many look on, and nobody who they are."""

from typing import Any

from tests.support.stage import Message, Peer, Stage


def told(one: Peer) -> list[Any]:
    return [notice["spectators"] for notice in one.heard() if notice["type"] == "spectators"]


def watched(stage: Stage, room: str, name: str) -> tuple[Peer, Message]:
    peer = stage.peer(name)
    (seen,) = peer.ask("watch", room=room)
    return peer, seen["room"]


def test_the_number_of_watchers_is_told_at_a_table_that_is_not_listed(stage: Stage) -> None:
    ann, bob, shown = stage.table(public=False)
    assert "spectators" not in shown["room"]
    _, first = watched(stage, shown["room"]["id"], "Eve")
    stage.wait(1)
    assert (first["spectators"], told(ann), told(bob)) == (1, [1], [1])
    mallory, second = watched(stage, shown["room"]["id"], "Mallory")
    assert second["spectators"] == 2
    stage.wait(1)
    mallory.send("leave", room=shown["room"]["id"])
    stage.wait(1)
    assert told(ann) == [2, 1]
    assert "Eve" not in str(bob.wire.frames)


def test_many_who_come_together_are_told_once(stage: Stage) -> None:
    ann, _, shown = stage.table()
    for number in range(9):
        watched(stage, shown["room"]["id"], f"Eve {number}")
    stage.wait(1)
    assert told(ann) == [9]


def test_a_watcher_who_sits_down_looks_on_no_more(stage: Stage) -> None:
    ann = stage.peer("Ann")
    (shown,) = ann.ask("open", game="tictactoe", nonce="n")
    room = shown["room"]["id"]
    bob, _ = watched(stage, room, "Bob")
    stage.wait(1)
    assert told(ann) == [1]
    bob.ask("join", room=room)
    stage.wait(1)
    assert told(ann) == [0]


def test_whoever_comes_back_is_told_how_many_look_on(stage: Stage) -> None:
    ann, _, shown = stage.table()
    room = shown["room"]["id"]
    watched(stage, room, "Eve")
    stage.wait(1)
    version = shown["version"]
    ann.cut()
    stage.wait(1)
    again = stage.peer(token=ann.token)
    again.send("resume", room=room, version=version)
    assert told(again) == [1]
