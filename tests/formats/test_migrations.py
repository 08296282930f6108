"""What an earlier format or earlier rules stored is migrated; what a newer release stored is refused."""

import json
from typing import Any

import pytest

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.journal import format_numbers, record_conversion, snapshot_format
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT, MIGRATIONS, FormatMigration
from qipai.hall.journal.record_conversion import record_of
from qipai.hall.journal.room_rebuilding import (
    JournalError,
    encode,
    first,
    read_record,
    read_snapshot,
    replay,
    restore,
    retrace,
)
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Entry, Saved, Snapshot
from qipai.kernel.commands import Resign, Say
from qipai.kernel.game_interface.rules_migration import RulesMigration
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.room import AnyRoom
from tests.support.journal_writer import JournalWriter, snapshot_of

from .kept_files import HERE, read_kept

ROOM = RoomId("k3v9")
Stored = dict[str, Any]


def game_of_gomoku() -> JournalWriter:
    writer = JournalWriter("gomoku")
    writer.take_seats("Ada", "Bo")
    writer.play_on(6)
    return writer


def snapshot(room: AnyRoom, body: bytes) -> Snapshot:
    return Snapshot(ROOM, room.version, True, body)


def changed(entry: Entry, **fields: Any) -> Entry:
    return Entry(entry.room, entry.version, entry.at, json.dumps(json.loads(entry.body) | fields).encode())


def test_every_format_before_the_present_one_has_a_migration() -> None:
    assert set(MIGRATIONS) == set(range(1, JOURNAL_FORMAT))


# The format, with an invented change: the actor was called `who`, and the version of a room `steps`.


@pytest.fixture
def next_format(monkeypatch: pytest.MonkeyPatch) -> None:
    def rename(old: str, new: str) -> Any:
        def migration(stored: Stored) -> Stored:
            value = stored.pop(old)
            return stored | {new: value}

        return migration

    migrations = {
        JOURNAL_FORMAT: FormatMigration(rename("who", "actor"), rename("steps", "version")),
        JOURNAL_FORMAT + 1: FormatMigration(snapshot=lambda stored: stored | {"phrases_only": True}),
    }
    monkeypatch.setattr(format_numbers, "MIGRATIONS", migrations)
    for module in (format_numbers, record_conversion, snapshot_format):
        monkeypatch.setattr(module, "JOURNAL_FORMAT", JOURNAL_FORMAT + 2)


def as_before(body: bytes, old: str, new: str, number: int) -> bytes:
    stored = json.loads(body)
    stored[old] = stored.pop(new)
    return json.dumps(stored | {"format": number}).encode()


@pytest.mark.usefixtures("next_format")
def test_records_of_an_earlier_format_are_migrated_step_by_step() -> None:
    writer = game_of_gomoku()
    assert all(json.loads(entry.body)["format"] == JOURNAL_FORMAT + 2 for entry in writer.entries)
    earlier = [
        Entry(entry.room, entry.version, entry.at, as_before(entry.body, "who", "actor", JOURNAL_FORMAT))
        for entry in writer.entries
    ]
    mixed = [*earlier[:4], *writer.entries[4:]]
    for entries in (earlier, mixed):
        assert list(retrace(GAMES, entries))[-1].room == writer.room
    assert read_record(earlier[5]) == read_record(writer.entries[5])


@pytest.mark.usefixtures("next_format")
def test_a_snapshot_of_an_earlier_format_is_migrated_step_by_step() -> None:
    writer = game_of_gomoku()
    body = snapshot_of(writer.room)
    earlier = as_before(body, "steps", "version", JOURNAL_FORMAT)
    _, room = read_snapshot(GAMES, snapshot(writer.room, earlier))
    assert room.phrases_only, "the second migration was applied too"
    assert room.version == writer.room.version
    assert room.state == writer.room.state


NEWER = f"written by a newer release: format {JOURNAL_FORMAT + 1}, this server reads up to {JOURNAL_FORMAT}"


def test_a_record_of_a_newer_format_is_refused_with_both_numbers() -> None:
    entry = changed(game_of_gomoku().entries[-1], format=JOURNAL_FORMAT + 1, do="juggle")
    with pytest.raises(JournalError, match=NEWER):
        read_record(entry)


def test_a_snapshot_of_a_newer_format_is_refused_with_both_numbers() -> None:
    body = json.dumps({"format": JOURNAL_FORMAT + 1, "table": "round"}).encode()
    with pytest.raises(JournalError, match=NEWER):
        read_snapshot(GAMES, Snapshot(ROOM, 1, True, body))


@pytest.mark.parametrize("number", [0, -1, "1", 1.5, None, True, [1]])
def test_a_record_with_a_format_that_is_no_number_is_refused(number: Any) -> None:
    with pytest.raises(JournalError):
        read_record(changed(game_of_gomoku().entries[-1], format=number))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"open"', b"\xff", b'{"do":"play"}', b"{}"])
