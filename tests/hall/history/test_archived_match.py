"""Archived matches: what they contain, and that those of every format are read."""

import zlib
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from qipai.cli.verify_archived import verify_match
from qipai.games.game_registry import GAMES
from qipai.hall.history import archived_match
from qipai.hall.history.archive_interface import FinishedGame
from qipai.hall.history.archived_match import ArchivedMatch, ArchivedSeat, pack, unpack
from qipai.hall.history.match_archiving import archive_match, archive_matches
from qipai.hall.history.match_extraction import read_matches
from qipai.hall.history.replay_builder import build_compact_replay, build_replay
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, LeaveSeat, Resign, Say, TableRules, TakeSeat, TransferSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId, Seat
from qipai.kernel.randomness import commitment
from qipai.protocol.replay_json import Frame, Replay
from tests.support.journal_writer import NOON, JournalWriter
from tests.support.live_replay import live_replay

A, B = Seat(0), Seat(1)


def archived(ledger: JournalWriter) -> ArchivedMatch:
    (match,) = archive_matches(GAMES, ledger.entries)
    return match


def test_an_archived_match_says_who_played_what_and_how_it_ended() -> None:
    table = TableRules(title="Club night", public=False, clock=ClockPlan((60_000,), 1_000))
    ledger = JournalWriter("chess", {"fog": True}, table)
    ledger.take_seats("Ann", "Bob", player_entropy=b"\x5e\xed")
    ledger.do(A, Say("hello"))
    ledger.play_on(2)
    ledger.do(B, Resign())
    match = archived(ledger)
    assert (match.format, match.rules, match.game, match.room, match.match) == (2, 1, "chess", "k3v9", 1)
    assert (match.title, match.public, match.table["clock"]) == (
        "Club night", False, {"main": [60_000], "increment": 1_000, "lag_compensation": False},
    )  # fmt: skip
    assert match.options["fog"] is True
    assert match.seats == (
        ArchivedSeat("Ann", "Ann", player_entropy="5eed"),
        ArchivedSeat("Bob", "Bob", player_entropy="5eed"),
    )
    assert (match.winners, match.reason, match.moves) == ((0,), "resigned", 2)
    assert (match.seed, match.commitment) == (ledger.room.seed.hex(), commitment(ledger.room.seed))
    assert match.record.startswith("[Event")
    assert match.record_suffix == "pgn"
    assert (match.began, match.ended) == (NOON + 2_000, NOON + 6_000)
    assert [step.actor for step in match.steps] == [None, 0, 1, 1], "a step of chat is left out"
    assert all(step.clock["left"] for step in match.steps)
    assert "hello" not in msgspec.json.encode(match).decode()


def test_an_archived_match_says_whether_its_table_was_rated() -> None:
    for rated in (False, True):
        ledger = JournalWriter("gomoku", {}, TableRules(rated=rated))
        ledger.take_seats("Ann", "Bob")
        ledger.do(B, Resign())
        assert archived(ledger).table.get("rated", False) is rated


def test_what_one_seat_was_told_is_kept_for_that_seat_only() -> None:
    ledger = JournalWriter("mahjong")
    ledger.take_seats("Ann", "Bob", "Cyd", "Dan")
    ledger.play_on(20)
    ledger.do(SYSTEM, Close())
    match = archived(ledger)
    start = match.steps[0]
    told = {each.to: each.event for each in start.events if each.event["e"] == "game_started"}
    assert set(told) == {("0",), ("1",), ("2",), ("3",), ("all", "watch")}
    hands = [told[(str(seat),)]["position"]["private"] for seat in range(4)]
    assert len({msgspec.json.encode(hand) for hand in hands}) == 4
    assert not told[("all", "watch")]["position"].get("private")


def test_everybody_who_held_a_seat_is_a_person_of_the_match() -> None:
    ledger = JournalWriter("tictactoe")
    ledger.take_seats("Ann")
    ledger.do(SYSTEM, TakeSeat(Person("bot:perfect:1"), "Perfect", B, "perfect"))
    ledger.do(SYSTEM, TransferSeat(A, Person("Ann"), Person("Ann's phone")))
    ledger.do(A, Resign())
    match = archived(ledger)
    assert match.persons == ("Ann", "Ann's phone")
    assert match.seats == (ArchivedSeat("Ann", "Ann"), ArchivedSeat("bot:perfect:1", "Perfect", "perfect"))


