"""Signing in with a provider: which account a person gets, and what others cannot make of it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from qipai.hall.accounts.account_refusals import AccountRefused
from qipai.hall.accounts.accounts import SignedIn
from qipai.hall.accounts.openid.openid_accounts import (
    Confirmed,
    Linked,
    Newcomer,
    OpenIdAccounts,
    Return,
)
from qipai.hall.accounts.openid.openid_interface import (
    Attempt,
    Identified,
    OpenIdFailed,
    OpenIdUnavailable,
    ProviderIdentity,
)
from qipai.hall.accounts.openid.provider_texts import (
    ATTEMPT_SECONDS,
    CONFIRMED_SECONDS,
    NEW_PERSON_SECONDS,
    identity_key,
)
from qipai.hall.accounts.passkeys import Passkeys
from qipai.hall.accounts.proofs import ADDRESS_WINDOW, ATTEMPTS_OF_ADDRESS, PasskeyAnswer, ProviderSignIn
from qipai.kernel.ids import Millis
from tests.hall.accounts.account_world import ADA, BO, CAFE, GOOD, HOME, OTHER, World, accounts_test, refusal
from tests.hall.accounts.authenticator import Authenticator

REDIRECT = "https://qipai.example/api/account/openid/callback"
ISSUER = "https://club.example"


class ScriptedProvider:
    """A provider that gives a code to each user, once."""

    issuer = ISSUER
    label = "Club"

    def __init__(self) -> None:
        self.attempts: dict[str, tuple[Attempt, str]] = {}
        self.asked_again: list[bool] = []
        self.down = False
        self.identified: dict[str, Identified] = {}

    async def authorization_url(self, attempt: Attempt, redirect: str, *, again: bool) -> str:
        if self.down:
            raise OpenIdUnavailable
        self.attempts[attempt.state] = attempt, redirect
        self.asked_again.append(again)
        return f"{ISSUER}/authorize?state={attempt.state}"

    async def identify(self, code: str, attempt: Attempt, redirect: str) -> Identified:
        if self.down:
            raise OpenIdUnavailable
        user, _, state = code.partition(" ")
        # As a real one: the code belongs to an attempt, with its nonce and verifier, and works once.
        if self.attempts.pop(state, None) != (attempt, redirect):
            raise OpenIdFailed
        return self.identified.get(user, Identified(f"subject of {user}", user, None))

    async def close(self) -> None:
        """Do nothing."""


class Club:
    """A world with a provider, and a browser that goes there and comes back."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.provider = ScriptedProvider()
        self.openid = OpenIdAccounts(world.accounts, self.provider)

    @staticmethod
    def back(started: tuple[str, str], user: str = "Ada", **more: str) -> Return:
        """Return what a browser brings back when this user has signed in."""
        url, kept = started
        state = url.partition("state=")[2]
        given = {"kept": kept, "state": state, "code": f"{user} {state}", "error": "", "issuer": ""}
        return Return(**(given | more))

    async def go(self, user: str = "Ada", **more: str) -> Any:
        """Go to the provider to sign in, and come back."""
        started = await self.openid.sign_in(HOME, REDIRECT)
        return await self.openid.finish(self.back(started, user, **more), REDIRECT, CAFE, None)

    async def register(self, user: str = "Ada", name: str = "") -> SignedIn:
        newcomer = await self.go(user)
        assert isinstance(newcomer, Newcomer)
        person = ADA if user == "Ada" else BO
        return await self.openid.register(newcomer.text, person, name, CAFE)


ClubTest = Callable[[Club], Any]


def club_test(test: ClubTest) -> Callable[[], None]:
    """Run a coroutine with a club of its own."""

    @accounts_test
    async def run(world: World) -> None:
        await test(Club(world))

    run.__name__ = getattr(test, "__name__", "test")
    return run


