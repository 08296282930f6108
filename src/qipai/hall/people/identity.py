"""Guests and logins: a person is a random id, signed into a text that only this server can make."""

import hashlib
import unicodedata
from base64 import b32encode
from time import time_ns
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, TimestampSigner, URLSafeSerializer, URLSafeTimedSerializer

from qipai.hall.journal.store_interface import Entropy, Now
from qipai.kernel.codec import clean_line, skeleton
from qipai.kernel.ids import Millis, Person, RoomId, Seat

NAME_LENGTH: Final = 20
_RESERVED: Final = frozenset({"系統", "系统", "system", "server", "qipai", "棋牌"})
_ANNOUNCING: Final = ("系統提示", "系统提示")
"""Opens the lines of the system in a chat: not even a part of a name."""
_ALIKE: Final = str.maketrans("糸", "系")
SESSION_SECONDS: Final = 30 * 24 * 60 * 60
_BIRDS: Final = (
    "Crane", "Finch", "Heron", "Ibis", "Jay", "Kite", "Lark", "Magpie", "Oriole", "Owl",
    "Plover", "Quail", "Raven", "Robin", "Swallow", "Swift", "Tern", "Thrush", "Wagtail", "Wren",
)  # fmt: skip


class Guest(NamedTuple):
    """Who a connection belongs to."""

    person: Person
    name: str


class Login(NamedTuple):
    """Who came in through the login page."""

    person: Person
    name: str
    icon: str


class SeatPass(NamedTuple):
    """What a ticket says: whose seat it is, as which of his at this table, and until when it is good."""

    room: RoomId
    seat: Seat
    person: Person
    since: int
    passed: int
    expires: Millis


class ClockSigner(TimestampSigner):
    """Signs with the time of a clock that was lent to it."""

    def __init__(self, *args: Any, now: Now, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now = now

    def get_timestamp(self) -> int:
        """Return the time in seconds."""
        return self._now() // 1000


def wall_clock() -> Millis:
    """Return the time of the machine; a session is older than the process, so it needs no steadier one."""
    return Millis(time_ns() // 1_000_000)


class Identity:
    """Makes and reads tokens and sessions; keeps nothing."""

    def __init__(self, secret: bytes, entropy: Entropy, now: Now = wall_clock) -> None:
        self._entropy = entropy
        self._secret = secret
        self._signer = URLSafeSerializer(
            secret, salt="qipai.guest", signer_kwargs={"digest_method": hashlib.sha256}
        )
        # A salt of its own: a guest's token is no session, and a session no guest's token.
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

    def sitter(self, room: RoomId, seat: Seat) -> Guest:
        """Return whoever has the token of a seat."""
        return Guest(Person(f"seat:{room}:{seat}"), f"{seat + 1}")

    def seat_token(self, room: RoomId, seat: Seat) -> str:
        """Return the token that proves the right to a seat."""
        signed = self._seats.dumps([room, seat])
        return signed if isinstance(signed, str) else signed.decode()

    def opens(self, token: str, room: RoomId, seat: Seat) -> bool:
        """Tell whether the token is the one of this seat."""
        try:
            return bool(self._seats.loads(token) == [room, seat])
        except BadData:
            return False

    def ticket(self, shown: SeatPass) -> str:
        """Return the ticket that says this."""
        signed = self._tickets.dumps(list(shown))
        return signed if isinstance(signed, str) else signed.decode()

    def read_ticket(self, text: str) -> SeatPass | None:
        """Return what a ticket says, or None if it is not ours."""
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
        """Return somebody new, with a name of his own."""
        raw = self._entropy(12)
        bird = _BIRDS[raw[0] % len(_BIRDS)]
        number = int.from_bytes(raw[1:4], "little") % 900 + 100
        return Guest(_person(raw), f"{bird} {number}")

    def kin(self, secret: str) -> tuple[Person, str]:
        """Return the person and the public id of whoever knows a secret of ours: the same after a restart."""
        mixed = hashlib.blake2b(secret.encode(), key=self._secret[:64], person=b"qipai.kin").digest()
        return _person(mixed[:12]), b32encode(mixed[12:24]).decode().rstrip("=").lower()

    def token(self, guest: Guest) -> str:
        """Return the token that proves to be this guest."""
        signed = self._signer.dumps([guest.person, guest.name])
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, token: str) -> Guest | None:
        """Return whom the token was made for, or None if it is not ours."""
        try:
            match self._signer.loads(token):
                case [str() as person, str() as name]:
                    return Guest(Person(person), name)
        except BadData:
            pass
        return None

    def login(self, name: str, icon: str) -> Login:
        """Return somebody new with this name and icon."""
        return Login(_person(self._entropy(12)), name, icon)

    def session(self, login: Login) -> str:
        """Return the text that proves this login for thirty days."""
        signed = self._sessions.dumps(list(login))
        return signed if isinstance(signed, str) else signed.decode()

    def read_session(self, text: str) -> Login | None:
        """Return whose login it is, or None if the text is not ours or too old."""
        if not text.isascii():
            return None
        try:
            match self._sessions.loads(text, max_age=SESSION_SECONDS):
                case [str() as person, str() as name, str() as icon]:
                    return Login(Person(person), name, icon)
        except BadData:
            pass
        return None

    def room_id(self, person: Person, nonce: str) -> RoomId:
        """Return the room of this person's `open`: the same command asked twice opens one room."""
        digest = hashlib.blake2b(f"{person}\n{nonce}".encode(), key=self._secret[:64], digest_size=10)
        return RoomId(b32encode(digest.digest()).decode().lower())


def name_of(text: str) -> str | None:
    """Return a name as it will be shown, or None if nobody may be called that."""
    name = clean_line(text, NAME_LENGTH, "NFKC")
    return name if name and not _reserved(name) else None


def _reserved(name: str) -> bool:
    # Modifier letters (ー, ʼ, ˑ) count as letters, and yet separate like a dash or a dot.
    letters = "".join(char for char in skeleton(name) if unicodedata.category(char) != "Lm")
    plain = letters.translate(_ALIKE)
    return plain in _RESERVED or any(word in plain for word in _ANNOUNCING)


def _person(raw: bytes) -> Person:
    return Person(b32encode(raw).decode().rstrip("=").lower())
