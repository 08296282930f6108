"""Passkeys: accounts with and without a password, and every answer to a challenge that is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from qipai.hall.accounts.account_refusals import AccountRefusal
from qipai.hall.accounts.accounts import Accounts, Current, SignedIn
from qipai.hall.accounts.passkey_challenges import CHALLENGE_LIFE, PasskeyChallenges, Purpose
from qipai.hall.accounts.passkeys import MOST, Passkeys
from qipai.hall.accounts.proofs import ATTEMPTS_OF_ADDRESS, PasskeyAnswer
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Person
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
from tests.hall.accounts.authenticator import Authenticator, text

HOST = "qipai.example"


class Device:
    """A browser with one passkey, which uses one server."""

    def __init__(self, world: World, key: Authenticator | None = None, host: str = HOST) -> None:
        self.accounts: Accounts = world.accounts
        self.passkeys = Passkeys(world.accounts)
        self.key = key or Authenticator()
        self.host = host

    def answer(self, credential: object) -> PasskeyAnswer:
        return PasskeyAnswer(credential, self.host)

    async def register(self, name: str = "Ada", person: Person = ADA) -> SignedIn:
        options = self.passkeys.options_to_register(person, name, self.host)
        return await self.accounts.register(person, name, self.answer(self.key.make(options)), HOME)

    def signed(self) -> dict[str, Any]:
        return self.key.sign(self.passkeys.options_to_sign_in(self.host))

    async def sign_in(self, signed: object = None) -> SignedIn:
        return await self.accounts.sign_in_with_passkey(self.answer(signed or self.signed()), CAFE)

    async def confirm(self, current: Current) -> PasskeyAnswer:
        return self.answer(self.key.sign(await self.passkeys.options_to_confirm(current, self.host)))

    async def add(self, current: Current, proof: str | PasskeyAnswer = GOOD) -> None:
        made = self.key.make(await self.passkeys.options_to_add(current, self.host))
        await self.passkeys.add(current, proof, self.answer(made), HOME)


async def refused(work: Any) -> AccountRefusal:
    return (await refusal(work)).code


@accounts_test
async def test_an_account_with_a_passkey_needs_no_password(world: World) -> None:
    device = Device(world)
    first = await device.register()
    assert len(first.recovery_codes) == 10
    again = await device.sign_in()
    assert again.account == first.account
    assert again.token != first.token
    assert not await world.accounts.has_password(await world.here(again))
    for password in ("", GOOD):
        assert await refused(world.accounts.sign_in("Ada", password, HOME)) == "sign_in_failed"


@accounts_test
async def test_a_passkey_is_added_to_an_account_with_a_password(world: World) -> None:
    here, device = await world.here(await world.ada()), Device(world)
    assert await refused(device.add(here, OTHER)) == "sign_in_failed"
    assert await device.passkeys.of(here) == []
    await device.add(here)
    (stored,) = await device.passkeys.of(here)
    assert stored.device == "Firefox"
    assert (await device.sign_in()).account.person == ADA
    await world.accounts.sign_in("Ada", GOOD, HOME)


@accounts_test
async def test_a_passkey_proves_that_the_owner_is_there(world: World) -> None:
    device = Device(world)
    here = await world.here(await device.register())
    codes = await world.accounts.renew_recovery_codes(here, await device.confirm(here), HOME)
    assert len(codes) == 10
    await world.accounts.change_password(here, await device.confirm(here), GOOD, HOME)
    await world.accounts.sign_in("Ada", GOOD, HOME)
    second = Device(world)
    second.key.id = b"another"
    await second.add(here, await device.confirm(here))
    assert len(await device.passkeys.of(here)) == 2


@accounts_test
async def test_the_last_way_to_sign_in_stays(world: World) -> None:
    device = Device(world)
    here = await world.here(await device.register())
    assert await refused(device.passkeys.remove(here, b"another")) == "no_such_passkey"
    assert await refused(device.passkeys.remove(here, device.key.id)) == "last_way"
    await device.sign_in()
    await world.accounts.change_password(here, await device.confirm(here), GOOD, HOME)
    await device.passkeys.remove(here, device.key.id)
    assert await refused(device.sign_in()) == "passkey_failed"
    await world.accounts.sign_in("Ada", GOOD, HOME)


@accounts_test
async def test_nobody_removes_the_passkey_of_another(world: World) -> None:
    device = Device(world)
    await device.register()
    bo = await world.here(await world.accounts.register(BO, "Bo", GOOD, CAFE))
    assert await refused(device.passkeys.remove(bo, device.key.id)) == "no_such_passkey"
    await device.sign_in()


@accounts_test
async def test_a_signature_is_accepted_once(world: World) -> None:
    for count in (0, 1):
        device = Device(world)
        device.key.count, device.key.id = count, bytes([count] * 16)
        await device.register(f"Ada {count}", Person(f"p{count}"))
        signed = device.signed()
        await device.sign_in(signed)
        assert await refused(device.sign_in(signed)) == "passkey_failed"
        await device.sign_in()


@accounts_test
async def test_a_signature_with_a_counter_that_went_back_is_refused(world: World) -> None:
    device = Device(world)
    await device.register()
    device.key.count = 7
    await device.sign_in()
    for count in (7, 3):
        device.key.count = count - 1
        assert await refused(device.sign_in()) == "passkey_failed"
    device.key.count = 8
    await device.sign_in()


@accounts_test
async def test_a_challenge_expires(world: World) -> None:
    device = Device(world)
    signed_before = await device.register(), device.signed()
    world.time += CHALLENGE_LIFE
    assert await refused(device.sign_in(signed_before[1])) == "passkey_failed"
    await device.sign_in()


@accounts_test
async def test_a_challenge_is_of_use_for_its_purpose_and_person_only(world: World) -> None:
    device = Device(world)
    here = await world.here(await device.register())
    confirmed = await device.confirm(here)
    assert await refused(device.sign_in(confirmed.credential)) == "passkey_failed"
    signed = device.answer(device.signed())
    assert await refused(world.accounts.renew_recovery_codes(here, signed, HOME)) == "passkey_failed"
    bo = await world.here(await world.accounts.register(BO, "Bo", GOOD, CAFE))
    assert await refused(world.accounts.renew_recovery_codes(bo, confirmed, CAFE)) == "passkey_failed"
    # The key of another person, with a challenge for this one.
    wrong = device.answer(device.key.sign(await device.passkeys.options_to_confirm(bo, HOST)))
    assert await refused(world.accounts.renew_recovery_codes(bo, wrong, CAFE)) == "passkey_failed"
    await world.accounts.renew_recovery_codes(here, confirmed, HOME)


@accounts_test
async def test_a_challenge_of_another_server_is_refused(world: World) -> None:
    device = Device(world)
    await device.register()
    other = PasskeyChallenges(SigningKeys(b"x" * 32, world.now), world.now, bytes)
    options = {"challenge": other.issue(Purpose.SIGN_IN)}
    assert await refused(device.sign_in(device.key.sign(options))) == "passkey_failed"


@accounts_test
async def test_another_worker_accepts_a_challenge_once(world: World) -> None:
    """Workers share the key and the database, and nothing else."""
    device = Device(world)
    await device.register()
    other = Device(World.sharing(world), device.key)
    signed = device.signed()
    await other.sign_in(signed)
    assert await refused(device.sign_in(signed)) == "passkey_failed"


@pytest.mark.parametrize(
    ("origin", "site"),
    [
        ("https://evil.example", HOST),
        ("http://qipai.example", HOST),
        ("https://qipai.example:8443", HOST),
        ("https://qipai.example", "evil.example"),
        ("null", HOST),
    ],
)
def test_a_signature_for_another_site_is_refused(origin: str, site: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        device = Device(world)
        await device.register()
        device.key.origin, device.key.site = origin, site
        assert await refused(device.sign_in()) == "passkey_failed"
        device.key.id = b"another"
        assert await refused(device.register("Bo", BO)) == "passkey_failed"
        assert world.store.account(BO) is None

    check()


@pytest.mark.parametrize("host", ["localhost", "localhost:3000", "LocalHost:3000"])
def test_this_machine_needs_no_tls(host: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        device = Device(world, Authenticator(f"http://{host.lower()}", "localhost"), host)
        await device.register()
        await device.sign_in()

    check()


@pytest.mark.parametrize("host", ["", "127.0.0.1", "192.0.2.1:3000", "[::1]:3000", "a:b", "é.example"])
def test_an_address_has_no_passkeys(host: str) -> None:
    @accounts_test
    async def check(world: World) -> None:
        with pytest.raises(Exception, match="passkey_failed"):
            Passkeys(world.accounts).options_to_sign_in(host)

    check()


@accounts_test
async def test_one_passkey_is_of_one_account(world: World) -> None:
    device = Device(world)
    await device.register()
    assert await refused(device.register("Bo", BO)) == "passkey_taken"
    assert world.store.account(BO) is None
    bo = await world.here(await world.accounts.register(BO, "Bo", GOOD, CAFE))
    assert await refused(device.add(bo)) == "passkey_taken"


@accounts_test
async def test_an_account_has_a_bounded_number_of_passkeys(world: World) -> None:
    here = await world.here(await world.ada())
    for number in range(MOST):
        device = Device(world)
        device.key.id = bytes([number] * 16)
        await device.add(here)
        world.time += 600_000
    assert await refused(device.add(here)) == "too_many_passkeys"


@accounts_test
async def test_attempts_with_passkeys_are_counted(world: World) -> None:
    device = Device(world)
    await device.register()
    for _ in range(ATTEMPTS_OF_ADDRESS):
        assert await refused(device.sign_in({"id": "x"})) == "passkey_failed"
    assert await refused(device.sign_in()) == "rate_limited"


def _changed(path: str, value: object) -> Callable[[dict[str, Any]], object]:
    def change(signed: dict[str, Any]) -> object:
        *folders, last = path.split(".")
        inner = signed
        for name in folders:
            inner = inner[name]
        inner[last] = value
        return signed

    return change


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: [],
        lambda _: {},
        _changed("id", 7),
        _changed("id", "é"),
        _changed("rawId", "AAAA"),
        _changed("type", "password"),
        _changed("response", None),
        _changed("response", {}),
        _changed("response.clientDataJSON", "!"),
        _changed("response.clientDataJSON", text(b"[]")),
        _changed("response.clientDataJSON", text(json.dumps({"challenge": 1}).encode())),
        _changed("response.authenticatorData", text(b"short")),
        _changed("response.authenticatorData", None),
        _changed("response.signature", text(b"no signature")),
        _changed("response.signature", "A"),
        _changed("response.userHandle", text(b"p2")),
        _changed("response.userHandle", 5),
    ],
)
def test_a_damaged_answer_is_refused(damage: Callable[[dict[str, Any]], object]) -> None:
    @accounts_test
    async def check(world: World) -> None:
        device = Device(world)
        await device.register()
        assert await refused(device.sign_in(damage(device.signed()) or [0])) == "passkey_failed"
        await device.sign_in()

    check()


@pytest.mark.parametrize("attested", [b"", b"\xff", b"\xa0", b"\xa1cfmtctpm", bytes(100), b"\x9f" * 500])
def test_a_damaged_passkey_is_refused(attested: bytes) -> None:
    @accounts_test
    async def check(world: World) -> None:
        device = Device(world)
        made = device.key.make(device.passkeys.options_to_register(ADA, "Ada", HOST))
        made["response"]["attestationObject"] = text(attested)
        work = world.accounts.register(ADA, "Ada", device.answer(made), HOME)
        assert await refused(work) == "passkey_failed"
        assert world.store.account(ADA) is None

    check()
