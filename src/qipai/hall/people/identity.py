"""Persons: guests, logins, seat tokens and tickets, as texts that the server signs and does not store."""

from base64 import b32encode
from collections.abc import Sequence
from hashlib import blake2b
from time import time_ns
from typing import Final, NamedTuple

from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.ids import Millis, Person, RoomId, Seat

from .signed_texts import DatedTexts, SignedTexts
from .signing_keys import SigningKeys

_DAY: Final = 24 * 60 * 60
SESSION_SECONDS: Final = 30 * _DAY
GUEST_SECONDS: Final = 180 * _DAY
"""Seconds without use after which the token of a guest expires."""
RENEW_SECONDS: Final = _DAY
"""Seconds after which a guest is given a new token."""
UNDATED_UNTIL: Final = Millis(1_810_598_400_000)
"""Tokens of an earlier release have no date: they count as used on 19 November 2026."""
_NAMES: Final = (
    "Crane", "Finch", "Heron", "Ibis", "Jay", "Kite", "Lark", "Magpie", "Oriole", "Owl",
    "Plover", "Quail", "Raven", "Robin", "Swallow", "Swift", "Tern", "Thrush", "Wagtail", "Wren",
)  # fmt: skip


class Guest(NamedTuple):
    """A person and the name of it."""

    person: Person
    name: str


class GuestToken(NamedTuple):
    """The guest of a token, and whether it is time for a new token."""

    guest: Guest
    is_due: bool


class Login(NamedTuple):
    """A person of the login form, with name and icon."""

    person: Person
    name: str
    icon: str


class SeatPass(NamedTuple):
    """Content of a transfer ticket: seat, its person and since when, transfers so far, time of expiry."""

    room: RoomId
    seat: Seat
    person: Person
    since: int
    passed: int
    expires: Millis


def wall_clock() -> Millis:
    """Return the system time: sessions outlive the process, so a monotonic clock is of no use."""
    return Millis(time_ns() // 1_000_000)


class Identity:
    """Creates and reads tokens; stores nothing."""

    def __init__(self, keys: SigningKeys, entropy: Entropy) -> None:
        self._entropy = entropy
        self._keys = keys
        self._guests = DatedTexts(keys, "qipai.guest.dated")
        self._undated_guests = SignedTexts(keys, "qipai.guest")
        self._logins = DatedTexts(keys, "qipai.login")
        self._seats = SignedTexts(keys, "qipai.seat")
        self._tickets = SignedTexts(keys, "qipai.ticket")

    def seat_guest(self, room: RoomId, seat: Seat) -> Guest:
        """Return the guest of a seat token."""
        return Guest(Person(f"seat:{room}:{seat}"), f"{seat + 1}")

    def seat_token(self, room: RoomId, seat: Seat) -> str:
        """Return the token for a seat."""
        return self._seats.sign([room, seat])

    def is_seat_token(self, token: str, room: RoomId, seat: Seat) -> bool:
        """Tell whether the token is for this seat."""
        return bool(self._seats.read(token) == [room, seat])

    def ticket(self, content: SeatPass) -> str:
        """Return the ticket with this content."""
        return self._tickets.sign(list(content))

    def read_ticket(self, text: str) -> SeatPass | None:
        """Return the content of a ticket, or None if it is not valid."""
        match self._tickets.read(text):
            case [
                str() as room,
                int() as seat,
                str() as person,
                int() as since,
                int() as passed,
                int() as at,
            ]:
                return SeatPass(RoomId(room), Seat(seat), Person(person), since, passed, Millis(at))
        return None

    def guest(self) -> Guest:
        """Return a new guest with a generated name."""
        raw = self._entropy(12)
        return Guest(_person(raw), _generated_name(raw))

    def derived_guest(self, secret: str) -> tuple[Person, str]:
        """Return person and public id derived from a secret of a client: the same after a restart."""
        digest = blake2b(secret.encode(), key=self._keys.root, person=b"qipai.kin").digest()
        return _person(digest[:12]), b32encode(digest[12:24]).decode().rstrip("=").lower()

    def derived_tag(self, secret: str) -> str:
        """Return a tag derived from a secret of a client: the same after a restart, and not the secret."""
        digest = blake2b(secret.encode(), key=self._keys.root, person=b"qipai.tag", digest_size=10)
        return b32encode(digest.digest()).decode().lower()

    def token(self, guest: Guest) -> str:
        """Return the token of a guest, valid for 180 days."""
        return self._guests.sign([guest.person, guest.name])

    def read_token(self, token: str) -> Guest | None:
        """Return the guest of a token, or None if it is not valid or expired."""
        found = self.read_guest_token(token)
        return None if found is None else found.guest

    def read_guest_token(self, token: str) -> GuestToken | None:
        """Return the guest of a token, and whether it is time for a new one."""
        signed = self._guests.read(token, GUEST_SECONDS)
        if signed is None and self._keys.now() < UNDATED_UNTIL:
            value, is_due = self._undated_guests.read(token), True
        elif signed is not None:
            value, is_due = signed.value, signed.age >= RENEW_SECONDS or not signed.by_present_key
        else:
            return None
        match value:
            case [str() as person, str() as name]:
                return GuestToken(Guest(Person(person), name), is_due)
        return None

    def login(self, name: str, icon: str) -> Login:
        """Return a new person with this name and icon."""
        return Login(_person(self._entropy(12)), name, icon)

    def session(self, login: Login) -> str:
        """Return the session token of a login, valid for thirty days."""
        return self._logins.sign(list(login))

    def read_session(self, text: str) -> Login | None:
        """Return the login of a session token, or None if it is not valid or expired."""
        signed = self._logins.read(text, SESSION_SECONDS)
        match None if signed is None else signed.value:
            case [str() as person, str() as name, str() as icon]:
                return Login(Person(person), name, icon)
        return None

    def worker_tokens(self) -> Sequence[bytes]:
        """Return what only workers with the same keys know, for each key that is accepted; send the first."""
        return [
            blake2b(key=key, person=b"qipai.worker", digest_size=16).hexdigest().encode()
            for key in self._keys.accepted()
        ]

    def room_id(self, person: Person, nonce: str) -> RoomId:
        """Return the id of the room that a person opens with a nonce: the same intent twice opens one."""
        digest = blake2b(f"{person}\n{nonce}".encode(), key=self._keys.root, digest_size=10)
        return RoomId(b32encode(digest.digest()).decode().lower())


def generated_name(person: Person) -> str:
    """Return a name for a person, the same each time."""
    return _generated_name(blake2b(person.encode(), digest_size=4).digest())


def _generated_name(raw: bytes) -> str:
    number = int.from_bytes(raw[1:4], "little") % 900 + 100
    return f"{_NAMES[raw[0] % len(_NAMES)]} {number}"


def _person(raw: bytes) -> Person:
    return Person(b32encode(raw).decode().rstrip("=").lower())
