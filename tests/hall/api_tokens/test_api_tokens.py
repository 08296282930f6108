"""API tokens: who makes them, what is stored, who acts with them, and what is guessed."""

from msgspec.structs import replace

from qipai.hall.accounts.account_refusals import AccountRefusal
from qipai.hall.accounts.accounts import DAY, Current
from qipai.hall.api_tokens.api_token_limits import GUESSES, HOUR, MINUTE, ApiTokenLimit, ApiTokenLimits
from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from qipai.hall.api_tokens.api_tokens import MOST, PREFIX, ApiTokens
from qipai.hall.cluster.cluster_mode import LocalCounters
from tests.hall.accounts.account_world import ADA, GOOD, HOME, OTHER, World, accounts_test, refusal
from tests.support.hall_simulation import deterministic_entropy

ATTACKER = "192.0.2.9"


def tokens_of(world: World, settings: ApiTokenSettings | None = None) -> ApiTokens:
    """Return the API tokens of a worker."""
    limits = ApiTokenLimits(settings or ApiTokenSettings(), LocalCounters())
    return ApiTokens(world.accounts, limits, deterministic_entropy())


async def owner(world: World) -> Current:
    return await world.here(await world.ada())


@accounts_test
async def test_a_program_acts_with_the_secret_of_a_token(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, " My  bot ", None, GOOD, HOME)
    assert made.secret.startswith(PREFIX)
    assert len(made.secret) == len(PREFIX) + 43
    found = await tokens.user(made.secret, HOME.address)
    assert (found.token.id, found.account) == (made.token.id, current.account)
    assert [(each.name, each.expires) for each in await tokens.of(current)] == [("My bot", None)]


@accounts_test
async def test_the_secret_is_not_stored(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, "bot", None, GOOD, HOME)
    (stored,) = world.store.api_tokens.of(ADA, world.now())
    assert made.secret.removeprefix(PREFIX) not in repr(stored)
    assert len(stored.key) == 32
    # What is stored is of no use as a secret.
    for text in (stored.key.hex(), stored.id, f"{PREFIX}{stored.key.hex()}"):
        assert (await refusal(tokens.user(text, HOME.address))).code is AccountRefusal.BAD_API_TOKEN


async def never() -> bool:
    return False


async def always() -> bool:
    return True


