"""The wall: made of a hand's own seed, dealt from its front, replaced from its back."""

from typing import Final

from qipai.kernel.randomness import SEED_BYTES, Random

from .tiles import TILES

WORD: Final = 4
BLOCK: Final = 4
"""Tiles are dealt four at a time, as long as there are four to deal."""


def throw(random: Random, count: int) -> tuple[int, ...]:
    """Return so many dice of six sides."""
    return tuple(1 + random.below(6) for _ in range(count))


def new_seed(random: Random) -> bytes:
    """Return the secret of a hand: eight 32-bit words of the game's own chance, the low byte first."""
    words = (random.below(1 << 32) for _ in range(SEED_BYTES // WORD))
    return b"".join(word.to_bytes(WORD, "little") for word in words)


def wall_of(seed: bytes) -> tuple[int, ...]:
    """Return the 144 tiles in drawing order."""
    return Random(seed).shuffle(range(TILES))


def dealt(wall: tuple[int, ...], size: int, dealer: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return each seat's tiles in the order of the deal, and how many have left the wall.

    The dealer comes first: rounds of four, then singly what is left, then one more to the dealer.
    """
    hands: list[list[int]] = [[], [], [], []]
    front = 0
    while len(hands[dealer]) < size:
        step = min(BLOCK, size - len(hands[dealer]))
        for turn in range(4):
            hands[(dealer + turn) % 4] += wall[front : front + step]
            front += step
    hands[dealer].append(wall[front])
    return tuple(map(tuple, hands)), front + 1
