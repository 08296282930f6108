"""Guesses of a password from one address neither succeed nor delay the moves of others."""

import json
from typing import Final

import pytest

from qipai.hall.accounts.proofs import ATTEMPTS_OF_ADDRESS
from tests.attacks.http_flood import ATTACKER, Flood, request
from tests.attacks.other_players import ROUNDS, assert_others_do_not_notice
from tests.server.test_account_api import registered
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

PATH: Final = "/api/account/sign-in"
CONNECTIONS: Final = 16
GUESS: Final = json.dumps({"name": "Victim Vic", "password": "correct horse battery stable"}).encode()


def test_others_do_not_notice_guesses_of_a_password(server: ServerProcess) -> None:
    registered(server, "Victim Vic")
    first = [request(server, "POST", PATH, GUESS, ATTACKER)[0] for _ in range(ATTEMPTS_OF_ADDRESS + 1)]
    assert set(first) == {401, 429}, "these are checked, one after the other"
    flood = Flood(server, CONNECTIONS, "POST", lambda _: PATH, GUESS)
    assert_others_do_not_notice(server, flood)
    assert flood.statuses[200] == 0, flood.statuses
    # In each minute so many are checked; nothing is computed for the others.
    assert flood.statuses[401] + flood.statuses[503] <= ATTEMPTS_OF_ADDRESS * ROUNDS, flood.statuses
    assert flood.statuses[429] > CONNECTIONS, flood.statuses
