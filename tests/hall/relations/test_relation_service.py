"""Following and blocking as the hall does it: limits, refusals, names of blocked players, quick match."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_refusals import AccountRefused
from qipai.hall.lobby.rated_pairing import LONGEST_WAIT
from qipai.hall.relations.relations import CHANGES, LOOKS, Relation, Relations
from tests.hall.relations.relation_world import RelationWorld
from tests.support.hall_simulation import Message, NativeClient

CLOCK = {"main": [180_000]}


def run(world: RelationWorld, work: Awaitable[Any]) -> Any:
    """Wait in real time for what a thread does."""
    task = asyncio.ensure_future(work, loop=world.simulation.loop)
    world.simulation.settle_until(task.done)
    return task.result()


def refusal(world: RelationWorld, work: Awaitable[Any]) -> str:
    with pytest.raises(AccountRefused) as refused:
        run(world, work)
    return refused.value.code


@pytest.fixture
def relations(world: RelationWorld) -> Relations:
    world.register("Ada", "Bo", "Cy")
    assert world.services.relations is not None
    return world.services.relations


def test_followed_players_who_are_online_come_first(world: RelationWorld, relations: Relations) -> None:
    ada, find = world.persons["Ada"], world.services.find
    world.register("Zoe", "Yu")
    for name in ("bo", "Cy", "Zoe", "Yu"):
        run(world, relations.follow(ada, find(name)))
    world.client("Zoe")
    world.client("Yu")
    world.privacy("Yu", invisible=True)
    found = run(world, relations.followed(ada))
    assert [(each.account.name, each.status is not None) for each in found] == [
        ("Zoe", True),
        ("Bo", False),
        ("Cy", False),
        ("Yu", False),
    ]
    assert run(world, relations.followed(world.persons["Bo"])) == []


def test_only_those_who_follow_learn_who_is_online(world: RelationWorld, relations: Relations) -> None:
    ada, bo = world.persons["Ada"], world.persons["Bo"]
    world.client("Bo")
    assert run(world, relations.between(ada, bo)) == Relation(False, False, True, None)
    world.follow("Ada", "Bo")
    assert run(world, relations.between(ada, bo)).status is not None
    assert run(world, relations.between(bo, ada)) == Relation(False, False, True, None)
    world.privacy("Bo", challenges_from="nobody", invisible=True)
    assert run(world, relations.between(ada, bo)) == Relation(True, False, False, None)
    world.privacy("Bo", challenges_from="followed")
    assert run(world, relations.between(ada, bo)).takes_challenges, "whose they take is not told"
    world.block("Bo", "Ada")
    assert run(world, relations.between(ada, bo)) == Relation(False, False, True, None)
    assert run(world, relations.between(bo, ada)).blocked


def test_changes_are_refused_with_reasons(world: RelationWorld, relations: Relations) -> None:
    ada, find = world.persons["Ada"], world.services.find
    for change in (relations.follow, relations.unfollow, relations.block, relations.unblock):
        assert refusal(world, change(ada, find("Nobody"))) == "no_such_player"
    for change in (relations.follow, relations.block):
        assert refusal(world, change(ada, find("Ada"))) == "no_such_player"
    run(world, relations.block(world.persons["Bo"], find("Ada")))
    assert refusal(world, relations.follow(ada, find("Bo"))) == "follow_refused"
    assert refusal(world, relations.follow(world.persons["Bo"], find("Ada"))) == "blocked_by_you"


def test_changes_and_looks_are_limited(world: RelationWorld, relations: Relations) -> None:
    ada, find = world.persons["Ada"], world.services.find
    for _ in range(CHANGES):
        run(world, relations.follow(ada, find("Bo")))
    assert refusal(world, relations.unfollow(ada, find("Bo"))) == "rate_limited"
    for _ in range(LOOKS):
        run(world, relations.followed(ada))
    assert refusal(world, relations.followed(ada)) == "rate_limited"
    run(world, relations.follow(world.persons["Cy"], find("Bo")))


def names(peer: NativeClient) -> list[Any]:
    return [one["names"] for one in peer.received() if one["type"] == "blocked"]


def test_the_page_learns_the_names_of_blocked_players(world: RelationWorld, relations: Relations) -> None:
    ada, bo = world.client("Ada"), world.client("Bo")
    find = world.services.find
    assert names(ada) == []
    run(world, relations.block(world.persons["Ada"], find("Cy")))
    world.read()
    run(world, relations.block(world.persons["Ada"], find("Bo")))
    world.read()
    assert names(ada) == [["Cy"], ["Bo", "Cy"]]
    later = world.client("Ada")
    assert names(later) == [["Bo", "Cy"]]
    account = world.services.directory.account(world.persons["Cy"])
    assert account is not None
    world.store.rename(replace(account, name="Cyd", skeleton="cyd"), account.created)
    world.read()
    assert names(later) == [["Bo", "Cyd"]]
    run(world, relations.unblock(world.persons["Ada"], find("Bo")))
    world.store.delete_account(world.persons["Cy"], account.created)
    world.read()
    assert names(ada)[-1] == names(later)[-1] == []
    assert names(bo) == [], "who is blocked is not told"


def room_of(notices: list[Message]) -> str:
    return str(next(one for one in notices if one["type"] == "room")["room"]["id"])


@pytest.mark.parametrize("rated", [False, True])
def test_quick_match_never_pairs_those_who_have_blocked_each_other(world: RelationWorld, rated: bool) -> None:
    wanted = {"game": "chess", "clock": CLOCK, "rated": rated}
    ada, bo = world.client("Ada"), world.client("Bo")
    world.block("Ada", "Bo")
    first = room_of(world.ask(ada, "quick_match", "room", **wanted))
    second = room_of(world.ask(bo, "quick_match", "room", **wanted))
    assert first != second
    world.simulation.wait(LONGEST_WAIT / 1000 + 5)
    assert ada.received() == bo.received() == []
    cy = world.client("Cy")
    assert room_of(world.ask(cy, "quick_match", "room", **wanted)) in {first, second}
    world.unblock("Ada", "Bo")
    guest = world.client("Di")
    assert room_of(world.ask(guest, "quick_match", "room", **wanted)) in {first, second}


def test_quick_match_heeds_a_block_in_either_direction(world: RelationWorld) -> None:
    ada, bo = world.client("Ada"), world.client("Bo")
    world.block("Bo", "Ada")
    assert room_of(world.ask(ada, "quick_match", "room", game="gomoku")) != room_of(
        world.ask(bo, "quick_match", "room", game="gomoku")
    )
