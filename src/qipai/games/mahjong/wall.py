"""The wall: shuffled from the seed of a hand, dealt from the front."""

from typing import Final

from qipai.kernel.randomness import SEED_BYTES, Random

from .tiles import TILES

WORD_BYTES: Final = 4
TILES_PER_BLOCK: Final = 4
"""Tiles dealt at a time, as long as that many are missing."""


def roll_dice(random: Random, count: int) -> tuple[int, ...]:
    """Return a roll of six-sided dice."""
    return tuple(1 + random.below(6) for _ in range(count))


def new_seed(random: Random) -> bytes:
    """Return the seed of a hand: eight little-endian 32-bit words drawn from the game's randomness."""
    words = (random.below(1 << 32) for _ in range(SEED_BYTES // WORD_BYTES))
    return b"".join(word.to_bytes(WORD_BYTES, "little") for word in words)


def wall_of(seed: bytes) -> tuple[int, ...]:
    """Return the 144 tiles in drawing order."""
    return Random(seed).shuffle(range(TILES))


def deal_hands(wall: tuple[int, ...], size: int, dealer: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return each seat's tiles in the order of the deal, and how many tiles were dealt.

    From the dealer in turn order: four at a time, then the missing ones, then one more to the dealer.
    """
    hands: list[list[int]] = [[], [], [], []]
    front = 0
    while len(hands[dealer]) < size:
        step = min(TILES_PER_BLOCK, size - len(hands[dealer]))
        for turn in range(4):
            hands[(dealer + turn) % 4] += wall[front : front + step]
            front += step
    hands[dealer].append(wall[front])
    return tuple(map(tuple, hands)), front + 1
