"""Checks the randomness of an archived match from what the archive has of it, without its rules."""

from collections.abc import Iterable
from typing import Final

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch
from qipai.kernel.randomness import Random, commitment, game_key

INDENT: Final = " " * 9
INVALID: Final = "INVALID"


def verify_match(match: ArchivedMatch) -> bool:
    """Print and return whether the seed has its commitment, and every draw is that of the seed."""
    draws = [draw for step in match.steps for draw in step.draws]
    try:
        seed = bytes.fromhex(match.seed)
        seed_matches, draws_match = commitment(seed) == match.commitment, _follow(seed, match, draws)
    except ValueError:  # Not hex, no key, or a bound that no draw has.
        seed_matches = draws_match = False
    print(f"match {match.match}: commitment {match.commitment} (compare it with the one you were shown)")
    print(f"{INDENT}rules      {match.rules} of {match.game}{_present_rules(match)}")
    print(f"{INDENT}seed       {match.seed}: {verdict(seed_matches)}")
    for step in match.steps:
        if step.draws:
            values = ", ".join(f"{value} of {bound}" for bound, value in step.draws)
            print(f"{INDENT}step {step.version} drew {values}")
        for roll in step.rolls:
            print(f"{INDENT}step {step.version} rolled for {roll}")
    print(f"{INDENT}draws      {len(draws) or 'none'}: {verdict(draws_match)}")
    return seed_matches and draws_match


def verdict(valid: bool) -> str:
    """Return the word for the result of a check."""
    return "valid" if valid else INVALID


def _follow(seed: bytes, match: ArchivedMatch, draws: Iterable[tuple[int, int]]) -> bool:
    """Tell whether the draws are those of the keystream, one after the other."""
    player_entropy = [bytes.fromhex(seat.player_entropy) for seat in match.seats if seat is not None]
    random = Random(game_key(seed, player_entropy))
    return all(random.below(bound) == value for bound, value in draws)


def _present_rules(match: ArchivedMatch) -> str:
    game = GAMES.get(match.game)
    if game is None:
        return " (this server does not have the game)"
    return "" if game.rules_number == match.rules else f" (this server has rules {game.rules_number})"