def test_a_damaged_record_or_snapshot_is_refused(body: bytes) -> None:
    with pytest.raises(JournalError):
        read_record(Entry(ROOM, 1, Millis(1), body))
    with pytest.raises(JournalError):
        read_snapshot(GAMES, Snapshot(ROOM, 1, True, body))


def test_the_rules_number_is_not_stored_while_it_is_one() -> None:
    body = json.loads(encode(record_of(Say("hello"), Seat(0))))
    assert body == {"do": "say", "actor": 0, "text": "hello", "format": JOURNAL_FORMAT}
    assert json.loads(encode(record_of(Resign(), Seat(1), rules_number=2)))["rules"] == 2


# The rules of a game, with invented changes of gomoku


PRESENT = GAMES["gomoku"].rules_number


def gomoku(later: int, **migration: Any) -> dict[str, Game]:
    """Return gomoku with a rules number that is so much later, and a migration from the present one."""
    old = GAMES["gomoku"]
    migrations = {**old.migrations, PRESENT: RulesMigration(**migration)}
    bots = tuple(old.bots.values())
    game = Game(old.rules, bots, old.events, rules_number=PRESENT + later, migrations=migrations)
    return {"gomoku": game}


def test_moves_options_and_states_of_earlier_rules_are_migrated() -> None:
    def letters(move: Stored) -> Stored:
        return {"do": "place", "x": "ABCDEFGHIJKLMNO".index(move["at"][0]), "y": int(move["at"][1:])}

    def without_opening(options: Stored) -> Stored:
        return {name: value for name, value in options.items() if name != "opening"}

    def renamed(state: Stored) -> Stored:
        moves = state.pop("stones")
        return state | {"moves": moves}

    writer = game_of_gomoku()
    earlier = []
    for entry in writer.entries:
        body = json.loads(entry.body)
        if body["do"] == "play":
            move = body["move"]
            body["move"] = {"at": f"{'ABCDEFGHIJKLMNO'[move['x']]}{move['y']}"}
        if body["do"] == "open":
            body["options"]["opening"] = "free"
        earlier.append(Entry(entry.room, entry.version, entry.at, json.dumps(body).encode()))
    games = gomoku(2, move=letters, options=without_opening, state=renamed)
    assert list(retrace(games, earlier))[-1].room == writer.room
    stored = json.loads(snapshot_of(writer.room))
    stored["state"]["stones"] = stored["state"].pop("moves")
    stored["options"]["opening"] = "free"
    saved = Saved(snapshot(writer.room, json.dumps(stored).encode()), [])
    game, room, _ = restore(games, saved)
    assert (game, room) == (games["gomoku"], writer.room)


def test_records_of_earlier_rules_without_a_migration_are_replayed_as_they_are() -> None:
    writer = game_of_gomoku()
    assert list(retrace(gomoku(1), writer.entries))[-1].room == writer.room
    body = snapshot_of(writer.room)
    assert read_snapshot(gomoku(1), snapshot(writer.room, body))[1] == writer.room


def test_a_record_that_does_not_follow_the_present_rules_names_both_numbers() -> None:
    writer = game_of_gomoku()
    game, room = first(gomoku(1), writer.entries[0])
    steps = list(replay(game, room, writer.entries[1:-1]))
    again = Entry(ROOM, writer.entries[-1].version, Millis(writer.room.at), writer.entries[-2].body)
    numbers = f"was written by rules {PRESENT} of gomoku and does not follow rules {PRESENT + 1}"
    with pytest.raises(JournalError, match=numbers):
        list(replay(game, steps[-1].room, [again]))
    with pytest.raises(JournalError, match="no longer follows the rules"):
        list(replay(GAMES["gomoku"], steps[-1].room, [again]))


def test_what_newer_rules_wrote_is_refused_with_both_numbers() -> None:
    writer = game_of_gomoku()
    newer = f"written by a newer release: rules {PRESENT + 4} of gomoku, this server reads up to {PRESENT}"
    with pytest.raises(JournalError, match=newer):
        list(retrace(GAMES, [*writer.entries[:-1], changed(writer.entries[-1], rules=PRESENT + 4)]))
    with pytest.raises(JournalError, match=newer):
        read_snapshot(GAMES, snapshot(writer.room, encode_snapshot(writer.room, PRESENT + 4)))


# Gomoku, from rules 1: cells were bytes


def test_a_state_of_gomoku_rules_1_has_its_cells_as_numbers() -> None:
    stored = {"black": 1, "moves": "cGEA", "boards": ["AA==", "AA=="], "line": ""}
    migrated = GAMES["gomoku"].migrate_state(stored, 1)
    assert migrated == {"black": 1, "moves": [112, 97, 0], "boards": ["AA==", "AA=="], "line": []}
    assert GAMES["gomoku"].migrate_state(migrated, 2) == migrated


def test_the_kept_snapshots_of_gomoku_rules_1_have_bytes() -> None:
    kept = read_kept(HERE / "journal-2" / "gomoku-0.json.gz")
    states = [json.loads(bytes(each.body)).get("state") for each in kept.snapshots]
    assert any(state and isinstance(state["moves"], str) and state["moves"] for state in states)
