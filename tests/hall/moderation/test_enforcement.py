"""What a sanction does at a native connection, and what its person is told."""

from typing import Any

import pytest

from qipai.hall.connections.connection import BANNED
from qipai.hall.moderation.sanction_index import SanctionIndex
from qipai.hall.moderation.sanction_interface import Sanction, SanctionKind
from qipai.kernel.ids import Millis, Person
from tests.hall.moderation.simulated_sanctions import CAFE, HOME, LATER, Acts
from tests.support.hall_simulation import HallSimulation, NativeClient

RATED = {"rated": True, "clock": {"main": [300_000], "increment": 3_000}, "undo_allowed": False}


@pytest.fixture
def acts(simulation: HallSimulation) -> Acts:
    return Acts(simulation)


def told(client: NativeClient) -> Any:
    """Return the sanctions of which a client was told last."""
    return [notice for notice in client.received() if notice["type"] == "sanctions"][-1]


def refused(notices: list[Any]) -> Any:
    (found,) = (notice for notice in notices if notice["type"] == "refused")
    return found


def test_a_banned_person_is_told_and_disconnected(simulation: HallSimulation, acts: Acts) -> None:
    ann = simulation.native_client("Ann", address=HOME)
    bob = simulation.native_client("Bob", address=HOME)
    acts.impose(SanctionKind.BAN, ann.connection.person)
    shown = told(ann)
    (ban,) = shown["sanctions"]
    assert (ban["kind"], ban["reason"], ban["ends"]) == ("ban", "insults", LATER)
    assert shown["new"] == ban["id"]
    assert ann.transport.closed == BANNED
    assert bob.transport.closed is None


def test_a_banned_person_does_not_come_back(simulation: HallSimulation, acts: Acts) -> None:
    ann = simulation.native_client("Ann")
    ban = acts.impose(SanctionKind.BAN, ann.connection.person)
    again = NativeClient(simulation)
    notices = again.ask("hello", token=ann.token)
    assert [notice["type"] for notice in notices] == ["sanctions"]
    assert again.transport.closed == BANNED
    assert again.ask("open", game="tictactoe", nonce="o") == []
    acts.lift(ban)
    assert simulation.native_client(token=ann.token).transport.closed is None


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("192.0.2.7/32", "192.0.2.7", "192.0.2.8"),
        ("192.0.2.0/24", "192.0.2.200", "192.0.3.7"),
        ("2001:db8:0:1::/64", "2001:db8:0:1::/64", "2001:db8:0:2::/64"),
        ("2001:db8::/32", "2001:db8:ffff:1::/64", "2001:db9::/64"),
    ],
)
def test_a_banned_network_is_refused_at_the_connection(
    simulation: HallSimulation, acts: Acts, network: str, inside: str, outside: str
) -> None:
    before = [simulation.native_client(address=each) for each in (inside, outside)]
    acts.impose(SanctionKind.BAN, network=network)
    assert [client.transport.closed for client in before] == [BANNED, None]
    new = NativeClient(simulation, inside)
    simulation.settle()
    assert new.transport.closed == BANNED, "before it has said hello"
    assert told(new)["sanctions"][0]["kind"] == "ban"
    assert simulation.native_client("New", address=outside).transport.closed is None


def test_the_machine_itself_is_never_hit_by_a_network(simulation: HallSimulation, acts: Acts) -> None:
    acts.impose(SanctionKind.BAN, network="127.0.0.0/8")
    assert simulation.native_client("Proxy", address="127.0.0.1").transport.closed is None
    assert simulation.native_client("Unknown").transport.closed is None


def test_a_sanction_ends_by_itself(simulation: HallSimulation, acts: Acts) -> None:
    ann = simulation.native_client("Ann")
    acts.impose(SanctionKind.BAN, ann.connection.person, ends=Millis(1))
    assert ann.transport.closed is None
    assert simulation.native_client(token=ann.token).transport.closed is None


def test_who_connected_before_the_sanctions_were_loaded_is_disconnected(
    simulation: HallSimulation, acts: Acts
) -> None:
    moderation = simulation.hall.moderation
    ban = acts.impose(SanctionKind.BAN, "aaaaaaaaaaaaaaaaaaaa")
    moderation.index.load((), Millis(0))
    ann = simulation.native_client("Ann", address=HOME)
    moderation.index.put(acts.impose(SanctionKind.BAN, network=f"{CAFE}/32"), Millis(0))
    moderation.index.load([ban, acts.impose(SanctionKind.BAN, ann.connection.person)], Millis(0))
    moderation.enforcement.loaded()
    assert ann.transport.closed == BANNED


def test_a_muted_person_is_refused_with_reason_and_end(simulation: HallSimulation, acts: Acts) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    mute = acts.impose(SanctionKind.MUTE, ann.connection.person)
    assert told(ann)["sanctions"][0]["kind"] == "mute"
    bob.received()
    answer = refused(ann.ask("say", room=room, text="You again!", nonce="s"))
    assert (answer["code"], answer["nonce"], answer["about"], answer["until"]) == (
        "muted", "s", "insults", LATER,
    )  # fmt: skip
    assert refused(ann.ask("say", room=room, phrase="hello", nonce="p"))["code"] == "muted"
    assert bob.received() == []
    assert bob.ask("say", room=room, text="fine", nonce="s")[0]["type"] == "events"
    acts.lift(mute)
    assert told(ann)["sanctions"] == []
    assert ann.ask("say", room=room, text="sorry", nonce="t")[-1]["type"] == "events"


