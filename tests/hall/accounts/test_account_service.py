"""Registering, signing in and out, recovery, names: what is accepted, and what is refused."""

import asyncio

import pytest

from qipai.hall.accounts import passwords
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import DAY, NAME_RESERVED, RENAME_PAUSE, SESSION_LIFE
from qipai.hall.accounts.proofs import (
    ACCOUNT_WINDOW,
    ADDRESS_WINDOW,
    ATTEMPTS_AT_ACCOUNT,
    ATTEMPTS_OF_ADDRESS,
    Client,
)
from tests.hall.accounts.account_world import (
    ADA,
    BO,
    CAFE,
    GOOD,
    HOME,
    OTHER,
    World,
    accounts_test,
    refusal,
)


@accounts_test
async def test_a_guest_gets_an_account_and_keeps_the_person(world: World) -> None:
    signed_in = await world.ada()
    assert signed_in.account.person == ADA
    assert signed_in.account.name == "Ada"
    assert len(set(signed_in.recovery_codes)) == 10
    current = await world.accounts.current(signed_in.token)
    assert current is not None
    assert current.account == signed_in.account
    assert current.session.device == "Firefox"
    assert world.changes == 1


@accounts_test
async def test_nothing_secret_is_stored(world: World) -> None:
    signed_in = await world.ada()
    found = world.store.find("ada")
    assert found is not None
    assert found[1].startswith("$argon2id$")
    assert GOOD not in found[1]
    (session,) = world.store.sessions(ADA, world.now())
    assert signed_in.token.encode() not in session.key
    assert len(signed_in.token) >= 43, "256 bits"


@accounts_test
async def test_signing_in_needs_the_right_password(world: World) -> None:
    first = await world.ada()
    again = await world.accounts.sign_in("ADA", GOOD, CAFE)
    assert again.token != first.token
    assert again.account == first.account
    for name, password in (("Ada", OTHER), ("Eve", GOOD), ("", GOOD), ("Ada", "")):
        refused = await refusal(world.accounts.sign_in(name, password, CAFE))
        assert refused.code == AccountRefusal.SIGN_IN_FAILED, "the same answer for unknown names"
        assert refused.about == ""


@accounts_test
async def test_an_unknown_name_is_hashed_as_well(world: World) -> None:
    await world.ada()
    verified: list[str] = []
    verify = passwords._verify

    def watched(password_hash: str, password: str) -> bool:
        verified.append(password_hash)
        return verify(password_hash, password)

    passwords._verify = watched
    try:
        for name in ("Ada", "Eve"):
            await refusal(world.accounts.sign_in(name, OTHER, CAFE))
    finally:
        passwords._verify = verify
    assert len(verified) == 2
    assert verified[0].rsplit("$", 2)[0] == verified[1].rsplit("$", 2)[0], "with the same parameters"


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("", AccountRefusal.PASSWORD_SHORT),
        ("qJ8#mZ!4x", AccountRefusal.PASSWORD_SHORT),
        ("password123", AccountRefusal.PASSWORD_WEAK),
        ("1234567890", AccountRefusal.PASSWORD_WEAK),
        ("AdaAdaAdaAda", AccountRefusal.PASSWORD_WEAK),
        ("x" * 201, AccountRefusal.PASSWORD_LONG),
    ],
)
def test_bad_passwords_are_refused(password: str, code: AccountRefusal) -> None:
    @accounts_test
    async def check(world: World) -> None:
        refused = await refusal(world.accounts.register(ADA, "Ada", password, HOME))
        assert refused.code == code
        assert world.store.account(ADA) is None

    check()


@accounts_test
async def test_the_reason_of_a_weak_password_is_told(world: World) -> None:
    refused = await refusal(world.accounts.register(ADA, "Ada", "password123", HOME))
    assert refused.about


