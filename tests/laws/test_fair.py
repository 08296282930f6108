"""Fair: chance is committed to before it is used, revealed once it is spent, and open to recount."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.tictactoe import rules as tictactoe
from qipai.kernel.commands import TakeSeat
from qipai.kernel.game_interface.rules_interface import StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import Advanced, Phase
from qipai.kernel.room_events import GameOver, GameStarted, SeatTaken
from qipai.kernel.room_view import view

from . import toy
from .checks import read_by
from .runs import Run, runs
from .subjects import SUBJECTS

NAMES = tuple(SUBJECTS)


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


def key_of(seed: bytes, entropy: list[bytes]) -> bytes:
    """Return a game's key: the seed, hashed with what the players added if they added anything."""
    if not any(entropy):
        return seed
    return sha256(seed + b"".join(bytes([len(part)]) + part for part in entropy)).digest()


class Dealing(NamedTuple):
    """A game that a spectator saw start: its revealed seed, its player entropy, and its predecessor."""

    dealt: GameStarted
    seed: bytes | None
    entropy: list[bytes]
    before: Any
    rematch: bool


def games_of(run: Run) -> Iterator[Dealing]:
    """Yield each game of a run."""
    entropy = [b""] * run.subject.game.rules.seats
    dealt: Dealing | None = None
    for run_step in run.run_steps:
        events = run_step.result.events if isinstance(run_step.result, Advanced) else ()
        for event in read_by(events, SPECTATOR):
            if isinstance(event, SeatTaken):
                entropy[event.seat] = bytes.fromhex(event.player_entropy)
            if isinstance(event, GameStarted):
                assert dealt is None, "a game is revealed before the next one is dealt"
                used = list(entropy) if event.match == 1 else []
                rematch = not isinstance(run_step.command, TakeSeat)
                dealt = Dealing(event, None, used, run_step.before.state, rematch)
            if isinstance(event, GameOver):
                assert dealt is not None
                yield dealt._replace(seed=bytes.fromhex(event.seed))
                dealt = None
    if dealt is not None:
        yield dealt


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(st.data())
def test_what_is_revealed_at_the_end_is_what_was_committed_to_and_makes_the_deal(
    name: str, data: st.DataObject
) -> None:
    run = data.draw(runs(name))
    rules = run.subject.game.rules
    for dealt, seed, entropy, before, rematch in games_of(run):
        if seed is None:
            continue
        assert sha256(seed).hexdigest() == dealt.commitment
        state = rules.deal(run.first.options, Random(key_of(seed, entropy)), before, StartConditions(rematch))
        assert rules.view(state, SPECTATOR) == dealt.position


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(st.data())
def test_every_view_shows_the_commitment_and_only_a_finished_game_shows_its_seed(
    name: str, data: st.DataObject
) -> None:
    run = data.draw(runs(name))
    rules = run.subject.game.rules
    for room in run.rooms:
        for viewer in run.subject.viewers:
            shown = view(rules, room, viewer, room.at)
            assert shown.commitment == sha256(room.seed).hexdigest()
            if room.phase is Phase.OVER:
                assert sha256(bytes.fromhex(shown.seed)).hexdigest() == shown.commitment
            if room.phase is Phase.PLAYING or room.match == 0:
                assert not shown.seed


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(st.data())
def test_the_first_game_is_committed_to_before_a_player_adds_entropy(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    promised = view(run.subject.game.rules, run.first, SPECTATOR, run.first.at).commitment
    for game in games_of(run):
        if game.dealt.match == 1:
            assert game.dealt.commitment == promised


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(st.data())
def test_no_two_games_of_a_table_use_the_same_seed(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    commitments = [game.dealt.commitment for game in games_of(run)]
    assert len(commitments) == len(set(commitments))


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
