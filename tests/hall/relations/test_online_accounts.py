"""Who is online, and at which public tables: nothing of invisible people, and nothing of private tables."""

import msgspec
import pytest

from qipai.hall.relations.online_accounts import INTERVAL, OnlineAccountsMessage, OnlineStatus
from qipai.kernel.ids import RoomId
from tests.hall.relations.relation_world import RelationWorld

ONLINE = OnlineStatus(None)


def at(room: str, does: str, game: str = "gomoku") -> OnlineStatus:
    return msgspec.convert([[room, game, does]], OnlineStatus)


def test_an_account_is_online_while_one_of_its_devices_is_connected(world: RelationWorld) -> None:
    world.register("Ada")
    assert world.status("Ada") is None
    phone, desk = world.client("Ada"), world.client("Ada")
    assert world.status("Ada") == ONLINE
    phone.disconnect()
    assert world.status("Ada") == ONLINE
    desk.disconnect()
    assert world.status("Ada") is None


def test_public_tables_are_shown_where_somebody_waits_plays_or_watches(world: RelationWorld) -> None:
    ada, bo, cy = (world.client(name) for name in ("Ada", "Bo", "Cy"))
    room = ada.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    assert world.status("Ada") == at(room, "waits")
    cy.ask("watch", room=room)
    assert world.status("Cy") == at(room, "watches")
    bo.ask("join", room=room)
    assert world.status("Ada") == world.status("Bo") == at(room, "plays")
    other = ada.ask("open", game="tictactoe", nonce="o")[-1]["room"]["id"]
    assert world.status("Ada") == at(room, "plays"), "a game comes before a table that waits"
    ada.ask("leave", room=room)
    assert world.status("Ada") == at(other, "waits", "tictactoe")
    cy.ask("leave", room=room)
    ada.ask("leave", room=other)
    for name in ("Ada", "Bo", "Cy"):
        assert world.status(name) == ONLINE


def test_private_tables_are_never_shown(world: RelationWorld) -> None:
    ada, bo, cy = (world.client(name) for name in ("Ada", "Bo", "Cy"))
    room = ada.ask("open", game="gomoku", nonce="n", table={"public": False})[0]["room"]["id"]
    cy.ask("watch", room=room)
    assert {world.status(name) for name in ("Ada", "Cy")} == {ONLINE}
    bo.ask("join", room=room)
    assert {world.status(name) for name in ("Ada", "Bo", "Cy")} == {ONLINE}


def test_an_invisible_account_is_offline_at_once_and_everywhere(world: RelationWorld) -> None:
    ada, bo = world.client("Ada"), world.client("Bo")
    room = ada.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    bo.ask("watch", room=room)
    world.privacy("Ada", invisible=True)
    world.privacy("Bo", invisible=True)
    assert world.status("Ada") is world.status("Bo") is None
    world.privacy("Ada")
    assert world.status("Ada") == at(room, "waits")


def other_worker(world: RelationWorld, **accounts: tuple[str, ...] | None) -> None:
    """Let another worker tell which accounts are connected to it."""
    told = {
        world.persons[name]: rooms if rooms is None else tuple(map(RoomId, rooms))
        for name, rooms in accounts.items()
    }
    message = OnlineAccountsMessage("other", told)
    for listener in world.simulation.hall.replication.listeners.broadcasts:
        listener(msgspec.json.encode(message))


def workers(world: RelationWorld, *names: str) -> None:
    for listener in world.simulation.hall.replication.listeners.workers:
        listener(frozenset(names))


def test_what_other_workers_tell_counts_until_they_are_gone(world: RelationWorld) -> None:
    world.register("Ada", "Bo")
    cy = world.client("Cy")
    room = cy.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    hidden = cy.ask("open", game="gomoku", nonce="h", table={"public": False})[-1]["room"]["id"]
    workers(world, "", "other")
    other_worker(world, Ada=(hidden, room), Bo=(hidden,))
    assert world.status("Ada") == at(room, "watches")
    assert world.status("Bo") == ONLINE
    other_worker(world, Ada=None)
    assert world.status("Ada") is None
    world.privacy("Bo", invisible=True)
    assert world.status("Bo") is None
    world.privacy("Bo")
    workers(world, "")
    assert world.status("Bo") is None


@pytest.fixture
def told(world: RelationWorld) -> list[OnlineAccountsMessage]:
    """Return what this worker tells others, as one of several."""
    sent: list[OnlineAccountsMessage] = []
    online = world.services.online
    online._worker = "this"
    online._broadcast = lambda body: sent.append(msgspec.json.decode(body, type=OnlineAccountsMessage))
    return sent


def test_changes_of_a_second_are_one_message(world: RelationWorld, told: list[OnlineAccountsMessage]) -> None:
    ada, bo = world.client("Ada"), world.client("Bo")
    room = ada.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    bo.ask("watch", room=room)
    world.client("Cy").disconnect()
    guest = world.simulation.native_client("Guest")
    guest.ask("watch", room=room)
    assert told == []
    world.simulation.wait(INTERVAL + 0.1)
    persons = world.persons
    assert told == [OnlineAccountsMessage("this", {persons["Ada"]: (), persons["Bo"]: (RoomId(room),)})]
    ada.ask("leave", room=room)
    ada.disconnect()
    world.simulation.wait(INTERVAL + 0.1)
    assert told[1:] == [OnlineAccountsMessage("this", {persons["Ada"]: None})]
    world.simulation.wait(60)
    assert len(told) == 2, "what does not change is not told again"
