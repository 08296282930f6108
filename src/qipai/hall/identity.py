"""Guests: a person is a random id, signed into a token that only this server can make."""

import hashlib
from base64 import b32encode
from typing import Final, NamedTuple

from itsdangerous import BadData, URLSafeSerializer

from qipai.kernel.codec import skeleton, tidy
from qipai.kernel.names import Person, RoomId

from .ports import Entropy

NAME_LENGTH: Final = 20
_RESERVED: Final = frozenset({"系統", "系统", "system", "server", "qipai", "棋牌"})
_BIRDS: Final = (
    "Crane", "Finch", "Heron", "Ibis", "Jay", "Kite", "Lark", "Magpie", "Oriole", "Owl",
    "Plover", "Quail", "Raven", "Robin", "Swallow", "Swift", "Tern", "Thrush", "Wagtail", "Wren",
)  # fmt: skip


class Guest(NamedTuple):
    """Who a connection belongs to."""

    person: Person
    name: str


class Identity:
    """Makes and reads tokens; keeps nothing."""

    def __init__(self, secret: bytes, entropy: Entropy) -> None:
        self._entropy = entropy
        self._secret = secret
        self._signer = URLSafeSerializer(
            secret, salt="qipai.guest", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def guest(self) -> Guest:
        """Return somebody new, with a name of his own."""
        raw = self._entropy(12)
        bird = _BIRDS[raw[0] % len(_BIRDS)]
        number = int.from_bytes(raw[1:4], "little") % 900 + 100
        return Guest(Person(b32encode(raw).decode().rstrip("=").lower()), f"{bird} {number}")

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

    def room_id(self, person: Person, nonce: str) -> RoomId:
        """Return the room of this person's `open`: the same command asked twice opens one room."""
        digest = hashlib.blake2b(f"{person}\n{nonce}".encode(), key=self._secret[:64], digest_size=10)
        return RoomId(b32encode(digest.digest()).decode().lower())


def name_of(text: str) -> str | None:
    """Return a name as it will be shown, or None if nobody may be called that."""
    name = tidy(text, NAME_LENGTH, "NFKC")
    return name if name and skeleton(name) not in _RESERVED else None
