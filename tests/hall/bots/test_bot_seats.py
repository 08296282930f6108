"""Bot seats: a bot receives a view and submits commands as a player does."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.bots.bot_seats import host_payer
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.support.hall_simulation import HallSimulation, Message, NativeClient
from tests.support.server import Client, ServerProcess, clients


def until(peer: NativeClient, name: str, seconds: float = 60) -> list[Message]:
    """Wait until the bot has moved and an event of this name was received."""
    events: list[Message] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        events += [event for message in peer.received() for event in message.get("events", ())]
        if any(event["e"] == name for event in events):
            return events
        peer.simulation.wait(0.3)
        peer.simulation.finish_bot_decisions()
        time.sleep(0.001)
    raise AssertionError(f"no {name} in {events}")


@pytest.mark.parametrize("bot", ["perfect", "random"])
def test_a_bot_plays_a_round_when_it_is_its_turn(simulation: HallSimulation, bot: str) -> None:
    ann = simulation.native_client("Ann")
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


def test_a_room_with_four_seats_may_have_some_bots_and_wait_for_players(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    said = ann.ask("open", game="mahjong", nonce="1", bot="normal", bots=2, seat=1)
    room = said[0]["room"]["id"]
    shown = bob.ask("watch", room=room)[0]["room"]
    assert shown["phase"] == "waiting"
    assert [chair and chair.get("bot", "") for chair in shown["seats"]] == [None, "", "normal", "normal"]
    joined = bob.ask("join", room=room)[0]
    assert (joined["room"]["phase"], joined["you"]) == ("playing", 0)
    for wrong in (0, 17):
        refused = simulation.native_client("Cy").ask(
            "open", game="mahjong", nonce="1", bot="normal", bots=wrong
        )[0]
        assert (refused["type"], refused["code"]) == ("refused", "malformed")


def test_no_more_bots_sit_down_than_there_are_seats(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    said = ann.ask("open", game="mahjong", nonce="1", bot="normal", bots=9)
    assert any(event["e"] == "game_started" for message in said for event in message.get("events", ()))


def test_a_bot_agrees_to_a_rematch(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]["room"]["id"]
    ann.ask("resign", room=room)
    names = [
        event["e"] for message in ann.ask("offer", room=room, kind="rematch") for event in message["events"]
    ]
    assert names == ["offer_made", "offer_answered", "game_started"]


def test_a_table_left_to_its_bot_is_closed(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]["room"]["id"]
    ann.ask("leave", room=room)
    assert simulation.hall.executor.live_rooms == {}


# Slow bots think in processes of their own.


def soon(true: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def workers() -> list[int]:
    """Return the processes that think for this one."""
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def children(process: int) -> list[int]:
    """Return the processes that another one has started, and theirs."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in listed] + [young for child in listed for young in children(int(child))]


