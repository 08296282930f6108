"""Which archived matches count for ratings, and what an archived match says about places and moves."""

from typing import Any

import pytest
from msgspec.structs import replace

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, ArchivedSeat, pack, rated_match, unpack
from qipai.hall.history.match_archiving import archive_match, archive_matches
from qipai.hall.history.match_extraction import read_matches
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, Disconnected, LeaveSeat, MakeOffer, Resign, TableRules, TimeUp
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import SYSTEM, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.seats import TakenSeat, with_seat
from qipai.ratings.rating_values import RatedMatch
from tests.support.journal_writer import JournalWriter
from tests.support.rated_matches import rated

ENDED = 1_800_000_000_000
ADA, BO = ArchivedSeat("p1", "Ada"), ArchivedSeat("p2", "Bo")


def test_a_rated_match_has_what_ratings_need() -> None:
    packed = pack(rated("r", ("p1", "p2"), (2, 1), ENDED, match=3))
    assert packed.rated == RatedMatch("r", 3, "chess-blitz", ENDED, ("p1", "p2"), (2, 1))  # type: ignore[arg-type] # ids
    assert rated_match(unpack(packed.body)) == packed.rated


@pytest.mark.parametrize("reason", ["resigned", "time", "left", "mate", "agreed", "five"])
def test_wins_draws_forfeits_and_leaving_count(reason: str) -> None:
    assert rated_match(rated("r", ("p1", "p2"), (1, 2), ENDED, reason=reason)) is not None
    assert rated_match(rated("r", ("p1", "p2"), (1, 1), ENDED, reason=reason)) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"table": {}},
        {"table": {"rated": False}},
        {"category": ""},
        {"reason": "aborted"},
        {"reason": "abandoned"},
        {"seats": (ADA, ArchivedSeat("p2", "easy", bot="easy"))},
        {"seats": (ADA, None)},
        {"seats": (ADA, ArchivedSeat("p1", "Ada"))},
        {"persons": ("p1", "p2", "p3")},
        {"seat_moves": (2, 1)},
        {"seat_moves": (0, 0)},
    ],
    ids=str,
)
def test_no_other_match_counts(changes: dict[str, Any]) -> None:
    assert rated_match(replace(rated("r", ("p1", "p2"), (1, 2), ENDED), **changes)) is None


def test_two_moves_of_each_player_are_enough() -> None:
    assert rated_match(rated("r", ("p1", "p2"), (1, 2), ENDED, seat_moves=(2, 2))) is not None


def test_four_players_need_no_moves() -> None:
    persons = ("p1", "p2", "p3", "p4")
    assert rated_match(rated("r", persons, (1, 2, 3, 4), ENDED, seat_moves=(0,) * 4)) is not None


def archived(game: str, options: Any = None, moves: int = 8, end: Any = None) -> ArchivedMatch:
    table = JournalWriter(game, options, TableRules(clock=ClockPlan((180_000,), 2_000)))
    table.take_seats(*("Ada", "Bo", "Cy", "Di")[: table.game.rules.seats])
    table.play_on(moves)
    if table.room.result is None:
        table.do(*(end or (Seat(1), Resign())))
    (match,) = archive_matches(GAMES, table.entries)
    return match


def test_the_moves_of_each_seat_are_counted() -> None:
    match = archived("chess", moves=7)
    assert sum(match.seat_moves) == match.moves == 7
    assert sorted(match.seat_moves) == [3, 4]
    assert (match.category, match.winners, match.ranks) == ("chess-blitz", (0,), (1, 2))


def test_offers_and_refused_moves_are_no_moves() -> None:
    table = JournalWriter("chess", None, TableRules(clock=ClockPlan((60_000,))))
    table.take_seats("Ada", "Bo")
    table.do(Seat(0), MakeOffer(OfferKind.DRAW))
    table.do(Seat(1), Resign())
    (match,) = archive_matches(GAMES, table.entries)
    assert match.seat_moves == (0, 0)
    assert match.category == "chess-bullet"


def test_a_table_without_a_clock_has_no_category() -> None:
    table = JournalWriter("gomoku", None, TableRules())
    table.take_seats("Ada", "Bo")
    table.do(Seat(0), Resign())
    (match,) = archive_matches(GAMES, table.entries)
    assert (match.category, match.ranks) == ("", (2, 1))


def test_a_draw_has_two_first_places() -> None:
    match = archived("chess", moves=4, end=(SYSTEM, Close()))
    assert (match.reason, match.winners, match.ranks) == ("abandoned", (), (1, 1))


def test_a_mahjong_player_who_left_is_last_although_the_bot_wins() -> None:
    table = JournalWriter("mahjong", {"hints": False}, TableRules(clock=ClockPlan((180_000,))))
    table.take_seats("Ada", "Bo", "Cy", "Di")
    table.play_on(40)
    table.do(Seat(0), Resign())
    (match,) = read_matches(GAMES, table.entries)
    last = match.steps[-1]
    seats = with_seat(last.step.room.seats, Seat(2), TakenSeat(Person("bot"), "Normal", "normal"))
    room = replace(last.step.room, seats=seats, result=Outcome((Seat(2),), "finished"))
    ended = match._replace(steps=(*match.steps[:-1], last._replace(step=replace(last.step, room=room))))
    archived_match = archive_match(ended, ())
    assert archived_match.winners == (2,)
    assert archived_match.ranks[2] == max(archived_match.ranks)
    assert 1 in archived_match.ranks


@pytest.mark.parametrize("moves", [10, 400])
@pytest.mark.parametrize("command", [LeaveSeat(), Resign()])
def test_mahjong_players_are_ranked_by_points_and_who_left_is_last(moves: int, command: Any) -> None:
    match = archived("mahjong", moves=moves, end=(Seat(2), command))
    assert match.category == "mahjong-13"
    assert match.ranks[2] == 4
    assert {seat for seat, rank in enumerate(match.ranks) if rank == 1} == set(match.winners)


def left_by(*ends: tuple[Seat, Any], late: int = 0) -> ArchivedMatch:
    """Return a match of mahjong that ended with these commands, the last one later."""
    table = JournalWriter("mahjong", {"hints": False}, TableRules(clock=ClockPlan((180_000,))))
    table.take_seats("Ada", "Bo", "Cy", "Di")
    table.play_on(10)
    for end in ends[:-1]:
        table.do(*end)
    table.late(late)
    table.do(*ends[-1])
    (match,) = archive_matches(GAMES, table.entries)
    assert match.reason == "left"
    return match


def test_a_mahjong_player_who_is_disconnected_when_somebody_leaves_is_ranked_by_points() -> None:
    leaves = Seat(2), LeaveSeat()
    match = left_by((SYSTEM, Disconnected(Seat(1))), leaves)
    assert match.ranks == left_by(leaves).ranks == (1, 1, 4, 1)


def test_of_two_disconnected_mahjong_players_the_one_away_for_too_long_is_last() -> None:
    away = [(SYSTEM, Disconnected(Seat(seat))) for seat in (2, 1)]
    # One second lies between two commands: the first is away for 60 seconds, the second for 59.
    match = left_by(*away, (SYSTEM, TimeUp()), late=58_000)
    assert match.ranks == (1, 1, 4, 1)