@club_test
async def test_a_newcomer_becomes_an_account_and_is_found_from_then_on(club: Club) -> None:
    first = await club.register()
    assert first.account.person == ADA, "the guest of this browser, with its seats and games"
    assert first.account.name == "Ada"
    assert len(first.recovery_codes) == 10
    assert await club.world.accounts.current(first.token) is not None
    again = await club.go()
    assert isinstance(again, SignedIn)
    assert again.account == first.account
    assert again.token != first.token, "each sign-in has a new session"
    assert again.recovery_codes == ()
    assert isinstance(await club.go("Bo"), Newcomer)


@club_test
async def test_nothing_is_stored_before_a_newcomer_has_a_name(club: Club) -> None:
    newcomer = await club.go()
    assert club.world.store.accounts() == (0, [])
    assert isinstance(newcomer, Newcomer)
    assert club.openid.suggested_name(newcomer.text) == "Ada"


@pytest.mark.parametrize(
    ("called", "code"),
    [("", "bad_name"), ("A", "bad_name"), ("admin", "bad_name"), ("x" * 21, "bad_name"),
     ("ada@club.example", "bad_name"), ("Bo", "name_taken"), ("ＢＯ", "name_taken")],
)  # fmt: skip
def test_the_name_is_asked_for_if_that_of_the_provider_is_taken_or_unfit(called: str, code: str) -> None:
    @club_test
    async def check(club: Club) -> None:
        await club.world.accounts.register(BO, "Bo", GOOD, HOME)
        club.provider.identified["Ada"] = Identified("1", called, None)
        newcomer = await club.go()
        assert isinstance(newcomer, Newcomer)
        assert "@" not in club.openid.suggested_name(newcomer.text)
        assert (await refusal(club.openid.register(newcomer.text, ADA, "", CAFE))).code == code
        assert club.world.store.account(ADA) is None
        made = await club.openid.register(newcomer.text, ADA, "Countess", CAFE)
        assert made.account.name == "Countess"

    check()


@club_test
async def test_a_newcomer_registers_once_and_in_time(club: Club) -> None:
    newcomer = await club.go()
    assert isinstance(newcomer, Newcomer)
    await club.openid.register(newcomer.text, ADA, "", CAFE)
    again = await refusal(club.openid.register(newcomer.text, BO, "Another", CAFE))
    assert again.code == "openid_taken"
    assert club.world.store.account(BO) is None
    late = await club.go("Bo")
    assert isinstance(late, Newcomer)
    club.world.time += NEW_PERSON_SECONDS * 1000 + 1000
    assert (await refusal(club.openid.register(late.text, BO, "", CAFE))).code == "openid_failed"
    for forged in ("", "x", newcomer.text[:-2] + "AA"):
        assert (await refusal(club.openid.register(forged, BO, "Eve", CAFE))).code == "openid_failed"


@club_test
async def test_of_several_registrations_at_once_one_counts(club: Club) -> None:
    newcomer = await club.go()
    assert isinstance(newcomer, Newcomer)
    wanted = [(ADA, "Ada"), (BO, "Bo")] * 3
    found = await asyncio.gather(
        *(club.openid.register(newcomer.text, person, name, CAFE) for person, name in wanted),
        return_exceptions=True,
    )
    assert sum(isinstance(each, SignedIn) for each in found) == 1
    assert sum(isinstance(each, AccountRefused) for each in found) == 5
    assert len(club.world.store.accounts()[1]) == 1


# Attacks


@club_test
async def test_a_wrong_state_is_refused(club: Club) -> None:
    for more in ({"state": ""}, {"state": "x" * 43}, {"kept": ""}, {"kept": "x.y.z"}):
        assert (await refusal(club.go(**more))).code == "openid_failed"


