"""Randomness from a committed seed: a ChaCha20 keystream, unbiased draws, shuffles."""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Final, TypeVar

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

SEED_BYTES: Final = 32
_WORDS_PER_BLOCK: Final = 16
_WORDS: Final = Struct("<16I")
_ZERO_BLOCK: Final = bytes(_WORDS.size)
_SPAN: Final = 1 << 32

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in lower-case hex, published before the game starts."""
    return sha256(seed).hexdigest()


def game_key(seed: bytes, player_entropy: Sequence[bytes]) -> bytes:
    """Return the key of a game: the seed, or the seed hashed with the entropy that players added."""
    added = b"".join(len(part).to_bytes(1, "little") + part for part in player_entropy)
    return sha256(seed + added).digest() if any(player_entropy) else seed


class Random:
    """Unbiased draws from one key: zero nonce, 32-bit little-endian words; `position` counts words.

    `draws` are the bounds and results so far, None before the first. The cipher is created by the first
    draw, because most moves draw nothing.
    """

    __slots__ = ("_cipher", "_key", "_words", "draws", "position")

    def __init__(self, key: bytes, position: int = 0) -> None:
        self._key = key
        self._cipher: CipherContext | None = None
        self._words: list[int] | None = None
        self.position = position
        self.draws: list[tuple[int, int]] | None = None

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound - 1`, each equally likely."""
        if not 0 < bound <= _SPAN:
            raise ValueError(f"no draw below {bound}")
        limit = _SPAN - _SPAN % bound
        while (word := self._word()) >= limit:
            pass
        self.draws = self.draws or []
        self.draws.append((bound, word % bound))
        return word % bound

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in Fisher-Yates order, from the last index down."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)

    def _word(self) -> int:
        if not self._words:
            self._words = self._next_block()
        self.position += 1
        return self._words.pop()

    def _next_block(self) -> list[int]:
        skip = 0
        if self._cipher is None:
            block, skip = divmod(self.position, _WORDS_PER_BLOCK)
            nonce = block.to_bytes(8, "little") + bytes(8)
            self._cipher = Cipher(ChaCha20(self._key, nonce), mode=None).encryptor()
        words = _WORDS.unpack(self._cipher.update(_ZERO_BLOCK))
        return list(words[skip:][::-1])
