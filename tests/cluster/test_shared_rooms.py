"""Two real workers on one real Redis: clients of both share the same rooms."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from qipai.kernel.ids import RoomId
from qipai.stores.redis.redis_store import RedisStore
from tests.support.redis import RedisServer
from tests.support.server import Client, Message, clients
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RedisServer, list[Worker]]]:
    with workers(tmp_path_factory.mktemp("cluster")) as (redis, made):
        yield redis, made
        for worker in made:
            assert worker.stop() == 0
            assert worker.errors == []


@pytest.fixture
def people(cluster: tuple[RedisServer, list[Worker]]) -> Iterator[tuple[Client, Client]]:
    """Ann at the first worker, Bob at the second."""
    _, (first, second) = cluster
    ann, bob = Client(first.port, name="Ann"), Client(second.port, name="Bob")
    yield ann, bob
    ann.close()
    bob.close()


def table(ann: Client, bob: Client, **table: object) -> tuple[str, Client, Client]:
    """Return a running room of two clients, the first to move first."""
    shown = ann.ask("open", "room", game="tictactoe", nonce=f"{time.monotonic()}", table=table)
    room = shown["room"]["id"]
    seen = bob.ask("join", "room", room=shown["room"]["code"])
    ann.receive_event("game_started")
    return room, *((ann, bob) if seen["room"]["to_act"] == [0] else (bob, ann))


def test_a_move_at_one_worker_is_seen_at_the_other(people: tuple[Client, Client]) -> None:
    room, mover, other = table(*people)
    for cell in (4, 0, 8):
        mover.send("play", room=room, move={"do": "mark", "cell": cell}, nonce=f"c{cell}")
        mine, seen = mover.receive_until("events"), other.receive_until("events")
        assert mine["events"] == seen["events"]
        assert mine["version"] == seen["version"]
        mover, other = other, mover


def test_both_speak_at_once_and_everything_is_said_once_in_one_order(
    people: tuple[Client, Client], cluster: tuple[RedisServer, list[Worker]]
) -> None:
    room, mover, other = table(*people, public=False)
    lines = 5

    def speak(client: Client) -> list[Message]:
        for number in range(lines):
            client.send("say", room=room, text=f"{number}", nonce=f"say{number}")
        return [client.receive_until("events") for _ in range(2 * lines)]

    with ThreadPoolExecutor(2) as pool:
        received = list(pool.map(speak, (mover, other)))
    versions = [[message["version"] for message in each] for each in received]
    assert versions[0] == versions[1] == list(range(versions[0][0], versions[0][0] + 2 * lines))
    assert [each["events"] for each in received[0]] == [each["events"] for each in received[1]]
    said = [(each["seat"], each["events"][0]["line"]["text"]) for each in received[0]]
    assert sorted(said) == sorted((seat, f"{number}") for seat in (0, 1) for number in range(lines))
    store = RedisStore(cluster[0].address)
    written = store.history(RoomId(room))
    assert [entry.version for entry in written] == list(range(1, len(written) + 1))
    store.close()


def test_the_list_of_tables_and_the_number_of_people_are_everybodys(people: tuple[Client, Client]) -> None:
    ann, bob = people
    bob.ask("lobby", "lobby", on=True)
    room = ann.ask("open", "room", game="gomoku", nonce="listed", table={"title": "Hello"})["room"]["id"]
    rows = [row for row in wait_for(bob, "rooms", room) if row["id"] == room]
    assert rows[0]["title"] == "Hello"
    ann.send("leave", room=room)
    wait_for(bob, "gone", room)
    news = ann.ask("lobby", "lobby", on=True)
    while news["online"] < 2:
        news = ann.receive_until("lobby")


def test_a_deserted_table_leaves_the_lists_of_all_workers(
    people: tuple[Client, Client], cluster: tuple[RedisServer, list[Worker]]
) -> None:
    _, (first, second) = cluster
    eve = people[1]
    eve.ask("lobby", "lobby", on=True)
    cyd, dan, fay = (Client(worker.port) for worker in (first, second, first))
    waiting = fay.ask("open", "room", game="gomoku", nonce="deserted")["room"]["id"]
    wait_for(eve, "rooms", waiting)
    room = table(cyd, dan, disconnect_timeout=0)[0]
    for client in (cyd, dan, fay):
        client.close()
    gone: set[str] = set()
    while not {waiting, room} <= gone:
        gone |= set(eve.receive_until("lobby").get("gone", []))


def test_the_featured_game_moves_in_the_lobby_of_a_worker_that_does_not_serve_it(
    cluster: tuple[RedisServer, list[Worker]],
) -> None:
    _, (first, second) = cluster
    with clients(first.port, 3) as (cyd, dan, fay), clients(second.port, 1) as (eve,):
        room, mover, _ = table(cyd, dan)
        fay.ask("watch", "room", room=room)
        eve.send("lobby", featured=True)
        while (shown := eve.receive_until("featured")["room"]) is None or shown["id"] != room:
            pass
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="c")
        while eve.receive_until("featured")["room"]["position"]["board"][4] == ".":
            pass


def wait_for(client: Client, field: str, room: str) -> list[Message]:
    while True:
        found: list[Message] = client.receive_until("lobby").get(field, [])
        if room in map(_key, found):
            return found


def _key(row: Message | str) -> str:
    return row if isinstance(row, str) else str(row["id"])


def test_many_who_want_to_play_at_once_are_paired_and_nobody_twice(
    cluster: tuple[RedisServer, list[Worker]],
) -> None:
    ports = [worker.port for worker in cluster[1]]
    people = [Client(ports[number % 2], name=f"P{number}") for number in range(20)]

    def match(client: Client) -> str:
        return str(client.ask("quick_match", "room", game="gomoku")["room"]["id"])

    with ThreadPoolExecutor(20) as pool:
        rooms = list(pool.map(match, people))
    assert sorted(rooms.count(room) for room in set(rooms)) == [2] * 10
    for client in people:
        client.close()


def test_a_player_who_reconnects_to_another_worker_has_the_seat_and_the_missed_events(
    people: tuple[Client, Client], cluster: tuple[RedisServer, list[Worker]]
) -> None:
    ann, bob = people
    room, mover, other = table(ann, bob)
    port = cluster[1][1 if mover is ann else 0].port
    again = Client(port, token=mover.token)
    mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="x")
    version = mover.receive_until("events")["version"]
    again.send("resume", room=room, version=version - 1)
    assert again.receive_until("events", "room")["version"] == version
    assert mover.receive_until("left")["replaced"]
    other.receive_until("events")
    other.send("play", room=room, move={"do": "mark", "cell": 0}, nonce="y")
    assert again.receive_until("events")["version"] == version + 1
    again.close()


def test_the_same_open_at_two_workers_opens_one_table(cluster: tuple[RedisServer, list[Worker]]) -> None:
    first, second = cluster[1]
    ann = Client(first.port, name="Ann")
    twin = Client(second.port, token=ann.token)
    with ThreadPoolExecutor(2) as pool:
        rooms = list(pool.map(lambda one: insist(one, "gomoku", "twin"), (ann, twin)))
    assert rooms[0] == rooms[1]
    for client in (ann, twin):
        client.close()


def insist(client: Client, game: str, nonce: str) -> str:
    """Open a table, again while Redis is out of reach, and return its id."""
    until = time.monotonic() + 60
    while (answer := client.ask("open", "room", "refused", game=game, nonce=nonce))["type"] == "refused":
        assert answer["code"] == "unavailable"
        assert time.monotonic() < until
        time.sleep(0.05)
    return str(answer["room"]["id"])


def test_a_bot_answers_wherever_its_opponent_is(people: tuple[Client, Client]) -> None:
    ann, bob = people
    shown = ann.ask("open", "room", game="tictactoe", nonce="bot", bot="perfect")
    room = shown["room"]["id"]
    watching = bob.ask("watch", "room", room=room)
    assert watching["room"]["seats"][1]["bot"] == "perfect"
    if watching["room"]["to_act"] == [0]:
        # The bot may have made the first move by now.
        free = watching["room"]["position"]["board"].index(".")
        ann.send("play", room=room, move={"do": "mark", "cell": free}, nonce="m")
    while bob.receive_event("marked")["seat"] != 1:
        pass