@club_test
async def test_login_csrf_an_answer_that_another_browser_began_is_refused(club: Club) -> None:
    await club.register("Eve", "Eve")
    of_eve, of_ada = await club.openid.sign_in(HOME, REDIRECT), await club.openid.sign_in(HOME, REDIRECT)
    # Eve lets the browser of Ada open the address with which Eve would be signed in.
    planted = club.back(of_eve, "Eve")
    for kept in ("", of_ada[1]):
        found = await refusal(club.openid.finish(planted._replace(kept=kept), REDIRECT, CAFE, None))
        assert found.code == "openid_failed"
    assert isinstance(await club.openid.finish(planted, REDIRECT, CAFE, None), SignedIn), (
        "her own is accepted"
    )


@club_test
async def test_a_replayed_answer_is_refused(club: Club) -> None:
    await club.register()
    started = await club.openid.sign_in(HOME, REDIRECT)
    back = club.back(started)
    assert isinstance(await club.openid.finish(back, REDIRECT, CAFE, None), SignedIn)
    assert (await refusal(club.openid.finish(back, REDIRECT, CAFE, None))).code == "openid_failed"
    # Also if the provider would give something for another code.
    club.provider.attempts[back.state] = Attempt("", "", ""), ""
    refused = await refusal(club.openid.finish(back._replace(code="Ada again"), REDIRECT, CAFE, None))
    assert refused.code == "openid_failed"
    assert back.state in club.provider.attempts, "the provider is not asked again"


@club_test
async def test_a_code_of_another_attempt_is_refused(club: Club) -> None:
    await club.register("Eve", "Eve")
    mine, stolen = await club.openid.sign_in(HOME, REDIRECT), await club.openid.sign_in(HOME, REDIRECT)
    code = club.back(stolen, "Ada").code
    assert (await refusal(club.openid.finish(club.back(mine, code=code), REDIRECT, CAFE, None))).code == (
        "openid_failed"
    )


@club_test
async def test_an_attempt_ends(club: Club) -> None:
    started = await club.openid.sign_in(HOME, REDIRECT)
    club.world.time += ATTEMPT_SECONDS * 1000 + 1000
    late = await refusal(club.openid.finish(club.back(started), REDIRECT, CAFE, None))
    assert late.code == "openid_failed"


@club_test
async def test_an_answer_of_another_issuer_is_refused(club: Club) -> None:
    assert (await refusal(club.go(issuer="https://evil.example"))).code == "openid_failed"
    assert isinstance(await club.go(issuer=ISSUER), Newcomer)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"error": "access_denied", "code": ""}, "openid_cancelled"),
        ({"error": "server_error", "code": ""}, "openid_failed"),
        ({"code": ""}, "openid_failed"),
        ({"error": "server_error"}, "openid_failed"),
    ],
)
def test_an_error_of_the_provider_signs_nobody_in(more: dict[str, str], code: str) -> None:
    @club_test
    async def check(club: Club) -> None:
        assert (await refusal(club.go(**more))).code == code

    check()


@club_test
async def test_unverified_claims_find_no_account(club: Club) -> None:
    # The same name, and whatever else the provider says: only issuer and subject count.
    await club.world.accounts.register(BO, "Ada", GOOD, HOME)
    assert isinstance(await club.go("Ada"), Newcomer)
    newcomer = await club.go("Ada")
    assert isinstance(newcomer, Newcomer)
    assert (await refusal(club.openid.register(newcomer.text, ADA, "", CAFE))).code == "name_taken"


@club_test
async def test_the_same_subject_of_another_issuer_is_somebody_else(club: Club) -> None:
    await club.register()
    club.provider.issuer = "https://other.example"
    assert isinstance(await club.go(), Newcomer)


@club_test
async def test_an_address_may_try_so_often(club: Club) -> None:
    await club.register()
    for _ in range(ATTEMPTS_OF_ADDRESS - 2):
        assert isinstance(await club.go(), SignedIn)
    assert (await refusal(club.go())).code == "rate_limited"
    club.world.time += ADDRESS_WINDOW
    assert isinstance(await club.go(), SignedIn)


