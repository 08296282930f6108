"""Accounts on two workers with one database: what one changes, the other knows soon."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from tests.hall.accounts.authenticator import Authenticator
from tests.server.test_account_api import GOOD, SIGNED_OUT, Answer, Browser, Socket, registered
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

HOST = {"host": "qipai.example"}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    folder = tmp_path_factory.mktemp("workers")
    with RedisServer(folder) as redis, ExitStack() as stack:
        made = [stack.enter_context(Worker(folder / "data", redis.address)) for _ in range(2)]
        yield made[0], made[1]


def on(worker: ServerProcess, browser: Browser) -> Browser:
    """Return the same browser on another worker."""
    found = Browser(worker)
    found.cookie = browser.cookie
    return found


def test_workers_with_accounts_in_a_file_say_that_other_machines_have_others(
    two: tuple[ServerProcess, ServerProcess],
) -> None:
    for worker in two:
        assert '"event": "accounts in a file"' in worker.log.read_text()
        assert "PostgreSQL" in worker.log.read_text()


def test_a_deleted_account_is_signed_out_on_every_worker(two: tuple[ServerProcess, ServerProcess]) -> None:
    first, second = two
    here = registered(first, "Deleted Dee")
    with closing(on(second, here).connect()) as there:
        assert there.welcome["account"] is True
        assert here.post("delete", password=GOOD).status == 200
        assert there.close_code() == SIGNED_OUT


def test_signing_out_everywhere_reaches_every_worker(two: tuple[ServerProcess, ServerProcess]) -> None:
    first, second = two
    here = registered(first, "Signed Sue")
    other = Browser(second)
    assert other.post("sign-in", name="Signed Sue", password=GOOD).status == 200
    with closing(other.connect()) as there:
        assert here.post("sign-out-others").status == 200
        assert there.close_code() == SIGNED_OUT


def test_a_challenge_counts_once_on_all_workers(two: tuple[ServerProcess, ServerProcess]) -> None:
    first, second = two

    def post(worker: ServerProcess, action: str, **body: object) -> Answer:
        return Browser(worker).ask("POST", f"/api/account/{action}", body, **HOST)

    guest, key = Client(first.port), Authenticator()
    guest.close()
    wanted = {"token": guest.token, "name": "Passkey Pat"}
    made = key.make(post(first, "passkey-register-options", **wanted).body)
    assert post(second, "register", **wanted, passkey=made).status == 200
    signed = key.sign(post(first, "passkey-sign-in-options").body)
    answer = post(second, "passkey-sign-in", passkey=signed)
    assert answer.body["name"] == "Passkey Pat"
    again = post(first, "passkey-sign-in", passkey=signed)
    assert (again.status, again.body["error"]) == (401, "passkey_failed")
    assert "set-cookie" not in again.headers


def test_an_api_token_that_one_worker_revokes_is_of_no_use_on_the_other(
    two: tuple[ServerProcess, ServerProcess],
) -> None:
    first, second = two
    owner = registered(first, "Robo Revoked")
    assert owner.post("become-bot", password=GOOD).status == 200
    made = owner.post("api-token-create", name="Bot", password=GOOD).body
    bearer = {"Authorization": f"Bearer {made['secret']}"}
    assert Browser(second).ask("GET", "/api/my-games", **bearer).status == 200
    with closing(Socket(second.port, "", {"api_token": made["secret"]})) as there:
        assert there.welcome["bot"] is True
        revoked = time.monotonic()
        assert owner.post("api-token-revoke", id=made["token"]["id"]).status == 200
        assert there.close_code() == SIGNED_OUT
        print(f"closed after {time.monotonic() - revoked:.2f} s")
    assert Browser(second).ask("GET", "/api/my-games", **bearer).status == 401
    with closing(Socket(second.port, "", {"api_token": made["secret"]})) as late:
        assert late.welcome["code"] == "not_allowed"


def test_requests_with_api_tokens_are_counted_on_all_workers_together(
    two: tuple[ServerProcess, ServerProcess],
) -> None:
    owner = registered(two[0], "Robo Counted")
    secret = owner.post("api-token-create", name="Bot", password=GOOD).body["secret"]
    bearer = {"Authorization": f"Bearer {secret}"}
    most = ApiTokenSettings().requests
    statuses = [
        Browser(two[number % 2]).ask("GET", "/api/my-games", **bearer).status for number in range(most + 10)
    ]
    # The window may move on while the requests run, so some of the last ones may be allowed again.
    assert statuses[:most] == [200] * most
    assert 429 in statuses[most:]
