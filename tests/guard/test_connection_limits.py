"""Limits of connections and handshakes, with a clock and a number of descriptors of our own."""

import pytest
from structlog.testing import capture_logs

from qipai.guard.client_address import TrustedProxies
from qipai.guard.connection_limits import ConnectionLimits, Reason
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.polling_sessions import PollingSessions
from qipai.socketio.request_errors import SERVER_FULL, TOO_MANY_SESSIONS


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_allows_five_seconds_at_once_and_then_so_many_a_second() -> None:
    clock = Clock()
    limits = ConnectionLimits(GuardSettings(handshakes_per_address=10), clock)
    assert [limits.handshake("a") for _ in range(51)] == [None] * 50 + [Reason.ADDRESS_HANDSHAKES]
    assert limits.handshake("b") is None
    clock.now += 1
    assert [limits.handshake("a") for _ in range(11)] == [None] * 10 + [Reason.ADDRESS_HANDSHAKES]


def test_all_addresses_together_have_a_rate_too() -> None:
    limits = ConnectionLimits(GuardSettings(handshakes_per_second=10), Clock())
    answers = [limits.handshake(str(number)) for number in range(51)]
    assert answers == [None] * 50 + [Reason.HANDSHAKES]


def test_an_address_that_is_refused_does_not_use_up_the_rate_of_all() -> None:
    limits = ConnectionLimits(GuardSettings(handshakes_per_second=20, handshakes_per_address=1), Clock())
    for _ in range(1_000):
        limits.handshake("attacker")
    assert limits.handshake("visitor") is None


def test_requests_have_a_rate_per_address() -> None:
    clock = Clock()
    limits = ConnectionLimits(GuardSettings(requests_per_address=10), clock)
    assert [limits.request("a") for _ in range(51)] == [None] * 50 + [Reason.ADDRESS_REQUESTS]
    assert limits.request("b") is None
    clock.now += 1
    assert [limits.request("a") for _ in range(11)] == [None] * 10 + [Reason.ADDRESS_REQUESTS]
    clock.now += 3
    assert limits.handshake("c") is None, "addresses are forgotten now and then"
    clock.now += 0.1
    assert limits.request("a") is None
    assert [limits.request("a") for _ in range(50)][-1] is Reason.ADDRESS_REQUESTS


def test_a_class_that_plays_by_long_polling_is_not_refused() -> None:
    # 30 clients with 5 requests a second each for a minute, and moments in which each sends 20 at once.
    clock = Clock()
    limits = ConnectionLimits(now=clock)
    answers = []
    for second in range(60):
        for _ in range(5):
            answers += [limits.request("school") for _ in range(30)]
            clock.now += 0.2
        if second % 20 == 10:
            answers += [limits.request("school") for _ in range(30 * 20)]
    assert set(answers) == {None}


def test_a_class_behind_one_address_is_not_refused() -> None:
    # 30 browsers load the page at once: six connections each, then a WebSocket; some load it twice.
    limits = ConnectionLimits(GuardSettings(), Clock(), descriptors=16_384)
    connections = 30 * 7
    assert {limits.enter("school") for _ in range(connections)} == {None}
    assert {limits.handshake("school") for _ in range(2 * connections + 30)} == {None}


def test_connections_of_an_address_are_counted_until_they_are_gone() -> None:
    limits = ConnectionLimits(GuardSettings(per_address=2), Clock())
    assert [limits.enter("a") for _ in range(3)] == [None, None, Reason.ADDRESS]
    assert limits.enter("b") is None
    limits.leave("a")
    assert [limits.enter("a") for _ in range(2)] == [None, Reason.ADDRESS]


def test_no_address_has_more_than_half_of_all_places() -> None:
    limits = ConnectionLimits(GuardSettings(per_address=100, total=10), Clock())
    assert [limits.enter("a") for _ in range(6)] == [None] * 5 + [Reason.ADDRESS]