@club_test
async def test_a_provider_that_is_down_is_said_to_be(club: Club) -> None:
    started = await club.openid.sign_in(HOME, REDIRECT)
    club.provider.down = True
    assert (await refusal(club.openid.sign_in(HOME, REDIRECT))).code == "openid_unavailable"
    found = await refusal(club.openid.finish(club.back(started), REDIRECT, CAFE, None))
    assert found.code == "openid_unavailable"


# Linking


@club_test
async def test_an_account_is_linked_and_unlinked(club: Club) -> None:
    here = await club.world.here(await club.world.ada())
    started = await club.openid.link(here, GOOD, HOME, REDIRECT)
    assert not await club.openid.is_linked(ADA)
    assert await club.openid.finish(club.back(started, "Lady"), REDIRECT, HOME, here) == Linked()
    assert await club.openid.is_linked(ADA)
    found = await club.go("Lady")
    assert isinstance(found, SignedIn)
    assert found.account.person == ADA
    again = await refusal(club.openid.link(here, GOOD, HOME, REDIRECT))
    assert again.code == "openid_taken"
    await club.openid.unlink(here)
    assert isinstance(await club.go("Lady"), Newcomer)
    assert (await refusal(club.openid.unlink(here))).code == "openid_not_linked"


@club_test
async def test_linking_needs_the_owner_of_the_account(club: Club) -> None:
    here = await club.world.here(await club.world.ada())
    assert (await refusal(club.openid.link(here, OTHER, HOME, REDIRECT))).code == "sign_in_failed"
    started = await club.openid.link(here, GOOD, HOME, REDIRECT)
    back = club.back(started, "Eve")
    other = await club.world.here(await club.world.accounts.register(BO, "Bo", GOOD, CAFE))
    for current in (None, other):
        assert (await refusal(club.openid.finish(back, REDIRECT, HOME, current))).code == "not_signed_in"
    assert not await club.openid.is_linked(ADA)
    assert not await club.openid.is_linked(BO)


@club_test
async def test_an_identity_belongs_to_one_account(club: Club) -> None:
    await club.register("Ada")
    bo = await club.world.here(await club.world.accounts.register(BO, "Bo", GOOD, CAFE))
    started = await club.openid.link(bo, GOOD, HOME, REDIRECT)
    taken = await refusal(club.openid.finish(club.back(started, "Ada"), REDIRECT, HOME, bo))
    assert taken.code == "openid_taken"
    assert not await club.openid.is_linked(BO)


@club_test
async def test_the_only_way_to_sign_in_is_not_unlinked(club: Club) -> None:
    here = await club.world.here(await club.register())
    assert (await refusal(club.openid.unlink(here))).code == "last_way"
    assert await club.openid.is_linked(ADA)


@club_test
async def test_a_passkey_is_removed_if_the_provider_is_left(club: Club) -> None:
    here = await club.world.here(await club.register())
    key, passkeys = Authenticator(), Passkeys(club.world.accounts)
    made = key.make(await passkeys.options_to_add(here, "qipai.example"))
    proof = await confirmed(club, here)
    await passkeys.add(here, proof, PasskeyAnswer(made, "qipai.example"), HOME)
    await passkeys.remove(here, key.id)
    assert (await refusal(club.openid.unlink(here))).code == "last_way"


# Proofs


async def confirmed(club: Club, here: Any, user: str = "Ada") -> ProviderSignIn:
    """Return the proof that the owner has signed in at the provider again."""
    started = await club.openid.confirm(here, REDIRECT)
    found = await club.openid.finish(club.back(started, user), REDIRECT, HOME, here)
    assert isinstance(found, Confirmed)
    token = next(token for token, key in SESSIONS.items() if key == here.session.key)
    return ProviderSignIn(found.text, token)


SESSIONS: dict[str, bytes] = {}