@accounts_test
async def test_an_account_that_sat_down_meanwhile_does_not_become_a_bot(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    refused = await refusal(tokens.become_bot(current, GOOD, HOME, always))
    assert refused.code is AccountRefusal.HAS_PLAYED
    account = world.store.account(ADA)
    assert account is not None
    assert not account.bot


@accounts_test
async def test_only_somebody_with_the_password_makes_a_token_or_a_bot_account(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    for work in (
        tokens.create(current, "bot", None, OTHER, HOME),
        tokens.become_bot(current, OTHER, HOME, never),
    ):
        assert (await refusal(work)).code is AccountRefusal.SIGN_IN_FAILED
    assert await tokens.of(current) == []
    account = world.store.account(ADA)
    assert account is not None
    assert not account.bot


@accounts_test
async def test_an_account_has_ten_tokens_with_names(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    for name in ("", " ", "\n", "\u200b"):
        refused = await refusal(tokens.create(current, name, None, GOOD, HOME))
        assert refused.code is AccountRefusal.BAD_TOKEN_NAME
    for number in range(MOST):
        await tokens.create(current, f"bot {number}", None, GOOD, HOME)
    world.time += MINUTE
    refused = await refusal(tokens.create(current, "one more", None, GOOD, HOME))
    assert refused.code is AccountRefusal.TOO_MANY_API_TOKENS
    await tokens.revoke(current, (await tokens.of(current))[0].id)
    await tokens.create(current, "one more", None, GOOD, HOME)


@accounts_test
async def test_a_revoked_or_expired_token_is_of_no_use(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    revoked = await tokens.create(current, "revoked", None, GOOD, HOME)
    short = await tokens.create(current, "short", 2, GOOD, HOME)
    known = world.changes
    await tokens.revoke(current, revoked.token.id)
    assert world.changes == known + 1
    refused = await refusal(tokens.revoke(current, revoked.token.id))
    assert refused.code is AccountRefusal.NO_SUCH_API_TOKEN
    assert (await refusal(tokens.user(revoked.secret, HOME.address))).code is AccountRefusal.BAD_API_TOKEN
    world.time += 2 * DAY - 1
    await tokens.user(short.secret, HOME.address)
    world.time += 1
    assert (await refusal(tokens.user(short.secret, HOME.address))).code is AccountRefusal.BAD_API_TOKEN


@accounts_test
async def test_a_token_of_a_deleted_account_is_of_no_use(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, "bot", None, GOOD, HOME)
    await world.accounts.delete(current, GOOD, HOME)
    assert (await refusal(tokens.user(made.secret, HOME.address))).code is AccountRefusal.BAD_API_TOKEN
    refused = await refusal(tokens.create(replace_session(current), "again", None, GOOD, HOME))
    assert refused.code is AccountRefusal.SIGN_IN_FAILED


def replace_session(current: Current) -> Current:
    """Return a session as a request has it that began before the account was deleted."""
    return Current(replace(current.session), current.account)


@accounts_test
async def test_the_last_use_is_stored_once_in_an_hour(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, "bot", None, GOOD, HOME)
    start = world.now()
    seen = []
    for _ in range(3):
        await tokens.user(made.secret, HOME.address)
        seen.append((await tokens.of(current))[0].used)
        world.time += HOUR // 2
    assert seen == [start, start, start + HOUR]


@accounts_test
async def test_an_address_that_guesses_is_refused_and_others_are_not(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, "bot", None, GOOD, HOME)
    wrong = f"{PREFIX}{'A' * 43}"
    for guess in [wrong] * (GUESSES - 4) + ["", PREFIX, "é" * 49, f"{wrong}A"]:
        assert (await refusal(tokens.user(guess, ATTACKER))).code is AccountRefusal.BAD_API_TOKEN
    for guess in (wrong, made.secret):
        assert (await refusal(tokens.user(guess, ATTACKER))).code is AccountRefusal.RATE_LIMITED
    await tokens.user(made.secret, HOME.address)
    assert tokens.limits.refused[ApiTokenLimit.GUESSES] == 2
    world.time += MINUTE
    await tokens.user(made.secret, ATTACKER)


@accounts_test
async def test_right_tokens_are_not_counted_as_guesses(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    made = await tokens.create(current, "bot", None, GOOD, HOME)
    for _ in range(3 * GUESSES):
        await tokens.user(made.secret, HOME.address)


@accounts_test
async def test_the_requests_of_all_tokens_of_an_account_are_limited_together(world: World) -> None:
    tokens, current = tokens_of(world, ApiTokenSettings(requests=3)), await owner(world)
    one = await tokens.create(current, "one", None, GOOD, HOME)
    two = await tokens.create(current, "two", None, GOOD, HOME)
    for secret in (one.secret, two.secret, one.secret):
        assert (await tokens.requester(secret, HOME.address)).person == ADA
    refused = await refusal(tokens.requester(two.secret, HOME.address))
    assert refused.code is AccountRefusal.RATE_LIMITED
    assert tokens.limits.refused[ApiTokenLimit.REQUESTS] == 1
    world.time += MINUTE
    await tokens.requester(two.secret, HOME.address)


@accounts_test
async def test_a_bot_account_stays_one_and_all_workers_are_told(world: World) -> None:
    tokens, current = tokens_of(world), await owner(world)
    known = world.changes
    await tokens.become_bot(current, GOOD, HOME, never)
    assert world.changes == known + 1
    again = await world.here(await world.accounts.sign_in("Ada", GOOD, HOME))
    assert again.account.bot
    renamed = await world.accounts.rename(again, "Ada Bot X")
    assert renamed.bot