def test_addresses_that_left_are_forgotten_and_present_ones_are_not() -> None:
    clock = Clock()
    limits = ConnectionLimits(GuardSettings(per_address=1), clock)
    for number in range(1_000):
        limits.enter(str(number))
        if number:
            limits.leave(str(number))
    clock.now += 60
    assert limits.enter("0") is Reason.ADDRESS
    assert limits.enter("1") is None
    assert len(limits._addresses) == 2


@pytest.mark.parametrize(("total", "reason"), [(5, Reason.TOTAL), (10_000, None)])
def test_there_are_so_many_places_in_all(total: int, reason: Reason | None) -> None:
    limits = ConnectionLimits(GuardSettings(total=total), Clock(), descriptors=100_000)
    limits.open = 6
    assert limits.why_full() is reason


def test_a_reserve_of_descriptors_stays_free() -> None:
    limits = ConnectionLimits(GuardSettings(), Clock(), descriptors=1_000)
    limits.open = 937
    assert limits.why_full() is Reason.DESCRIPTORS
    assert ConnectionLimits(GuardSettings(), Clock(), descriptors=100).limit == 75, "a quarter at most"


def test_near_a_limit_one_line_a_minute_is_logged() -> None:
    clock = Clock()
    limits = ConnectionLimits(GuardSettings(total=10), clock, descriptors=100_000)
    with capture_logs() as logged:
        for limits.open in range(12):
            limits.why_full()
            clock.now += 1
        assert [line["event"] for line in logged] == ["connections near the limit"]
        assert (logged[0]["open"], logged[0]["limit"], logged[0]["log_level"]) == (8, 10, "warning")
        for _ in range(100):
            limits.count(Reason.TOTAL)
            limits.why_full()
        clock.now += 60
        limits.why_full()
    assert [line["refused"] for line in logged] == [0, 100]


def test_every_reason_is_counted_from_zero() -> None:
    limits = ConnectionLimits()
    limits.count(Reason.HEADER_TIME)
    assert set(limits.refused) == set(Reason)
    assert sum(limits.refused.values()) == limits.refused[Reason.HEADER_TIME] == 1


def test_polling_sessions_have_as_many_places_per_address_as_connections() -> None:
    limits = ConnectionLimits(GuardSettings(per_address=2, total=5), Clock())
    sessions = PollingSessions(limits, TrustedProxies(["127.0.0.1"]))
    one_network = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff"]
    assert [sessions.enter(host) for host in one_network] == [None, None, TOO_MANY_SESSIONS]
    assert [sessions.enter("192.0.2.1") for _ in range(3)] == [None, None, TOO_MANY_SESSIONS]
    assert limits.enter("192.0.2.1") is None, "its connections are counted apart"
    sessions.leave("2001:db8::2")
    assert sessions.enter("2001:db8::3") is None
    assert limits.refused[Reason.ADDRESS_SESSIONS] == 2


def test_all_addresses_together_have_as_many_polling_sessions_as_connections() -> None:
    limits = ConnectionLimits(GuardSettings(per_address=2, total=5), Clock())
    sessions = PollingSessions(limits, TrustedProxies(["127.0.0.1"]))
    assert [sessions.enter("127.0.0.1") for _ in range(6)] == [None] * 5 + [SERVER_FULL]
    assert sessions.enter("192.0.2.1") is SERVER_FULL
    sessions.leave("127.0.0.1")
    assert sessions.enter("192.0.2.1") is None
    assert limits.refused[Reason.SESSIONS] == 2


def test_no_address_has_more_than_half_of_all_polling_sessions() -> None:
    limits = ConnectionLimits(GuardSettings(per_address=100, total=6), Clock())
    assert [limits.enter_session("a") for _ in range(4)] == [None] * 3 + [Reason.ADDRESS_SESSIONS]


def test_an_address_is_not_forgotten_while_it_has_sessions() -> None:
    clock = Clock()
    limits = ConnectionLimits(GuardSettings(per_address=1), clock)
    assert limits.enter_session("a") is None
    for _ in range(3):
        clock.now += 3600
        assert limits.enter_session("a") is Reason.ADDRESS_SESSIONS
    limits.leave_session("a")
    assert limits.enter_session("a") is None
