"""Fair: chance is committed to before it is used, revealed once it is spent, and open to recount."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

from qipai.games.tictactoe import rules as tictactoe
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.testing import Law, Subject, law_cases
from qipai.testing.randomness_laws import RANDOMNESS_LAWS

from . import toy
from .subjects import SUBJECTS


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=RANDOMNESS_LAWS))
def test_randomness(law: Law, subject: Subject) -> None:
    law.check(subject)


def words(key: bytes) -> Iterator[int]:
    """Yield the key's chance as anybody could: ChaCha20, zero nonce, little-endian words."""
    cipher = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
    while True:
        yield int.from_bytes(cipher.update(bytes(4)), "little")


def draw(stream: Iterator[int], bound: int) -> int:
    """Return a fair number below the bound: words of the last, incomplete lap are skipped."""
    while (word := next(stream)) >= 2**32 // bound * bound:
        pass
    return word % bound


def test_a_deal_of_tic_tac_toe_can_be_worked_out_by_hand() -> None:
    for number in range(64):
        key = sha256(bytes([number])).digest()
        stream = words(key)
        left, x = draw(stream, 2), draw(stream, 2)
        state = tictactoe.RULES.deal(tictactoe.Options(), Random(key))
        assert (state.left, state.x, state.first, state.turn) == (left, x, left, left)


def test_sides_and_symbols_of_tic_tac_toe_are_drawn_evenly_and_independently() -> None:
    counts: dict[tuple[Seat, Seat], int] = {}
    for number in range(2_000):
        state = tictactoe.RULES.deal(tictactoe.Options(), Random(sha256(number.to_bytes(4, "big")).digest()))
        counts[state.left, state.x] = counts.get((state.left, state.x), 0) + 1
    assert len(counts) == 4
    # Chi-square with three degrees of freedom: above 16.27 once in a thousand fair dice.
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 16.27


def test_a_deal_of_cards_can_be_worked_out_by_hand() -> None:
    for number in range(32):
        key = sha256(bytes([number])).digest()
        stream = words(key)
        deck: list[Any] = list(toy.DECK)
        for last in range(len(deck) - 1, 0, -1):
            other = draw(stream, last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        state = toy.Duel().deal(toy.Options(), Random(key))
        assert state.hands == (tuple(sorted(deck[:4])), tuple(sorted(deck[4:8])))
        assert state.stock == tuple(deck[8:])
        assert state.low is (draw(stream, 2) == 1)
