"""Persons: guests, logins, seat tokens and tickets, as texts that the server signs and does not store."""

import hashlib
from base64 import b32encode
from time import time_ns
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, TimestampSigner, URLSafeSerializer, URLSafeTimedSerializer

from qipai.hall.journal.store_interface import Entropy, Now
from qipai.kernel.ids import Millis, Person, RoomId, Seat

SESSION_SECONDS: Final = 30 * 24 * 60 * 60
_NAMES: Final = (
    "Crane", "Finch", "Heron", "Ibis", "Jay", "Kite", "Lark", "Magpie", "Oriole", "Owl",
    "Plover", "Quail", "Raven", "Robin", "Swallow", "Swift", "Tern", "Thrush", "Wagtail", "Wren",
)  # fmt: skip


class Guest(NamedTuple):
    """A person and the name of it."""

    person: Person
    name: str


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


class ClockSigner(TimestampSigner):
    """A timestamp signer with a given clock."""

    def __init__(self, *args: Any, now: Now, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now = now

    def get_timestamp(self) -> int:
        """Return the time in seconds."""
        return self._now() // 1000


def wall_clock() -> Millis:
    """Return the system time: sessions outlive the process, so a monotonic clock is of no use."""
    return Millis(time_ns() // 1_000_000)


class Identity:
    """Creates and reads tokens; stores nothing."""

    def __init__(self, secret: bytes, entropy: Entropy, now: Now = wall_clock) -> None:
        self._entropy = entropy
        self._secret = secret
        self._signer = URLSafeSerializer(
            secret, salt="qipai.guest", signer_kwargs={"digest_method": hashlib.sha256}
        )
        # Different salts: a guest token is no session, and a session no guest token.
        self._sessions = URLSafeTimedSerializer(
            secret,
            salt="qipai.login",
            signer=ClockSigner,
            signer_kwargs={"digest_method": hashlib.sha256, "now": now},
        )

        self._seats = URLSafeSerializer(
            secret, salt="qipai.seat", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._tickets = URLSafeSerializer(
            secret, salt="qipai.ticket", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def seat_guest(self, room: RoomId, seat: Seat) -> Guest:
        """Return the guest of a seat token."""
        return Guest(Person(f"seat:{room}:{seat}"), f"{seat + 1}")

    def seat_token(self, room: RoomId, seat: Seat) -> str:
        """Return the token for a seat."""
        signed = self._seats.dumps([room, seat])
        return signed if isinstance(signed, str) else signed.decode()

    def is_seat_token(self, token: str, room: RoomId, seat: Seat) -> bool:
        """Tell whether the token is for this seat."""
        try:
            return bool(self._seats.loads(token) == [room, seat])
        except BadData:
            return False

    def ticket(self, content: SeatPass) -> str:
        """Return the ticket with this content."""
        signed = self._tickets.dumps(list(content))
        return signed if isinstance(signed, str) else signed.decode()

    def read_ticket(self, text: str) -> SeatPass | None:
        """Return the content of a ticket, or None if it is not valid."""
        if not text.isascii():
            return None
        try:
            match self._tickets.loads(text):
                case [
                    str() as room,
                    int() as seat,
                    str() as person,
                    int() as since,
                    int() as passed,
                    int() as at,
                ]:
                    return SeatPass(RoomId(room), Seat(seat), Person(person), since, passed, Millis(at))
        except BadData:
            pass
        return None

    def guest(self) -> Guest:
        """Return a new guest with a generated name."""
        raw = self._entropy(12)
        return Guest(_person(raw), _generated_name(raw))

    def derived_guest(self, secret: str) -> tuple[Person, str]:
        """Return person and public id derived from a secret of a client: the same after a restart."""
        digest = hashlib.blake2b(secret.encode(), key=self._secret[:64], person=b"qipai.kin").digest()
        return _person(digest[:12]), b32encode(digest[12:24]).decode().rstrip("=").lower()

    def derived_tag(self, secret: str) -> str:
        """Return a tag derived from a secret of a client: the same after a restart, and not the secret."""
        digest = hashlib.blake2b(secret.encode(), key=self._secret[:64], person=b"qipai.tag", digest_size=10)
        return b32encode(digest.digest()).decode().lower()

    def token(self, guest: Guest) -> str:
        """Return the token of a guest."""
        signed = self._signer.dumps([guest.person, guest.name])
        return signed if isinstance(signed, str) else signed.decode()

    def read_token(self, token: str) -> Guest | None:
        """Return the guest of a token, or None if it is not valid."""
        try:
            match self._signer.loads(token):
                case [str() as person, str() as name]:
                    return Guest(Person(person), name)
        except BadData:
            pass
        return None

    def login(self, name: str, icon: str) -> Login:
        """Return a new person with this name and icon."""
        return Login(_person(self._entropy(12)), name, icon)

    def session(self, login: Login) -> str:
        """Return the session token of a login, valid for thirty days."""
        signed = self._sessions.dumps(list(login))
        return signed if isinstance(signed, str) else signed.decode()

    def read_session(self, text: str) -> Login | None:
        """Return the login of a session token, or None if it is not valid or expired."""
        if not text.isascii():
            return None
        try:
            match self._sessions.loads(text, max_age=SESSION_SECONDS):
                case [str() as person, str() as name, str() as icon]:
                    return Login(Person(person), name, icon)
        except BadData:
            pass
        return None

    @property
    def worker_token(self) -> bytes:
        """Return what only workers with the same signing key know."""
        digest = hashlib.blake2b(key=self._secret[:64], person=b"qipai.worker", digest_size=16)
        return digest.hexdigest().encode()

    def room_id(self, person: Person, nonce: str) -> RoomId:
        """Return the id of the room that a person opens with a nonce: the same intent twice opens one."""
        digest = hashlib.blake2b(f"{person}\n{nonce}".encode(), key=self._secret[:64], digest_size=10)
        return RoomId(b32encode(digest.digest()).decode().lower())


def generated_name(person: Person) -> str:
    """Return a name for a person, the same each time."""
    return _generated_name(hashlib.blake2b(person.encode(), digest_size=4).digest())


def _generated_name(raw: bytes) -> str:
    number = int.from_bytes(raw[1:4], "little") % 900 + 100
    return f"{_NAMES[raw[0] % len(_NAMES)]} {number}"


def _person(raw: bytes) -> Person:
    return Person(b32encode(raw).decode().rstrip("=").lower())