def test_a_muted_player_plays_on(simulation: HallSimulation, acts: Acts) -> None:
    ann, bob, shown = simulation.running_room()
    mover = (bob, ann)[shown["you"] not in shown["room"]["to_act"]]
    acts.impose(SanctionKind.MUTE, mover.connection.person)
    mover.received()
    (moved,) = mover.ask("play", room=shown["room"]["id"], move={"do": "mark", "cell": 4}, nonce="m")
    assert moved["type"] == "events"


def test_the_title_of_a_muted_person_is_not_shown(simulation: HallSimulation, acts: Acts) -> None:
    ann = simulation.native_client("Ann")
    acts.impose(SanctionKind.MUTE, ann.connection.person)
    ann.received()
    (shown,) = ann.ask("open", game="tictactoe", nonce="o", table={"title": "Bob is bad"})
    assert shown["room"].get("table", {}).get("title", "") == ""


def test_an_unrated_person_gets_no_seat_at_a_rated_table(simulation: HallSimulation, acts: Acts) -> None:
    ann, bob = simulation.account("Ann"), simulation.account("Bob")
    (shown,) = ann.ask("open", game="chess", nonce="o", table=RATED)
    acts.impose(SanctionKind.UNRATED, bob.connection.person)
    bob.received()
    answer = refused(bob.ask("join", room=shown["room"]["id"]))
    assert (answer["code"], answer["about"], answer["until"]) == ("unrated", "insults", LATER)
    assert refused(bob.ask("open", game="chess", nonce="o", table=RATED))["code"] == "unrated"
    quick = {"game": "chess", "rated": True, "clock": RATED["clock"]}
    assert refused(bob.ask("quick_match", **quick))["code"] == "unrated"
    assert bob.ask("quick_match", game="chess")[0]["type"] == "room", "unrated games go on"


def test_an_unrated_person_finishes_the_game_but_gets_no_rematch(
    simulation: HallSimulation, acts: Acts
) -> None:
    ann, bob = simulation.account("Ann"), simulation.account("Bob")
    (shown,) = ann.ask("open", game="chess", nonce="o", table=RATED)
    room = shown["room"]["id"]
    bob.ask("join", room=room)
    acts.impose(SanctionKind.UNRATED, bob.connection.person)
    assert bob.ask("resign", room=room, nonce="r")[-1]["type"] == "events"
    assert refused(bob.ask("offer", room=room, kind="rematch", nonce="a"))["code"] == "unrated"
    ann.received()
    offer = ann.ask("offer", room=room, kind="rematch", nonce="b")[0]["events"][0]["offer"]
    bob.received()
    answer = bob.ask("answer", room=room, offer=offer["id"], yes=True, nonce="c")
    assert refused(answer)["code"] == "unrated"
    assert bob.ask("answer", room=room, offer=offer["id"], yes=False, nonce="d")[0]["type"] == "events"


def test_a_warning_is_told_now_and_at_the_next_hello(simulation: HallSimulation, acts: Acts) -> None:
    ann = simulation.native_client("Ann")
    warning = acts.impose(SanctionKind.WARNING, ann.connection.person)
    assert told(ann)["new"] == warning.id
    again = NativeClient(simulation)
    welcome, shown = again.ask("hello", token=ann.token)
    assert welcome["type"] == "welcome"
    assert [each["reason"] for each in shown["sanctions"]] == ["insults"]
    assert "new" not in shown


def test_a_table_is_closed_with_a_reason(simulation: HallSimulation, acts: Acts) -> None:
    ann, bob, shown = simulation.running_room()
    acts.close_table(shown["room"]["id"], "obscene title")
    for client in (ann, bob):
        said, closed = client.received()[:2]
        assert (said["type"], said["text"], said["room"]) == (
            "announcement", "obscene title", shown["room"]["id"],
        )  # fmt: skip
        assert closed["events"][-1]["e"] == "closed"


def test_a_move_asks_nothing_of_ten_thousand_sanctions(
    simulation: HallSimulation, acts: Acts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, shown = simulation.running_room(clock={"main": [60_000]})
    index = simulation.hall.moderation.index
    for number in range(10_000):
        index.put(ban_of(number), Millis(0))
    asked: list[str] = []
    for name in ("of", "one", "covers"):
        monkeypatch.setattr(SanctionIndex, name, lambda *_, name=name: asked.append(name))
    players, room = (ann, bob), shown["room"]["id"]
    turn = 0 if shown["you"] not in shown["room"]["to_act"] else 1
    for cell in (0, 1, 3, 4):
        player = players[turn]
        player.received()
        moved = player.ask("play", room=room, move={"do": "mark", "cell": cell}, nonce=f"m{cell}")
        assert moved[0]["type"] == "events"
        turn = 1 - turn
    assert asked == []


def ban_of(number: int) -> Sanction:
    return Sanction(number + 1, SanctionKind.BAN, Person(f"p{number}"), "", "", "x", Millis(1), LATER)