@pytest.mark.parametrize(
    "name",
    ["", " ", "A", "x\u0323", "\u200b\u200b", "x" * 21, "一" * 40, "admin", "Master", "管理員"],
)
def test_bad_names_are_refused(name: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        refused = await refusal(world.accounts.register(ADA, name, GOOD, HOME))
        assert refused.code == AccountRefusal.BAD_NAME

    check()


@pytest.mark.parametrize("name", ["ada", "ＡＤＡ", "Аda", "a.d.a", "Äda"])
def test_names_that_look_alike_are_taken(name: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        await world.ada()
        refused = await refusal(world.accounts.register(BO, name, GOOD, HOME))
        assert refused.code == AccountRefusal.NAME_TAKEN

    check()


@accounts_test
async def test_a_person_registers_once(world: World) -> None:
    await world.ada()
    refused = await refusal(world.accounts.register(ADA, "Ann", GOOD, HOME))
    assert refused.code == AccountRefusal.ALREADY_REGISTERED


@accounts_test
async def test_a_session_lives_ninety_days_after_its_last_use(world: World) -> None:
    token = (await world.ada()).token
    for _ in range(4):
        world.time += SESSION_LIFE - DAY
        assert await world.accounts.current(token) is not None
    world.time += SESSION_LIFE
    assert await world.accounts.current(token) is None


@pytest.mark.parametrize("token", ["", "x", "x" * 100, "x" * 101, "é" * 43])
def test_other_tokens_are_no_session(token: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        await world.ada()
        assert await world.accounts.current(token) is None

    check()


@accounts_test
async def test_devices_are_signed_out_one_by_one_or_all(world: World) -> None:
    tokens = [(await world.ada()).token]
    tokens += [(await world.accounts.sign_in("Ada", GOOD, CAFE)).token for _ in range(3)]
    here = await world.accounts.current(tokens[0])
    assert here is not None
    devices = await world.accounts.devices(here)
    assert len(devices) == 4
    other = next(each for each in devices if each.key != here.session.key)
    await world.accounts.sign_out(here, other.id)
    refused = await refusal(world.accounts.sign_out(here, other.id))
    assert refused.code == AccountRefusal.NO_SUCH_DEVICE
    assert len(await world.accounts.devices(here)) == 3
    await world.accounts.sign_out_others(here)
    assert [await world.accounts.current(token) is not None for token in tokens] == [
        True,
        False,
        False,
        False,
    ]
    await world.accounts.sign_out(here)
    assert await world.accounts.current(tokens[0]) is None


@accounts_test
async def test_a_new_password_signs_other_devices_out(world: World) -> None:
    token = (await world.ada()).token
    other = (await world.accounts.sign_in("Ada", GOOD, CAFE)).token
    here = await world.accounts.current(token)
    assert here is not None
    refused = await refusal(world.accounts.change_password(here, OTHER, OTHER, HOME))
    assert refused.code == AccountRefusal.SIGN_IN_FAILED
    await world.accounts.change_password(here, GOOD, OTHER, HOME)
    assert await world.accounts.current(token) is not None
    assert await world.accounts.current(other) is None
    await refusal(world.accounts.sign_in("Ada", GOOD, HOME))
    await world.accounts.sign_in("Ada", OTHER, HOME)


@accounts_test
async def test_a_recovery_code_sets_a_new_password_once(world: World) -> None:
    first = await world.ada()
    code = first.recovery_codes[3]
    assert (await refusal(world.accounts.recover("Ada", code, "short", CAFE))).code == "password_short"
    assert (await refusal(world.accounts.recover("Eve", code, OTHER, CAFE))).code == "sign_in_failed"
    back = await world.accounts.recover("Ada", code.upper().replace("-", " "), OTHER, CAFE)
    assert back.account.person == ADA
    assert await world.accounts.current(first.token) is None, "all devices are signed out"
    assert (await refusal(world.accounts.recover("Ada", code, GOOD, CAFE))).code == "sign_in_failed"
    await world.accounts.sign_in("Ada", OTHER, CAFE)
    here = await world.accounts.current(back.token)
    assert here is not None
    assert await world.accounts.recovery_codes_left(here) == 9
    codes = await world.accounts.renew_recovery_codes(here, OTHER, CAFE)
    assert len(codes) == 10
    assert first.recovery_codes[0] not in codes
    assert (
        await refusal(world.accounts.recover("Ada", first.recovery_codes[0], GOOD, CAFE))
    ).code == "sign_in_failed"


@accounts_test
async def test_a_name_changes_once_in_thirty_days_and_stays_reserved(world: World) -> None:
    token = (await world.ada()).token
    here = await world.accounts.current(token)
    assert here is not None
    assert (await world.accounts.rename(here, "Ann")).name == "Ann"
    here = await world.accounts.current(token)
    assert here is not None
    refused = await refusal(world.accounts.rename(here, "Anna"))
    assert refused.code == AccountRefusal.RENAMED_RECENTLY
    assert int(refused.about) == world.time + RENAME_PAUSE
    assert (await refusal(world.accounts.register(BO, "Ada", GOOD, HOME))).code == "name_taken"
    world.time += RENAME_PAUSE
    assert (await world.accounts.rename(here, "Anna")).name == "Anna"
    world.time += NAME_RESERVED
    await world.accounts.register(BO, "Ada", GOOD, HOME)


@accounts_test
async def test_an_address_may_try_so_often(world: World) -> None:
    for number in range(ATTEMPTS_OF_ADDRESS):
        await refusal(world.accounts.sign_in(f"Name {number}", "", HOME))
    refused = await refusal(world.accounts.sign_in("Ada", GOOD, HOME))
    assert refused.code == AccountRefusal.RATE_LIMITED
    assert (await refusal(world.accounts.register(ADA, "Ada", GOOD, HOME))).code == "rate_limited"
    await world.ada(CAFE)
    world.time += ADDRESS_WINDOW
    await world.accounts.sign_in("Ada", GOOD, HOME)


@accounts_test
async def test_an_account_may_be_tried_so_often_from_all_addresses(world: World) -> None:
    await world.ada()
    for number in range(ATTEMPTS_AT_ACCOUNT):
        await refusal(world.accounts.sign_in("Ada", "", Client(f"192.0.2.{number}", "")))
    refused = await refusal(world.accounts.sign_in("ada", GOOD, CAFE))
    assert refused.code == AccountRefusal.RATE_LIMITED
    world.time += ACCOUNT_WINDOW
    await world.accounts.sign_in("Ada", GOOD, CAFE)


@accounts_test
async def test_only_some_hashes_may_wait(world: World) -> None:
    attempts = [
        world.accounts.sign_in(f"Name {number}", GOOD, Client("", ""))
        for number in range(passwords.MAX_WAITING * 3)
    ]
    found = await asyncio.gather(*attempts, return_exceptions=True)
    codes = [each.code for each in found if isinstance(each, AccountRefused)]
    assert codes.count(AccountRefusal.BUSY) == 2 * passwords.MAX_WAITING
    assert codes.count(AccountRefusal.SIGN_IN_FAILED) == passwords.MAX_WAITING


@accounts_test
async def test_deleting_an_account_needs_its_password(world: World) -> None:
    token = (await world.ada()).token
    here = await world.accounts.current(token)
    assert here is not None
    assert (await refusal(world.accounts.delete(here, OTHER, HOME))).code == "sign_in_failed"
    assert world.store.account(ADA) is not None
    await world.accounts.delete(here, GOOD, HOME)
    assert await world.accounts.current(token) is None
    assert (await refusal(world.accounts.sign_in("Ada", GOOD, HOME))).code == "sign_in_failed"
    assert (await refusal(world.accounts.register(ADA, "Ann", GOOD, HOME))).code == "already_registered"
    assert (await refusal(world.accounts.register(BO, "Ada", GOOD, CAFE))).code == "name_taken"
    world.time += NAME_RESERVED
    await world.accounts.register(BO, "Ada", GOOD, CAFE)


@pytest.mark.parametrize("name", ["Deleted player", "DELETED PLAYER 2", "已刪除的玩家"])
def test_nobody_is_called_like_a_deleted_player(name: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        assert (await refusal(world.accounts.register(ADA, name, GOOD, HOME))).code == "bad_name"

    check()