def alive(process: int) -> bool:
    """Tell whether a process still runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def against(peer: NativeClient, bot: str) -> str:
    """Open a table of gomoku where a bot is to answer the first stone."""
    room = str(peer.ask("open", game="gomoku", nonce=bot, bot=bot)[0]["room"]["id"])
    for x in (7, 0):
        peer.ask("play", room=room, move={"do": "place", "x": x, "y": 7})
        if x:
            until(peer, "placed", 60)
    return room


@pytest.mark.slow
def test_a_slow_bot_computes_in_a_process_that_ends_with_the_hall() -> None:
    assert workers() == []
    with HallSimulation() as simulation:
        ann = simulation.native_client("Ann")
        against(ann, "easy")
        assert workers() == []
        against(ann, "hard")
        (placed,) = [event for event in until(ann, "placed", 60) if event["e"] == "placed"]
        assert placed["seat"] == 1
        assert workers()
    soon(lambda: workers() == [])


@pytest.mark.slow
def test_a_process_that_dies_is_replaced_and_the_move_is_made() -> None:
    with HallSimulation() as simulation:
        ann = simulation.native_client("Ann")
        against(ann, "hard")
        simulation.wait(0.7)
        victims = workers()
        assert victims
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        until(ann, "placed", 60)
        assert not set(victims) & set(workers())
    soon(lambda: workers() == [])


class Deadly:
    """A bot that takes its process with it."""

    name = "hard"
    slow = True

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], dice: Random) -> Any:
        os._exit(1)


@pytest.mark.slow
def test_a_bot_whose_process_always_dies_makes_no_move_and_other_bots_play_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with HallSimulation() as simulation:
        ann = simulation.native_client("Ann")
        hard = GAMES["gomoku"].bots["hard"]
        monkeypatch.setitem(GAMES["gomoku"].bots, "hard", Deadly())
        room = ann.ask("open", game="gomoku", nonce="1", bot="hard")[0]["room"]["id"]
        ann.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})
        end = time.monotonic() + 600
        while not simulation.hall.internal_errors.count:
            assert time.monotonic() < end
            simulation.wait(0.3)
            time.sleep(0.01)
        monkeypatch.setitem(GAMES["gomoku"].bots, "hard", hard)
        bob = simulation.native_client("Bob")
        against(bob, "hard")
        until(bob, "placed", 60)
    soon(lambda: workers() == [])


def make_think(client: Client) -> None:
    """Open a table of gomoku where a bot has begun to think about its second stone."""
    room = client.ask("open", "room", game="gomoku", nonce="1", bot="hard")["room"]["id"]
    client.send("play", room=room, move={"do": "place", "x": 7, "y": 7})
    for _ in ("ours", "theirs"):
        client.receive_event("placed")
    client.send("play", room=room, move={"do": "place", "x": 0, "y": 7})
    client.receive_event("placed")


@pytest.mark.slow
def test_a_thinking_bot_delays_no_other_table(server: ServerProcess) -> None:
    with clients(server.port, 3) as (ann, cem, dia):
        make_think(cem)
        make_think(dia)
        began = time.monotonic()
        ann.ask("open", "room", game="tictactoe", nonce="3", bot="perfect")
        took = []
        for number in range(30):
            asked = time.monotonic()
            ann.ask("ping", "pong", n=number)
            took.append(time.monotonic() - asked)
            time.sleep(0.02)
        for client in (cem, dia):
            client.receive_event("placed")
        # A loop blocked by the computation would take most of this time. A busy machine slows both.
        assert max(took) < (time.monotonic() - began) / 3, took


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_server(tmp_path: Path, number: int) -> None:
    with ServerProcess(tmp_path / "data") as server, clients(server.port, 1) as (ann,):
        assert server.process is not None
        make_think(ann)
        time.sleep(0.1)
        started = children(server.process.pid)
        assert started
        server.signal(number)
        assert server.wait() == (0 if number != signal.SIGKILL else -signal.SIGKILL)
        soon(lambda: not any(map(alive, started)))


def test_a_table_is_charged_to_the_address_and_the_person_of_its_host(simulation: HallSimulation) -> None:
    ann, bob = (NativeClient(simulation, address) for address in ("192.0.2.1", "192.0.2.2"))
    ann.hello(name="Ann")
    bob.hello(name="Bob")
    payers = []
    for client in (ann, bob):
        shown = client.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]
        live = simulation.hall.executor.find(shown["room"]["id"])
        assert live is not None
        payers.append(host_payer(live))
    assert [address for address, _ in payers] == ["192.0.2.1", "192.0.2.2"]
    assert payers[0][1] != payers[1][1]


def test_tables_whose_hosts_are_on_other_workers_do_not_share_one_address(simulation: HallSimulation) -> None:
    payers = []
    for name in ("Ann", "Bob"):
        client = simulation.native_client(name, address="192.0.2.1")
        shown = client.ask("open", game="tictactoe", nonce="1", bot="perfect")[0]
        live = simulation.hall.executor.find(shown["room"]["id"])
        assert live is not None
        # What this worker knows of a table that it did not open, and whose host is connected elsewhere.
        payers.append(host_payer(LiveRoom(live.game, live.durable)))
    (ann, bob), (ann_person, bob_person) = zip(*payers, strict=True)
    assert ann != bob
    assert (ann, bob) == (ann_person, bob_person)
