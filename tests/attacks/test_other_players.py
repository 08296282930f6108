"""The measurement of others' moves: an attack that stops the server is noticed, nothing is not."""

import signal
import threading

import pytest

from tests.attacks.other_players import assert_others_do_not_notice
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


def test_nobody_notices_an_attack_that_does_nothing(server: ServerProcess) -> None:
    observed = assert_others_do_not_notice(server, lambda stop: None, seconds=2.0)
    assert len(observed.during) >= 160


def test_others_notice_a_server_that_stands_still_for_a_moment(server: ServerProcess) -> None:
    def attack(stop: threading.Event) -> None:
        while not stop.wait(0.3):
            server.signal(signal.SIGSTOP)
            stop.wait(0.3)
            server.signal(signal.SIGCONT)

    with pytest.raises(AssertionError, match="others notice"):
        assert_others_do_not_notice(server, attack, seconds=2.0)
