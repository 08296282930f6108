"""Who somebody is: tokens and sessions only this server can make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.clients.login.login_routes import login_of
from qipai.hall.people.identity import Guest, Identity, Login
from qipai.kernel.ids import Millis, Person
from tests.support.hall_simulation import EPOCH, deterministic_entropy

DAY = 24 * 60 * 60 * 1000
SECRET = bytes(range(32))
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
    return Identity(SECRET, deterministic_entropy(), clock)


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


def test_the_machines_clock_is_used_when_no_other_is_given() -> None:
    plain = Identity(SECRET, deterministic_entropy())
    assert plain.read_session(plain.session(MEI)) == MEI
    assert plain.read_session(Identity(SECRET, deterministic_entropy(), Clock()).session(MEI)) is None


def test_a_guests_token_is_no_session_and_a_session_no_token(identity: Identity) -> None:
    guest = Guest(Person("abc"), "Wren 1")
    assert identity.read_token(identity.token(guest)) == guest
    assert identity.read_session(identity.token(guest)) is None
    assert identity.read_token(identity.session(MEI)) is None


def test_a_session_of_another_server_is_not_ours(identity: Identity, clock: Clock) -> None:
    other = Identity(b"x" * 32, deterministic_entropy(), clock)
    assert identity.read_session(other.session(MEI)) is None


def test_a_session_with_any_character_changed_is_not_ours(identity: Identity) -> None:
    text = identity.session(MEI)
    # Not the last one: two of its bits mean nothing.
    for index in range(len(text) - 1):
        changed = text[:index] + ("A" if text[index] != "A" else "B") + text[index + 1 :]
        assert identity.read_session(changed) is None, index


@given(st.one_of(st.text(), st.text("ab.-_=\ud800é")))
def test_junk_is_no_session(text: str) -> None:
    assert Identity(SECRET, deterministic_entropy(), Clock()).read_session(text) is None


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
    forged = Identity(b"x" * 32, deterministic_entropy(), clock).session(MEI)
    guest = identity.token(Guest(Person("abc"), "小美"))
    for value in (forged, guest, text[:-2], text + "x", text.swapcase()):
        assert login_of(identity, f"session={value}") is None
    clock.time += 30 * DAY + 1000
    assert login_of(identity, f"session={text}") is None


@given(st.text())
def test_no_cookie_header_raises(header: str) -> None:
    identity = Identity(SECRET, deterministic_entropy(), Clock())
    assert login_of(identity, header) is None
    assert login_of(identity, f"session={header}") is None
