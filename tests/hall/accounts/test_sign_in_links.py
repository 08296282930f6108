"""Links of an operator: who lost everything signs in once and chooses a new password or passkey."""

import asyncio

import pytest

from qipai.hall.accounts.account_refusals import AccountRefused
from qipai.hall.accounts.accounts import SignedIn
from qipai.hall.accounts.passkey_challenges import CHALLENGE_LIFE
from qipai.hall.accounts.proofs import ADDRESS_WINDOW, ATTEMPTS_OF_ADDRESS, PasskeyAnswer
from qipai.hall.accounts.recovery.sign_in_links import HOUR, SignInLinks, issue_link
from qipai.kernel.ids import Person
from tests.hall.accounts.account_world import ADA, BO, CAFE, GOOD, HOME, OTHER, World, accounts_test, refusal
from tests.hall.accounts.authenticator import Authenticator
from tests.support.hall_simulation import deterministic_entropy

HOST = "qipai.example"


class Owner:
    """An account whose owner has a link, and nothing else any more."""

    def __init__(self, world: World, first: SignedIn, hours: int = 24) -> None:
        self.world = world
        self.first = first
        self.links = SignInLinks(world.accounts)
        issued = issue_link(world.store, first.account, world.now(), hours, deterministic_entropy())
        assert issued is not None
        self.token, self.expires = issued


async def owner(world: World, hours: int = 24) -> Owner:
    return Owner(world, await world.ada(), hours)


@accounts_test
async def test_a_link_sets_a_new_password_and_signs_all_other_devices_out(world: World) -> None:
    ada = await owner(world)
    assert (await ada.links.account(ada.token, CAFE)).name == "Ada"
    assert await world.accounts.current(ada.first.token) is not None, "to look at it changes nothing"
    back = await ada.links.use(ada.token, OTHER, CAFE)
    assert back.account.person == ADA
    assert await world.accounts.current(back.token) is not None
    assert await world.accounts.current(ada.first.token) is None
    await world.accounts.sign_in("Ada", OTHER, CAFE)
    assert (await refusal(world.accounts.sign_in("Ada", GOOD, CAFE))).code == "sign_in_failed"
    assert len(back.recovery_codes) == 10
    assert not set(back.recovery_codes) & set(ada.first.recovery_codes)
    lost = world.accounts.recover("Ada", ada.first.recovery_codes[0], GOOD, CAFE)
    assert (await refusal(lost)).code == "sign_in_failed"


@accounts_test
async def test_a_link_works_once(world: World) -> None:
    ada = await owner(world)
    await ada.links.use(ada.token, OTHER, CAFE)
    assert (await refusal(ada.links.use(ada.token, GOOD, CAFE))).code == "bad_link"
    assert (await refusal(ada.links.account(ada.token, CAFE))).code == "bad_link"
    assert (await refusal(ada.links.options(ada.token, HOST, CAFE))).code == "bad_link"
    await world.accounts.sign_in("Ada", OTHER, CAFE)


@accounts_test
async def test_of_several_uses_at_once_one_counts(world: World) -> None:
    ada = await owner(world)
    uses = [ada.links.use(ada.token, OTHER, CAFE) for _ in range(5)]
    found = await asyncio.gather(*uses, return_exceptions=True)
    assert sum(isinstance(each, SignedIn) for each in found) == 1
    assert sum(isinstance(each, AccountRefused) and each.code == "bad_link" for each in found) == 4


@pytest.mark.parametrize("hours", [1, 24])
def test_a_link_expires(hours: int) -> None:
    @accounts_test
    async def check(world: World) -> None:
        ada = await owner(world, hours)
        assert ada.expires == world.now() + hours * HOUR
        world.time = ada.expires - 1
        await ada.links.account(ada.token, CAFE)
        world.time += 1
        assert (await refusal(ada.links.account(ada.token, CAFE))).code == "bad_link"
        assert (await refusal(ada.links.use(ada.token, OTHER, CAFE))).code == "bad_link"
        await world.accounts.sign_in("Ada", GOOD, CAFE)

    check()


@accounts_test
async def test_a_refused_password_leaves_the_link_as_it_is(world: World) -> None:
    ada = await owner(world)
    for password, code in (("short", "password_short"), ("password123", "password_weak")):
        assert (await refusal(ada.links.use(ada.token, password, CAFE))).code == code
    assert await world.accounts.current(ada.first.token) is not None
    await ada.links.use(ada.token, OTHER, CAFE)


@accounts_test
async def test_a_link_makes_a_passkey(world: World) -> None:
    ada, key = await owner(world), Authenticator()
    options = await ada.links.options(ada.token, HOST, CAFE)
    back = await ada.links.use(ada.token, PasskeyAnswer(key.make(options), HOST), CAFE)
    assert await world.accounts.current(back.token) is not None
    assert await world.accounts.current(ada.first.token) is None
    (made,) = world.store.passkeys(ADA)
    assert made.id == key.id
    assert made.device == CAFE.device


@accounts_test
async def test_a_passkey_for_another_purpose_is_refused(world: World) -> None:
    ada, key = await owner(world), Authenticator()
    challenges = world.accounts.challenges
    options = await ada.links.options(ada.token, HOST, CAFE)
    for purpose, person in (("add", ADA), ("register", ADA), ("link", BO), ("link", Person(""))):
        answer = key.make({**options, "challenge": challenges.issue(purpose, person)})  # type: ignore[arg-type]
        refused = await refusal(ada.links.use(ada.token, PasskeyAnswer(answer, HOST), CAFE))
        assert refused.code == "passkey_failed"
    late = key.make(options)
    world.time += CHALLENGE_LIFE
    refused = await refusal(ada.links.use(ada.token, PasskeyAnswer(late, HOST), CAFE))
    assert refused.code == "passkey_failed"
    assert world.store.passkeys(ADA) == []
    await ada.links.use(ada.token, OTHER, CAFE)


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 101, "é" * 43, "\udcff" * 3])
def test_other_texts_are_no_link(token: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        ada = await owner(world)
        assert (await refusal(ada.links.use(token, OTHER, CAFE))).code == "bad_link"

    check()


@accounts_test
async def test_an_address_may_try_so_many_links(world: World) -> None:
    ada = await owner(world)
    for number in range(ATTEMPTS_OF_ADDRESS - 1):  # To register was an attempt too.
        await refusal(ada.links.account(f"guess {number}", HOME))
    assert (await refusal(ada.links.account(ada.token, HOME))).code == "rate_limited"
    assert (await refusal(ada.links.use(ada.token, OTHER, HOME))).code == "rate_limited"
    world.time += ADDRESS_WINDOW
    await ada.links.use(ada.token, OTHER, HOME)


@accounts_test
async def test_a_later_link_replaces_the_former_one(world: World) -> None:
    ada = await owner(world)
    later = Owner(world, ada.first)
    later_token = issue_link(world.store, ada.first.account, world.now(), 24, lambda count: b"z" * count)
    assert later_token is not None
    assert (await refusal(later.links.account(ada.token, CAFE))).code == "bad_link"
    await later.links.use(later_token.token, OTHER, CAFE)


@accounts_test
async def test_a_deleted_account_has_no_link(world: World) -> None:
    ada = await owner(world)
    here = await world.here(ada.first)
    await world.accounts.delete(here, GOOD, HOME)
    assert (await refusal(ada.links.use(ada.token, OTHER, CAFE))).code == "bad_link"
    assert issue_link(world.store, ada.first.account, world.now(), 24, deterministic_entropy()) is None
