"""Randomness: a ChaCha20 keystream by RFC 8439, draws without modulo bias, reproducible shuffles."""

import itertools
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from hypothesis import given
from hypothesis import strategies as st

from qipai.kernel.randomness import SEED_BYTES, Random, commitment, game_key

WORD = 2**32
keys = st.binary(min_size=32, max_size=32)

# RFC 8439, appendix A.1: the first, second and third keystream block, all with a zero nonce.
RFC_8439 = (
    (
        bytes(32),
        0,
        (
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        ),
    ),
    (
        bytes(32),
        1,
        (
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
        ),
    ),
    (
        bytes(31) + b"\x01",
        1,
        (
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
            "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"
        ),
    ),
)


def stream(key: bytes) -> Iterator[int]:
    """Yield the words of a key, computed without the code under test."""
    cipher = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
    while True:
        yield int.from_bytes(cipher.update(bytes(4)), "little")


def unbiased(words: Iterator[int], bound: int) -> int:
    """Return a number below the bound by rejection, computed without the code under test."""
    while (word := next(words)) >= WORD - WORD % bound:
        pass
    return word % bound


@pytest.mark.parametrize(("key", "block", "hexed"), RFC_8439)
def test_words_are_the_keystream_of_rfc_8439_read_little_endian(key: bytes, block: int, hexed: str) -> None:
    raw = bytes.fromhex(hexed)
    expected = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, 64, 4)]
    random = Random(key, block * 16)
    assert [random.below(WORD) for _ in range(16)] == expected
    assert random.position == block * 16 + 16


@given(keys, st.integers(0, 700), st.integers(1, 70))
def test_starting_at_a_position_equals_reading_up_to_it(key: bytes, position: int, count: int) -> None:
    through = list(itertools.islice(stream(key), position + count))
    random = Random(key, position)
    assert [random.below(WORD) for _ in range(count)] == through[position:]
    assert random.position == position + count


def test_a_position_of_a_million_words_is_reached() -> None:
    cipher = Cipher(ChaCha20(bytes(32), bytes(16)), mode=None).encryptor()
    raw = cipher.update(bytes(4 * 1_000_008))[4 * 1_000_000 :]
    random = Random(bytes(32), 1_000_000)
    assert [random.below(WORD) for _ in range(8)] == [
        int.from_bytes(raw[i : i + 4], "little") for i in range(0, 32, 4)
    ]


@given(keys, st.lists(st.integers(1, WORD), min_size=1, max_size=40))
def test_a_draw_is_below_its_bound_and_follows_the_documented_rejection(
    key: bytes, bounds: list[int]
) -> None:
    random, words = Random(key), stream(key)
    for bound in bounds:
        drawn = random.below(bound)
        assert 0 <= drawn < bound
        assert drawn == unbiased(words, bound)
    # Rejected words count: a new `Random` at this position continues with the next word.
    assert Random(key, random.position).below(WORD) == next(words)


def test_words_that_would_favour_small_numbers_are_rejected() -> None:
    bound = 2**31 + 1
    random, words = Random(sha256(b"reject").digest()), stream(sha256(b"reject").digest())
    kept = [random.below(bound) for _ in range(50)]
    read = list(itertools.islice(words, random.position))
    assert random.position > 70, "nearly half of all words are rejected at this bound"
    assert kept == [word for word in read if word < bound]


@pytest.mark.parametrize("bound", [0, -1, -6, WORD + 1, 2**64])
def test_a_bound_below_one_or_above_the_word_size_is_an_error(bound: int) -> None:
    random = Random(bytes(32))
    with pytest.raises(ValueError, match="no draw"):
        random.below(bound)
    assert random.position == 0


def test_a_draw_with_bound_one_uses_a_word() -> None:
    random = Random(bytes(32))
    assert random.below(1) == 0
    assert random.position == 1


@given(keys, st.lists(st.integers(), max_size=60), st.integers(0, 40))
def test_a_shuffle_is_fisher_yates_from_the_last_index_down(
    key: bytes, items: list[int], position: int
) -> None:
    words = itertools.islice(stream(key), position, None)
    expected = list(items)
    for last in range(len(expected) - 1, 0, -1):
        other = unbiased(words, last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    before = list(items)
    random = Random(key, position)
    assert random.shuffle(items) == tuple(expected)
    assert items == before, "the argument is not changed"
    assert Counter(expected) == Counter(items)


def test_shuffling_fewer_than_two_items_uses_no_word() -> None:
    random = Random(bytes(32))
    assert random.shuffle(()) == ()
    assert random.shuffle("x") == ("x",)
    assert random.position == 0


# Chi-square limits for one failure in a thousand, by degrees of freedom.
@pytest.mark.parametrize(
    ("bound", "limit"), [(2, 10.83), (3, 13.82), (6, 20.52), (10, 27.88), (34, 63.87), (136, 193.9)]
)
def test_every_number_is_equally_likely(bound: int, limit: float) -> None:
    random = Random(sha256(b"qipai").digest())
    each = 300
    counts = Counter(random.below(bound) for _ in range(bound * each))
    assert len(counts) == bound
    assert sum((count - each) ** 2 / each for count in counts.values()) < limit


def test_every_order_of_four_is_equally_likely() -> None:
    random = Random(sha256(b"orders").digest())
    each = 150
    counts = Counter(random.shuffle("abcd") for _ in range(24 * each))
    assert len(counts) == 24
    assert sum((count - each) ** 2 / each for count in counts.values()) < 49.73


def test_consecutive_draws_are_independent() -> None:
    random = Random(sha256(b"pairs").digest())
    each = 150
    counts = Counter((random.below(6), random.below(6)) for _ in range(36 * each))
    assert len(counts) == 36
    assert sum((count - each) ** 2 / each for count in counts.values()) < 66.62


@given(keys)
def test_the_commitment_is_the_sha_256_of_the_seed_in_lower_case_hex(seed: bytes) -> None:
    assert commitment(seed) == sha256(seed).hexdigest()
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


@given(keys, st.lists(st.binary(max_size=32), max_size=4))
def test_the_key_is_the_seed_unless_a_player_adds_entropy(seed: bytes, entropy: list[bytes]) -> None:
    key = game_key(seed, entropy)
    assert len(key) == SEED_BYTES
    if any(entropy):
        assert key == sha256(seed + b"".join(bytes([len(part)]) + part for part in entropy)).digest()
    else:
        assert key == seed


def test_entropy_of_different_players_gives_different_keys() -> None:
    seed = bytes(32)
    cases = [(b"ab", b""), (b"a", b"b"), (b"", b"ab"), (b"ba", b""), (b"", b"")]
    assert len({game_key(seed, case) for case in cases}) == len(cases)


def test_draws_are_recorded_with_their_bounds() -> None:
    random = Random(bytes(32))
    drawn = [random.below(bound) for bound in (6, 2, 10)]
    assert random.draws == list(zip((6, 2, 10), drawn, strict=True))
