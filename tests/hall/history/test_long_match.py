"""The longest match that the games have, played by bots: the size of its replay and of its archived match."""

import gzip

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, pack, unpack
from qipai.hall.history.game_files import GZIP_LEVEL
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.replay_builder import build_compact_replay
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Play, TableRules
from qipai.kernel.randomness import Random
from tests.support.journal_writer import JournalWriter

pytestmark = pytest.mark.slow

MOST_REPLAY_BYTES = 150_000
MOST_ARCHIVED_BYTES = 500_000


@pytest.fixture(scope="module")
def match() -> ArchivedMatch:
    """Return sixteen rounds of mahjong (一將) with a clock, among four bots of normal strength."""
    table = TableRules(clock=ClockPlan(move=20_000))
    ledger, random = JournalWriter("mahjong", {"rounds": 4}, table, seed=3), Random(bytes(32))
    ledger.take_seats("Ann", "Bob", "Cyd", "Dan")
    rules, bot = ledger.game.rules, ledger.game.bots["normal"]
    while ledger.room.result is None:
        state = ledger.room.state
        choices = ((seat, rules.legal(state, seat)) for seat in rules.to_act(state))
        moves = ((seat, bot.choose(rules.view(state, seat), seat, legal, random)) for seat, legal in choices)
        chosen = next((each for each in moves if each[1] is not None), None)
        # All bots leave the start of the next hand to a person.
        seat = rules.to_act(state)[0]
        seat, move = chosen or (seat, rules.legal(state, seat)[0])
        ledger.do(seat, Play(move))
    (archived,) = archive_matches(GAMES, ledger.entries)
    return archived


def test_a_replay_is_small_on_the_wire_from_every_viewpoint(match: ArchivedMatch) -> None:
    ends = [step for step in match.steps if any(each.event["e"] == "hand_ended" for each in step.events)]
    assert len(ends) >= 16
    assert match.moves > 2_000
    assert match.viewpoints == ("all", "watch", "0", "1", "2", "3")
    for viewpoint in match.viewpoints:
        body = build_compact_replay(match, viewpoint)
        assert len(gzip.compress(body, GZIP_LEVEL)) <= MOST_REPLAY_BYTES, viewpoint


def test_an_archived_match_is_small(match: ArchivedMatch) -> None:
    body = pack(match).body
    assert len(body) <= MOST_ARCHIVED_BYTES
    assert unpack(body) == match
