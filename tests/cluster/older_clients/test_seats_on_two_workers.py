"""Players of one room on two workers: seat transfer, offers, phrases-only chat."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.support.server import Client, Message
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

_numbers = count()


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    with workers(tmp_path_factory.mktemp("seats")) as (_, made):
        yield made
        for worker in made:
            assert worker.stop() == 0
            assert worker.errors == []


class Room:
    """A game of gomoku: `ann`, who has opened it, at the first worker and `bob` at the second."""

    def __init__(self, house: ExitStack, crew: list[Worker]) -> None:
        self.house = house
        self.ann, self.bob = (self.come(worker, name) for worker, name in zip(crew, "AB", strict=True))
        shown = self.ann.ask("open", "room", game="gomoku", nonce=f"t{next(_numbers)}", seat=0)
        self.id: str = shown["room"]["id"]
        self.seats = {self.ann: 0, self.bob: 1}
        seen = self.bob.ask("join", "room", room=self.id)
        self.ann.receive_event("game_started")
        self.first, self.second = (
            (self.ann, self.bob) if seen["room"]["to_act"] == [0] else (self.bob, self.ann)
        )

    def come(self, worker: Worker, name: str = "", token: str = "") -> Client:
        client = Client(worker.port, name=name, token=token)
        self.house.callback(client.close)
        return client

    def ask(self, client: Client, type_: str, **fields: object) -> Message:
        """Ask for something and return its own answer."""
        nonce = f"n{next(_numbers)}"
        client.send(type_, room=self.id, nonce=nonce, **fields)
        while (answer := client.receive_until("events", "unchanged", "refused", "ticket")).get(
            "nonce"
        ) != nonce:
            pass
        return answer

    def place(self, client: Client, x: int) -> Message:
        return self.ask(client, "play", move={"do": "place", "x": x, "y": 7})

    def offer(self, client: Client, other: Client, kind: str) -> int:
        """Make an offer and return its id when the other player has received it."""
        (event,) = self.ask(client, "offer", kind=kind)["events"]
        offered: Message = other.receive_event("offer_made")["offer"]
        assert offered == event["offer"]
        assert offered["kind"] == kind
        return int(offered["id"])

    def seen(self, client: Client) -> Message:
        """Return the room as a client sees it."""
        return dict(client.ask("watch", "room", room=self.id)["room"])


@pytest.fixture
def room(crew: list[Worker]) -> Iterator[Room]:
    with ExitStack() as house:
        yield Room(house, crew)


def test_a_seat_is_handed_on_to_a_device_at_the_other_worker(crew: list[Worker], room: Room) -> None:
    paper = room.ask(room.first, "transfer_seat")["ticket"]
    phone, thief = (room.come(crew[room.first is room.ann], name) for name in ("Phone", "Thief"))
    taken = phone.ask("claim_seat", "room", ticket=paper, nonce="t")
    assert taken["you"] == room.seats[room.first]
    left = room.first.receive_until("left")
    assert (left["room"], left["reason"]) == (room.id, "transferred")
    assert room.place(room.first, 0)["code"] == "not_in_room"
    placed = room.place(phone, 4)["events"]
    assert room.second.receive_until("events")["events"] == []
    assert room.second.receive_until("events")["events"] == placed
    for port in crew:
        late = room.come(port, "Late")
        assert late.ask("claim_seat", "refused", ticket=paper, nonce="u")["code"] == "bad_ticket"
    assert thief.ask("claim_seat", "refused", ticket=paper, nonce="u")["code"] == "bad_ticket"
    assert room.come(crew[0], token=phone.token).welcome["rooms"] == [room.id]
    assert room.come(crew[1], token=room.first.token).welcome["rooms"] == []


def test_of_two_who_bring_the_same_ticket_to_two_workers_one_has_the_seat(
    crew: list[Worker], room: Room
) -> None:
    def bring(phone: Client) -> str:
        # Nonces of different people may well be the same.
        answer = phone.ask("claim_seat", "room", "refused", ticket=paper, nonce="t")
        return str(answer.get("code", answer["type"]))

    with ThreadPoolExecutor(2) as pool:
        for _ in range(5):
            again = Room(room.house, crew)
            phones = [again.come(worker, "Phone") for worker in crew]
            paper = again.ask(again.ann, "transfer_seat")["ticket"]
            assert sorted(pool.map(bring, phones)) == ["bad_ticket", "room"]
            assert again.ann.receive_until("left").get("reason") == "transferred"


def test_a_move_is_taken_back_when_the_other_agrees(room: Room) -> None:
    room.place(room.first, 4)
    room.second.receive_event("placed")
    refused = room.offer(room.first, room.second, "undo")
    room.ask(room.second, "answer", offer=refused, yes=False)
    answered = room.first.receive_event("offer_answered")
    assert (answered["offer"], answered["yes"]) == (refused, False)
    assert room.ask(room.first, "offer", kind="undo")["code"] == "too_soon", "whichever worker says no"
    assert room.ask(room.first, "answer", offer=refused, yes=True)["code"] == "not_offered"
    room.place(room.second, 0)
    room.first.receive_event("placed")
    asked = room.offer(room.second, room.first, "undo")
    assert room.ask(room.second, "answer", offer=asked, yes=True)["code"] == "not_asked"
    sent = room.ask(room.first, "answer", offer=asked, yes=True)["events"]
    while (events := room.second.receive_until("events")["events"]) != sent:
        assert not any(event["e"] == "move_undone" for event in events)
    for one in (room.first, room.second):
        assert room.seen(one)["position"]["moves"] == [4 + 15 * 7]


def test_an_offer_is_withdrawn_and_one_that_is_answered_in_the_same_moment_is_decided_once(
    room: Room,
) -> None:
    room.ask(room.first, "resign")
    room.second.receive_event("game_over")
    gone = room.offer(room.first, room.second, "rematch")
    room.ask(room.first, "withdraw", offer=gone)
    assert room.second.receive_event("offer_ended")["offer"] == gone
    assert room.ask(room.second, "answer", offer=gone, yes=True)["code"] == "not_offered"
    asked = room.offer(room.second, room.first, "rematch")
    with ThreadPoolExecutor(2) as pool:
        back = pool.submit(room.ask, room.second, "withdraw", offer=asked)
        yes = pool.submit(room.ask, room.first, "answer", offer=asked, yes=True)
        ends = [answer.result().get("code", "unchanged") for answer in (back, yes)]
    assert sorted(ends) == ["not_offered", "unchanged"]
    match = 2 if ends[1] == "unchanged" else 1
    for one in (room.first, room.second):
        assert room.seen(one)["match"] == match


def test_who_is_silenced_by_the_host_at_one_worker_is_silent_at_the_other(
    crew: list[Worker], room: Room
) -> None:
    eve = room.come(crew[1], "Eve")
    eve.ask("watch", "room", room=room.id)
    room.ask(room.ann, "phrases_only", on=True)
    assert room.bob.receive_event("phrases_only_set")["on"]
    for one in (room.bob, eve, room.ann):
        assert room.ask(one, "say", text="hello")["code"] == "phrases_only"
    assert room.ask(room.bob, "phrases_only", on=False)["code"] == "not_host"
    room.ask(room.ann, "phrases_only", on=False)
    room.bob.receive_event("phrases_only_set")
    assert room.ask(room.bob, "say", text="at last")["events"][0]["line"]["text"] == "at last"


def test_a_line_said_at_one_worker_is_reported_at_the_other_with_its_author(
    crew: list[Worker], room: Room
) -> None:
    line = room.ask(room.bob, "say", text="You are bad at this.")["events"][0]["line"]
    assert room.ann.receive_event("said")["line"] == line
    quote = {name: line[name] for name in ("at", "name", "text")}
    assert room.ask(room.ann, "report", text="rude", line=quote)["type"] == "unchanged"
    assert room.ask(room.ann, "report", text="made up", line=quote | {"text": "worse"})["type"] == "unchanged"
    real, invented = reports(crew[0].log, room.id)
    assert real["line"] == quote | {"seat": 1}
    assert (real["text"], real["seat"], invented["line"]) == ("rude", 0, None)
    assert real["about"] != real["by"]
    assert invented["about"] is None
    assert reports(crew[1].log, room.id) == []


def reports(log: Path, room: str) -> list[Message]:
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "reported" and line["room"] == room]
