"""The keys with which a server signs tokens: one that signs, and earlier ones that are accepted for a time.

They are stored as one value. Until the first rotation it is the key itself.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.hall.journal.store_interface import Now, StoreError
from qipai.kernel.ids import Millis

KEY_BYTES: Final = 32
OVERLAP_DAYS: Final = 180
"""Days for which an earlier key is accepted unless the operator says otherwise."""
ROTATION_LEAD: Final = 30_000
"""Milliseconds after which a new key signs where several workers run: all of them accept it by then."""
DAY: Final = 24 * 60 * 60 * 1000
_FORMAT: Final = b"qipai keys 1\n"
_FAMILY: Final = b"qipai keys "
_MOST_BYTES: Final = 64
"""What BLAKE2 takes as a key."""


class SigningKey(Struct, frozen=True):
    """A key that signs from a time on, and is accepted until another time; without an end it is the last."""

    key: bytes
    since: Millis = Millis(0)
    until: Millis | None = None


class StoredKeys(Struct, frozen=True):
    """All keys, the oldest first. What is derived and never signed, such as the ids of rooms, uses the first.

    So seats and rooms stay the same when the key is rotated.
    """

    keys: tuple[SigningKey, ...]

    @property
    def root(self) -> bytes:
        """Return the first key, which tells one server from another."""
        return self.keys[0].key[:_MOST_BYTES]

    @property
    def last(self) -> SigningKey:
        """Return the newest key."""
        return self.keys[-1]

    def rotated(self, key: bytes, since: Millis, overlap: int) -> "StoredKeys":
        """Return the keys with a new one that signs from a time on; the others end so much later."""
        until = Millis(since + overlap)
        ended = (
            replace(each, until=until if each.until is None else min(each.until, until)) for each in self.keys
        )
        return StoredKeys((*ended, SigningKey(key, since)))


def parse_keys(stored: bytes) -> StoredKeys:
    """Return the keys in a stored value, or raise `StoreError` if a newer release wrote it."""
    if not stored.startswith(_FAMILY):
        return StoredKeys((SigningKey(stored),))
    if not stored.startswith(_FORMAT):
        raise StoreError("the signing keys were written by a newer release")
    try:
        return msgspec.json.decode(stored.removeprefix(_FORMAT), type=StoredKeys)
    except msgspec.MsgspecError as error:
        raise StoreError(f"the signing keys are damaged: {error}") from error


def stored_keys(keys: StoredKeys) -> bytes:
    """Return the value in which keys are stored."""
    if len(keys.keys) == 1:
        return keys.keys[0].key
    return _FORMAT + msgspec.json.encode(keys)


class SigningKeys:
    """The keys of a worker, which change while it runs."""

    def __init__(self, stored: bytes, now: Now) -> None:
        self._keys = parse_keys(stored)
        self.now = now
        self.stored = stored
        """The value in which they are stored."""
        self.root = self._keys.root
        """What never changes; tokens are not signed with it after the first rotation."""

    def accepted(self) -> Sequence[bytes]:
        """Return the keys that are accepted now; the first one signs."""
        if len(self._keys.keys) == 1:
            return (self.root,)
        now = self.now()
        known = [each for each in self._keys.keys if each.until is None or now < each.until]
        # Another worker, whose clock is ahead, may sign with the next key already.
        signing = next((each for each in reversed(known) if each.since <= now), known[-1])
        others = (each for each in reversed(known) if each is not signing)
        return [each.key[:_MOST_BYTES] for each in (signing, *others)]

    def signing(self) -> bytes:
        """Return the key that signs now."""
        return self.accepted()[0]

    def adopt(self, stored: bytes) -> bool:
        """Take over what another worker or a command has stored; False if it belongs to another server."""
        found = parse_keys(stored)
        if found.root != self.root:
            return False
        self._keys, self.stored = found, stored
        return True

    def is_newer_than(self, stored: bytes) -> bool:
        """Tell whether these keys have a later one than a stored value of the same server."""
        found = parse_keys(stored)
        return found.root == self.root and self._keys.last.since > found.last.since
