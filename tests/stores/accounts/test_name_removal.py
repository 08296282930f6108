"""Finished games of deleted accounts: no name stays in any of them, and nothing else changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_interface import Account, AccountStore
from qipai.hall.accounts.match_names import remove_names, without_names_in_record
from qipai.hall.history.archive_interface import (
    Archive,
    GameFilter,
    HeadToHead,
    Opponents,
    PersonSummary,
)
from qipai.hall.history.archived_match import ArchivedMatch, pack, unpack
from qipai.hall.history.match_archiving import archive_matches
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, Say, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, RoomId, Seat
from qipai.kernel.packing.person_names import DELETED_PLAYER
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from tests.formats.kept_matches import GAMES_KEPT
from tests.stores.accounts.account_rows import Clock
from tests.support.journal_writer import JournalWriter

ADA = Account(Person("p1"), 'Ada "Q" \\L]', "ada", Millis(1_000))
EARLIER = "Guest 7"
OTHERS = ("Bo", "Cyd", "Dan")
ROOM = RoomId("k3v9")


@pytest.fixture
def archive(place: tuple[Path | None, str]) -> Iterator[Archive]:
    folder, url = place
    if folder is None:
        pytest.skip("finished games are not kept in memory")
    with closing(open_archive(folder, url)) as opened:
        yield opened


@pytest.fixture
def accounts(archive: Archive, place: tuple[Path | None, str], clock: Clock) -> Iterator[AccountStore]:
    """Return accounts beside an archive, with those of Ada."""
    with closing(open_accounts(*place, clock)) as store:
        store.register(ADA, "hash", [b"c1"])
        yield store


def played(game: str, options: Any, room: str = ROOM) -> JournalWriter:
    """Return the journal of a match in which Ada took a seat as a guest, and had an account at its end."""
    rules = TableRules(title="Club night", clock=ClockPlan((600_000,), 2_000))
    ledger = JournalWriter(game, options, rules, room=room)
    ledger.do(SYSTEM, TakeSeat(ADA.person, EARLIER))
    for number, name in enumerate(OTHERS[: ledger.game.rules.seats - 1]):
        ledger.do(SYSTEM, TakeSeat(Person(f"other {number}"), name))
        if number == 0 and ledger.game.rules.seats > 2:
            ledger.do(SYSTEM, TakeSeat(ADA.person, ADA.name))
    if ledger.game.rules.seats == 2:
        ledger.do(SYSTEM, TakeSeat(ADA.person, ADA.name))
    ledger.play_on(12)
    ledger.do(Seat(0), Say("Bo plays well"))
    ledger.do(SPECTATOR, Say("hello", ADA.name))
    ledger.play_on(12)
    if ledger.room.result is None:
        ledger.do(SYSTEM, Close())
    return ledger


def stored(archive: Archive, ledger: JournalWriter) -> ArchivedMatch:
    (match,) = archive_matches(GAMES, ledger.entries)
    archive.store(ledger.room.id, ledger.entries, [pack(match)])
    return match


def text_of(value: object) -> str:
    return msgspec.json.encode(value).decode()


def assert_gone(text: str) -> None:
    for name in (ADA.name, EARLIER):
        assert name not in text
        assert text_of(name)[1:-1] not in text


@pytest.mark.parametrize("name", GAMES_KEPT)
def test_a_finished_game_has_no_name_and_is_otherwise_the_same(
    accounts: AccountStore, archive: Archive, name: str
) -> None:
    ledger = played(*GAMES_KEPT[name])
    before = stored(archive, ledger)
    accounts.delete_account(ADA.person, Millis(9_000))
    assert accounts.remove_next_name(remove_names)
    assert not accounts.remove_next_name(remove_names)
    body = archive.match(ROOM, 1)
    assert body is not None
    after = unpack(body)
    assert_gone(text_of(after))
    assert_gone(after.record)
    assert after.record.count(DELETED_PLAYER) >= 1
    assert [seat.name for seat in after.seats if seat] == [
        DELETED_PLAYER,
        *[seat.name for seat in before.seats[1:] if seat],
    ]
    assert [replace(each, events=()) for each in after.steps] == [
        replace(each, events=()) for each in before.steps
    ]
    assert [len(each.events) for each in after.steps] == [len(each.events) for each in before.steps]
    (listed,) = archive.search(GameFilter())
    assert listed.names == (DELETED_PLAYER, *[seat.name for seat in before.seats[1:] if seat])
    assert archive.search(GameFilter(player=EARLIER)) == []
    assert archive.search(GameFilter(player=ADA.name)) == []
    assert archive.search(GameFilter(player=DELETED_PLAYER)) == []
    assert archive.search(GameFilter(person=ADA.person)) == []
    assert archive.search(GameFilter(player="Bo")) == [listed]
    assert archive.search(GameFilter(person="other 0")) == [listed]
    assert archive.damaged == {}
    history = archive.history(ROOM)
    for entry in history:
        assert_gone(entry.body.decode())
    (again,) = archive_matches(GAMES, history)
    assert again.winners == after.winners
    assert [each.positions for each in again.steps] == [each.positions for each in after.steps]
    # What people wrote stays.
    assert any(b"Bo plays well" in entry.body for entry in history)


def test_the_results_of_others_stay_and_those_of_the_person_are_gone(
    accounts: AccountStore, archive: Archive
) -> None:
    ledger = played("tictactoe", None)
    (match,) = archive_matches(GAMES, ledger.entries)
    archive.store(ROOM, ledger.entries, [pack(replace(match, winners=(Seat(1),)))])
    other = "other 0"
    before = archive.summary(other, public_only=False)
    (count,) = before.counts
    assert (count.against, count.result) == ("people", "won")
    assert archive.head_to_head(other, ADA.person, public_only=False) == HeadToHead(1, last=("won",))
    accounts.delete_account(ADA.person, Millis(9_000))
    assert accounts.remove_next_name(remove_names)
    assert archive.summary(other, public_only=False) == before
    (listed,) = archive.search(GameFilter(person=other, against=Opponents.PEOPLE))
    assert listed.names == (DELETED_PLAYER, "Bo")
    assert archive.summary(ADA.person, public_only=False) == PersonSummary()
    assert archive.head_to_head(other, ADA.person, public_only=False) == HeadToHead()


def test_two_who_met_are_deleted_one_after_the_other(accounts: AccountStore, archive: Archive) -> None:
    accounts.register(Account(Person("other 0"), "Bo", "bo", Millis(1_000)), "hash", [])
    stored(archive, played("chess", None))
    for person in (ADA.person, Person("other 0")):
        accounts.delete_account(person, Millis(9_000))
    assert [accounts.remove_next_name(remove_names) for _ in range(3)] == [True, True, False]
    (listed,) = archive.search(GameFilter())
    assert listed.names == (DELETED_PLAYER, DELETED_PLAYER)


def test_the_work_goes_on_after_a_restart_and_for_later_games(
    accounts: AccountStore, archive: Archive, place: tuple[Path | None, str], clock: Clock
) -> None:
    for room in ("a", "b", "c"):
        stored(archive, played("tictactoe", None, room))
    accounts.delete_account(ADA.person, Millis(9_000))
    assert accounts.remove_next_name(remove_names)
    assert len([each for each in archive.search(GameFilter()) if DELETED_PLAYER in each.names]) == 1
    with closing(open_accounts(*place, clock)) as again:
        assert again.remove_next_name(remove_names)
        assert again.remove_next_name(remove_names)
        assert not again.remove_next_name(remove_names)
        stored(archive, played("tictactoe", None, "d"))
        assert again.remove_next_name(remove_names)
    assert all(DELETED_PLAYER in each.names for each in archive.search(GameFilter()))


def test_games_of_others_stay_as_they_are(accounts: AccountStore, archive: Archive) -> None:
    ledger = played("tictactoe", None)
    match = stored(archive, ledger)
    accounts.register(Account(Person("p9"), "Eve", "eve", Millis(1_000)), "hash", [])
    accounts.delete_account(Person("p9"), Millis(9_000))
    assert not accounts.remove_next_name(remove_names)
    assert archive.match(ROOM, 1) == pack(match).body
    assert list(archive.history(ROOM)) == ledger.entries


def test_a_damaged_game_is_not_made_to_look_sound(
    accounts: AccountStore, archive: Archive, place: tuple[Path | None, str]
) -> None:
    folder, url = place
    if url or folder is None:
        pytest.skip("the file is damaged from outside")
    stored(archive, played("tictactoe", None))
    with closing(sqlite3.connect(folder / "archive.db")) as connection, connection:
        connection.execute("update archived_matches set checksum = checksum + 1")
    accounts.delete_account(ADA.person, Millis(9_000))
    assert accounts.remove_next_name(remove_names)
    assert not accounts.remove_next_name(remove_names)
    with pytest.raises(Exception, match="damaged"):
        archive.match(ROOM, 1)


def test_nothing_of_a_deleted_account_is_left_in_the_file(
    accounts: AccountStore, archive: Archive, place: tuple[Path | None, str]
) -> None:
    folder, url = place
    if url or folder is None:
        pytest.skip("a file is looked at")
    zenobia = Account(Person("p9"), "Zenobia Quux", "zenobiaquux", Millis(1))
    accounts.register(zenobia, "a hash of hers", [b"code-9"])
    accounts.delete_account(Person("p9"), Millis(9_000))
    accounts.close()
    archive.close()
    with closing(sqlite3.connect(folder / "archive.db")) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    content = b"".join(path.read_bytes() for path in folder.glob("archive.db*"))
    for secret in (b"Zenobia", b"a hash of hers", b"code-9"):
        assert secret not in content
    assert b"zenobiaquux" in content, "the name is reserved"


@pytest.mark.parametrize(
    ("record", "name", "expected"),
    [
        ('[White "e4"]\n\n1. e4 e5 *\n', "e4", '[White "Deleted player"]\n\n1. e4 e5 *\n'),
        ('[Event "Ada"]\n[Black "Ada"]\n', "Ada", '[Event "Ada"]\n[Black "Deleted player"]\n'),
        ('[Result "1-0"]\n[White "1-0"]\n', "1-0", '[Result "1-0"]\n[White "Deleted player"]\n'),
        ("(;PB[ab]PW[Bo];B[ab];W[cd])\n", "ab", "(;PB[Deleted player]PW[Bo];B[ab];W[cd])\n"),
        ('{"game":"x","names":["x","Bo"]}\n', "x", '{"game":"x","names":["Deleted player","Bo"]}\n'),
        ('[White "A.a"]\n[Black "Aba"]\n', "A.a", '[White "Deleted player"]\n[Black "Aba"]\n'),
    ],
)
def test_names_like_moves_are_replaced_in_headers_only(record: str, name: str, expected: str) -> None:
    assert without_names_in_record(record, {name}) == expected


def test_without_deleted_accounts_the_archive_is_not_needed(
    place: tuple[Path | None, str], clock: Clock
) -> None:
    with closing(open_accounts(*place, clock)) as store:
        store.register(ADA, "hash", [])
        assert not store.remove_next_name(remove_names)