@pytest.fixture(autouse=True)
def known_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note the secrets of sessions, which requests have."""
    SESSIONS.clear()
    here = World.here

    async def noting(world: World, signed_in: SignedIn) -> Any:
        current = await here(world, signed_in)
        SESSIONS[signed_in.token] = current.session.key
        return current

    monkeypatch.setattr(World, "here", noting)


@club_test
async def test_who_has_only_the_provider_proves_there_to_be_the_owner(club: Club) -> None:
    here = await club.world.here(await club.register())
    assert (
        await refusal(club.world.accounts.change_password(here, "", OTHER, HOME))
    ).code == "sign_in_failed"
    proof = await confirmed(club, here)
    assert club.provider.asked_again == [False, True]
    await club.world.accounts.change_password(here, proof, OTHER, HOME)
    await club.world.accounts.sign_in("Ada", OTHER, HOME)
    await club.openid.unlink(here)
    await club.world.accounts.delete(here, proof, HOME)


@club_test
async def test_a_proof_is_for_one_session_and_some_minutes(club: Club) -> None:
    first = await club.register()
    second = await club.go()
    assert isinstance(second, SignedIn)
    here, there = await club.world.here(first), await club.world.here(second)
    proof = await confirmed(club, here)
    borrowed = ProviderSignIn(proof.text, second.token)
    for wrong in (borrowed, ProviderSignIn("", first.token), ProviderSignIn("x.y.z", first.token)):
        found = await refusal(club.world.accounts.renew_recovery_codes(there, wrong, HOME))
        assert found.code == "openid_failed"
    bo = await club.world.here(await club.world.accounts.register(BO, "Bo", GOOD, CAFE))
    assert (await refusal(club.world.accounts.delete(bo, proof, HOME))).code == "openid_failed"
    club.world.time += CONFIRMED_SECONDS * 1000 + 1000
    late = await refusal(club.world.accounts.renew_recovery_codes(here, proof, HOME))
    assert late.code == "openid_failed"


@club_test
async def test_another_identity_proves_nothing(club: Club) -> None:
    here = await club.world.here(await club.register())
    await club.register("Bo")
    for user in ("Bo", "nobody here"):
        started = await club.openid.confirm(here, REDIRECT)
        found = await refusal(club.openid.finish(club.back(started, user), REDIRECT, HOME, here))
        assert found.code == "openid_failed"


@club_test
async def test_an_old_sign_in_at_the_provider_proves_nothing(club: Club) -> None:
    here = await club.world.here(await club.register())
    for age, is_fresh in ((0, True), (30_000, True), (120_000, False), (10**9, False)):
        started = await club.openid.confirm(here, REDIRECT)
        club.provider.identified["Ada"] = Identified("subject of Ada", "Ada", Millis(club.world.now() - age))
        work = club.openid.finish(club.back(started), REDIRECT, HOME, here)
        if is_fresh:
            assert isinstance(await work, Confirmed)
        else:
            assert (await refusal(work)).code == "openid_failed"


@club_test
async def test_an_answer_counts_for_its_own_aim_only(club: Club) -> None:
    here = await club.world.here(await club.register())
    # To sign in is no proof, and a proof does not link or sign in.
    assert isinstance(await club.go(), SignedIn)
    started = await club.openid.confirm(here, REDIRECT)
    assert (
        await refusal(club.openid.finish(club.back(started), REDIRECT, HOME, None))
    ).code == "not_signed_in"


@club_test
async def test_a_deleted_account_leaves_no_identity(club: Club) -> None:
    here = await club.world.here(await club.register())
    await club.world.accounts.delete(here, await confirmed(club, here), HOME)
    assert isinstance(await club.go(), Newcomer)
    assert club.world.store.openid.identities(ADA) == []


def test_the_identity_itself_is_not_stored() -> None:
    key = identity_key(ISSUER, "ada@club.example")
    assert len(key) == 32
    assert b"ada" not in key
    assert key != identity_key(f"{ISSUER} ", "ada@club.example")
    assert ProviderIdentity(key, ISSUER, ADA, Millis(1)).key == key