def test_a_player_who_left_is_a_person_of_the_match() -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, LeaveSeat())
    match = archived(ledger)
    assert match.persons == ("Ann", "Bob")
    assert [seat and seat.name for seat in match.seats] == ["Ann", "Bob"]


def test_patches_that_are_equal_for_several_viewpoints_are_kept_once() -> None:
    ledger = JournalWriter("mahjong")
    ledger.take_seats("Ann", "Bob", "Cyd", "Dan")
    ledger.play_on(60)
    ledger.do(SYSTEM, Close())
    match = archived(ledger)
    assert any(len(change.viewpoints) > 1 for step in match.steps for change in step.positions)
    for step in match.steps:
        patches = [msgspec.json.encode(change.patch) for change in step.positions]
        assert len(set(patches)) == len(patches)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("tictactoe", None),
        ("gomoku", None),
        ("chess", None),
        ("chess", {"dice": "free"}),
        ("chess", {"fog": True, "mines": 10, "dice": "sequential"}),
        ("mahjong", None),
    ],
)
def test_a_replay_from_the_archive_is_the_live_replay(game: str, options: object) -> None:
    ledger = JournalWriter(game, options, TableRules(clock=ClockPlan((600_000,))), seed=7)
    ledger.take_seats(*("Ann", "Bob", "Cyd", "Dan")[: ledger.game.rules.seats])
    ledger.play_on(120)
    if ledger.room.result is None:
        ledger.do(SYSTEM, Close())
    (match,) = read_matches(GAMES, ledger.entries)
    kept = unpack(pack(archive_match(match)).body)
    for viewpoint in kept.viewpoints:
        assert build_replay(kept, viewpoint) == live_replay(match, viewpoint)
    assert verify_match(kept)


def test_an_archived_match_of_a_later_format_or_a_damaged_one_is_refused() -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    match = archived(ledger)
    with pytest.raises(StoreError, match="newer release: format 9, this server reads up to 2"):
        unpack(pack(replace(match, format=9)).body)
    body = pack(match).body
    for damaged in (body[:-9], b"", *map(zlib.compress, (b"{}", b'{"format":1}', b"\xff"))):
        with pytest.raises(StoreError, match="cannot be read"):
            unpack(damaged)


def test_an_older_format_is_migrated_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    match = archived(ledger)
    stored = msgspec.to_builtins(replace(match, format=1))
    stored["name"] = stored.pop("title")
    old = zlib.compress(msgspec.json.encode(stored))

    def rename(older: dict[str, Any]) -> dict[str, Any]:
        return {**{key: value for key, value in older.items() if key != "name"}, "heading": older["name"]}

    def rename_again(older: dict[str, Any]) -> dict[str, Any]:
        return {**older, "title": older["heading"]}

    monkeypatch.setattr(archived_match, "FORMAT", 3)
    monkeypatch.setattr(archived_match, "MIGRATIONS", {1: rename, 2: rename_again})
    assert unpack(old) == replace(match, format=3)


def test_a_match_is_listed_with_what_a_search_needs() -> None:
    ledger = JournalWriter("chess", table=TableRules(title="Club night", public=False))
    ledger.take_seats("Ann")
    ledger.do(SYSTEM, TakeSeat(Person("bot:easy:1"), "Easy", B, "easy"))
    ledger.play_on(3)
    ledger.do(A, Resign())
    packed = pack(archived(ledger))
    assert packed.persons == ("Ann",)
    assert packed.game == FinishedGame(
        RoomId("k3v9"), 1, "chess", "Club night", False, Millis(NOON + 2_000), Millis(NOON + 6_000),
        ("Ann", "Easy"), ("", "easy"), (B,), "resigned", 3, ("Ann", ""), "plain",
    )  # fmt: skip


def test_a_replay_has_the_documented_fields() -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    replay = msgspec.json.decode(build_replay(archived(ledger), "watch"))
    assert tuple(replay) == Replay.__struct_fields__
    assert tuple(replay["frames"][0]) == Frame.__struct_fields__


def test_both_forms_of_a_replay_have_the_rules_number_of_the_match() -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    older = replace(archived(ledger), rules=7)
    for build in (build_replay, build_compact_replay):
        assert msgspec.json.decode(build(older, "watch"))["rules"] == 7
