"""Who somebody is: tokens and sessions only this server can make."""

from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer

from qipai.clients.login.login_routes import login_of
from qipai.hall.people.identity import UNDATED_UNTIL, Guest, GuestToken, Identity, Login, wall_clock
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Millis, Person
from tests.support.hall_simulation import EPOCH, deterministic_entropy

DAY = 24 * 60 * 60 * 1000
SECRET = bytes(range(32))
WREN = Guest(Person("abc"), "Wren 1")
MEI = Login(Person("abc"), "小美", "🐼")


class Clock:
    def __init__(self) -> None:
        self.time = EPOCH

    def __call__(self) -> Millis:
        return Millis(self.time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def identity(clock: Clock) -> Identity:
    return Identity(SigningKeys(SECRET, clock), deterministic_entropy())


def test_a_session_is_read_back_whole(identity: Identity) -> None:
    assert identity.read_session(identity.session(MEI)) == MEI


def test_a_session_is_plain_text_that_fits_a_cookie(identity: Identity) -> None:
    text = identity.session(Login(Person("a" * 20), "👨‍👩‍👧‍👦" * 10, "🦄"))
    assert text.isascii()
    assert not set(text) & set(' ";,\\=')
    assert len(text) < 1000


def test_every_login_is_somebody_new(identity: Identity) -> None:
    first, second = identity.login("小美", "🐼"), identity.login("小美", "🐼")
    assert (first.name, first.icon) == ("小美", "🐼")
    assert first.person != second.person


def test_a_session_lives_thirty_days(identity: Identity, clock: Clock) -> None:
    text = identity.session(MEI)
    clock.time += 30 * DAY
    assert identity.read_session(text) == MEI
    clock.time += 1000
    assert identity.read_session(text) is None


@pytest.mark.parametrize("ahead", [1_000, 20_000, DAY])
def test_a_text_of_a_worker_whose_clock_is_ahead_is_accepted(
    identity: Identity, clock: Clock, ahead: int
) -> None:
    clock.time += ahead
    session, token = identity.session(MEI), identity.token(WREN)
    clock.time -= ahead
    assert identity.read_session(session) == MEI
    assert identity.read_token(token) == WREN


def test_the_token_of_a_guest_lives_180_days_after_its_last_use(identity: Identity, clock: Clock) -> None:
    token = identity.token(WREN)
    clock.time += 180 * DAY
    assert identity.read_token(token) == WREN
    clock.time += 1000
    assert identity.read_token(token) is None


def test_a_guest_is_given_a_new_token_once_a_day(identity: Identity, clock: Clock) -> None:
    token = identity.token(WREN)
    for moment, is_due in ((DAY - 1000, False), (DAY, True), (180 * DAY, True)):
        clock.time = EPOCH + moment
        assert identity.read_guest_token(token) == GuestToken(WREN, is_due)


def test_a_token_without_a_date_ends_when_dates_have_been_used_for_180_days(clock: Clock) -> None:
    undated = URLSafeSerializer(SECRET, salt="qipai.guest", signer_kwargs={"digest_method": sha256})
    token = undated.dumps(["abc", "Wren 1"])
    text = token if isinstance(token, str) else token.decode()
    identity = Identity(SigningKeys(SECRET, clock), deterministic_entropy())
    assert datetime.fromtimestamp(UNDATED_UNTIL / 1000, UTC) == datetime(2027, 5, 18, tzinfo=UTC)
    clock.time = UNDATED_UNTIL - 1
    assert identity.read_guest_token(text) == GuestToken(WREN, is_due=True)
    assert identity.read_token(text[:-4] + "AAAA") is None
    clock.time = UNDATED_UNTIL
    assert identity.read_guest_token(text) is None


def test_the_machines_clock_is_used_when_no_other_is_given() -> None:
    plain = Identity(SigningKeys(SECRET, wall_clock), deterministic_entropy())
    assert plain.read_session(plain.session(MEI)) == MEI
    assert (
        plain.read_session(Identity(SigningKeys(SECRET, Clock()), deterministic_entropy()).session(MEI))
        is None
    )


def test_a_guests_token_is_no_session_and_a_session_no_token(identity: Identity) -> None:
    guest = Guest(Person("abc"), "Wren 1")
    assert identity.read_token(identity.token(guest)) == guest
    assert identity.read_session(identity.token(guest)) is None
    assert identity.read_token(identity.session(MEI)) is None


def test_a_session_of_another_server_is_not_ours(identity: Identity, clock: Clock) -> None:
    other = Identity(SigningKeys(b"x" * 32, clock), deterministic_entropy())
    assert identity.read_session(other.session(MEI)) is None


def test_a_session_with_any_character_changed_is_not_ours(identity: Identity) -> None:
    text = identity.session(MEI)
    # Not the last one: two of its bits mean nothing.
    for index in range(len(text) - 1):
        changed = text[:index] + ("A" if text[index] != "A" else "B") + text[index + 1 :]
        assert identity.read_session(changed) is None, index


@given(st.one_of(st.text(), st.text("ab.-_=\ud800é")))
def test_junk_is_no_session(text: str) -> None:
    assert Identity(SigningKeys(SECRET, Clock()), deterministic_entropy()).read_session(text) is None


def test_the_login_is_found_among_other_cookies(identity: Identity) -> None:
    text = identity.session(MEI)
    for header in (
        f"session={text}", f"a=b; session={text}; c=d", f"a=b;session={text};c", f'session="{text}"',
        f"  session = {text}  ", f";;=;==; junk ; session={text}", f"é\xff=\x00; session={text}",
        f"session=of.another.app; session={text}", f"Session=x; xsession=y; session={text}",
    ):  # fmt: skip
        assert login_of(identity, header) == MEI, header
    for name in ("Session", "session2", "x"):
        assert login_of(identity, f"{name}={text}") is None


@pytest.mark.parametrize(
    "header",
    ["", "session", "session=", 'session="', "session=;", "=session", ";" * 5000, "session=x;" * 999],
)
def test_cookies_without_a_login_are_a_strangers(identity: Identity, header: str) -> None:
    assert login_of(identity, header) is None


def test_forged_expired_and_borrowed_cookies_are_a_strangers(identity: Identity, clock: Clock) -> None:
    text = identity.session(MEI)
    forged = Identity(SigningKeys(b"x" * 32, clock), deterministic_entropy()).session(MEI)
    guest = identity.token(Guest(Person("abc"), "小美"))
    for value in (forged, guest, text[:-2], text + "x", text.swapcase()):
        assert login_of(identity, f"session={value}") is None
    clock.time += 30 * DAY + 1000
    assert login_of(identity, f"session={text}") is None


@given(st.text())
def test_no_cookie_header_raises(header: str) -> None:
    identity = Identity(SigningKeys(SECRET, Clock()), deterministic_entropy())
    assert login_of(identity, header) is None
    assert login_of(identity, f"session={header}") is None
