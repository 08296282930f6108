"""A batch whose fate is unknown: nobody hears of it, everybody sees the truth afterwards."""

from collections.abc import Iterator

import pytest

from tests.support.faulty import Faulty
from tests.support.stage import Stage, mark, seat_to_act


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def test_a_move_lost_before_the_write_can_be_sent_again(stage: Stage, store: Faulty) -> None:
    ann, bob, shown = stage.table()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_before = 1
    answers = mover.ask("play", **mark(room, 4, "n"))
    assert [answer["type"] for answer in answers] == ["refused", "room"]
    assert (answers[0]["code"], answers[0]["nonce"]) == ("unavailable", "n")
    assert answers[1]["version"] == shown["version"]
    assert [message["type"] for message in other.heard()] == ["room"]
    (again,) = mover.ask("play", **mark(room, 4, "n"))
    assert (again["type"], again["version"]) == ("events", shown["version"] + 1)


def test_a_move_lost_after_the_write_is_shown_and_done_once(stage: Stage, store: Faulty) -> None:
    ann, bob, shown = stage.table()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_after = 1
    answers = mover.ask("play", **mark(room, 4, "n"))
    assert answers[0]["code"] == "unavailable"
    assert answers[1]["version"] == shown["version"] + 1
    assert other.heard()[0]["room"]["position"]["board"][4] in "XO"
    (again,) = mover.ask("play", **mark(room, 4, "n"))
    assert (again["type"], again["version"]) == ("done", shown["version"] + 1)


def test_every_command_of_a_lost_group_is_answered(stage: Stage, store: Faulty) -> None:
    ann, bob, shown = stage.table()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_before = 1
    mover.send("play", **mark(room, 4, "a"))
    other.send("play", **mark(room, 0, "b"))
    mover.send("say", room=room, text="hi", nonce="c")
    refused = [m["nonce"] for m in mover.heard() if m["type"] == "refused"]
    assert refused == ["a", "c"]
    assert [m["nonce"] for m in other.heard() if m["type"] == "refused"] == ["b"]
    assert stage.hall.host.boxes[room].room.version == shown["version"]


def test_a_table_that_could_not_be_opened_is_not_there(stage: Stage, store: Faulty) -> None:
    ann = stage.peer("Ann")
    store.fail_before = 1
    answers = ann.ask("open", game="tictactoe", nonce="x")
    assert [answer["code"] for answer in answers] == ["unavailable"]
    assert stage.hall.host.boxes == {}
    assert ann.ask("open", game="tictactoe", nonce="x")[0]["type"] == "room"


def test_a_store_out_of_reach_refuses_until_it_is_back(stage: Stage, store: Faulty) -> None:
    ann, bob, shown = stage.table()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover = (ann, bob)[seat]
    store.fail_before, store.unreachable = 1, True
    assert mover.ask("play", **mark(room, 4, "a"))[0]["code"] == "unavailable"
    assert mover.ask("play", **mark(room, 4, "a"))[0]["code"] == "unavailable"
    store.unreachable = False
    answers = mover.ask("play", **mark(room, 4, "a"))
    assert [answer["type"] for answer in answers] == ["room", "events"]
    assert answers[1]["version"] == shown["version"] + 1


def test_other_tables_do_not_notice(stage: Stage, store: Faulty) -> None:
    ann, bob, shown = stage.table()
    cat = stage.peer("Cat")
    other = cat.ask("open", game="tictactoe", nonce="o")[0]
    store.fail_before = 1
    mover = (ann, bob)[seat_to_act(shown)]
    mover.ask("play", **mark(shown["room"]["id"], 4, "a"))
    assert cat.heard() == []
    (said,) = cat.ask("say", room=other["room"]["id"], text="hello")
    assert said["version"] == other["version"] + 1
