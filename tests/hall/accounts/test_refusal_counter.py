"""What the metrics say of sign-ins: devices that were signed in, and refusals that an attacker would get."""

import pytest

from qipai.hall.accounts.account_refusals import (
    ATTACKS,
    AccountRefusal,
    AccountRefused,
    RefusalCounter,
)
from qipai.hall.accounts.passwords import MAX_WAITING
from qipai.hall.accounts.proofs import ATTEMPTS_AT_ACCOUNT, Client
from qipai.hall.accounts.recovery.sign_in_links import SignInLinks
from tests.hall.accounts.account_world import BO, CAFE, GOOD, HOME, OTHER, World, accounts_test, refusal


def counted(world: World) -> dict[AccountRefusal, int]:
    return dict(world.accounts.refusals.counts)


@accounts_test
async def test_devices_that_sign_in_are_counted(world: World) -> None:
    assert world.accounts.sign_ins == 0
    await world.ada()
    await world.accounts.sign_in("Ada", GOOD, CAFE)
    assert world.accounts.sign_ins == 2
    assert counted(world) == {}


@accounts_test
async def test_each_wrong_password_code_and_link_is_counted_once(world: World) -> None:
    await world.ada()
    await refusal(world.accounts.sign_in("Ada", OTHER, HOME))
    await refusal(world.accounts.sign_in("Nobody", OTHER, HOME))
    await refusal(world.accounts.recover("Ada", "wrong", OTHER, HOME))
    await refusal(SignInLinks(world.accounts).account("wrong", HOME))
    assert counted(world) == {AccountRefusal.SIGN_IN_FAILED: 3, AccountRefusal.BAD_LINK: 1}
    assert world.accounts.sign_ins == 1


@accounts_test
async def test_a_wrong_confirmation_is_counted_once(world: World) -> None:
    here = await world.here(await world.ada())
    await refusal(world.accounts.delete(here, OTHER, HOME))
    assert counted(world) == {AccountRefusal.SIGN_IN_FAILED: 1}


@accounts_test
async def test_attempts_beyond_the_limits_are_counted(world: World) -> None:
    await world.ada()
    for number in range(ATTEMPTS_AT_ACCOUNT + 5):
        await refusal(world.accounts.sign_in("Ada", OTHER, Client(f"198.51.100.{number}", "")))
    assert counted(world) == {
        AccountRefusal.SIGN_IN_FAILED: ATTEMPTS_AT_ACCOUNT,
        AccountRefusal.RATE_LIMITED: 5,
    }


@accounts_test
async def test_hashes_that_wait_and_those_that_are_refused_are_counted(world: World) -> None:
    passwords = world.accounts.passwords
    assert passwords.waiting == 0
    passwords._waiting = MAX_WAITING
    assert passwords.waiting == MAX_WAITING
    await refusal(world.accounts.sign_in("Ada", GOOD, HOME))
    passwords._waiting = 0
    assert counted(world) == {AccountRefusal.BUSY: 1}


@accounts_test
async def test_mistakes_of_people_are_no_attacks(world: World) -> None:
    await refusal(world.accounts.register(BO, "Bo", "short", HOME))
    assert not {*counted(world)} & {*ATTACKS}


def test_a_refusal_that_passes_two_blocks_counts_once() -> None:
    counter = RefusalCounter()
    with pytest.raises(AccountRefused), counter, counter:
        raise AccountRefused(AccountRefusal.BUSY)
    with pytest.raises(ValueError, match="other"), counter:
        raise ValueError("other")
    assert counter.counts == {AccountRefusal.BUSY: 1}
