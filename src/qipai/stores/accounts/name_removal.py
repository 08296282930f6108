"""Removes the names of deleted accounts from finished games, one match at a time.

The rows of `game_persons` of a deleted person are the matches left. Each goes in the transaction that
removes the name from its match, so the work goes on after a crash, and finds matches that are archived later.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from qipai.hall.accounts.account_interface import RemoveNames
from qipai.hall.history.archive_interface import PackedMatch, search_name
from qipai.hall.journal.store_interface import Damaged, Entry, StoreError
from qipai.kernel.ids import Person
from qipai.kernel.packing.person_names import DELETED_PLAYER, names_of, renamed
from qipai.stores.archives.archive_tables import match_checksum, search_insertions
from qipai.stores.archives.stored_history import pack_history, unpack_history
from qipai.stores.checksums import checksum
from qipai.stores.sql.sql_database import Query

Names = tuple[str, ...]
_NEXT: Final = """select g.person, g.ended, g.room, g.match from game_persons g
    join deleted_persons d on d.person = g.person order by g.person, g.ended, g.room, g.match limit 1"""


def remove_next(query: Query, remove_names: RemoveNames) -> Person | None:
    """Remove the name of a deleted account from one match and its room; return the person, or None."""
    # A new PostgreSQL database has the tables of the archive only when somebody has asked for finished games.
    rows = query(_NEXT, ()) if query("select 1 from deleted_persons limit 1", ()) else ()
    if not rows:
        return None
    person, ended, room, match = rows[0]
    taken = query(
        "delete from game_persons where person = ? and ended = ? and room = ? and match = ? returning room",
        (person, ended, room, match),
    )
    if taken:
        # The locks are taken in this order: two persons of one match may be deleted at the same time.
        query("update archived_rooms set checksum = checksum where room = ?", (room,))
        history = _read_history(query, room)
        # The match has the names at its start only, the journal all of them.
        names = names_of([msgspec.json.decode(each.body) for each in history], Person(person))
        names = _remove_from_match(query, Person(person), room, match, names, remove_names)
        _remove_from_history(query, room, history, names)
    return Person(person)


def _remove_from_match(
    query: Query, person: Person, room: str, match: int, known: Names, remove_names: RemoveNames
) -> Names:
    select = "select body, checksum from archived_matches where room = ? and match = ?"
    for body, stored in query(select, (room, match)):
        if not isinstance(body, bytes) or stored not in (None, match_checksum(room, match, body)):
            # What is damaged is not made to look sound.
            return known
        try:
            found = remove_names(body, person, known)
        except StoreError:
            return known
        packed = found.after.body
        query(
            "update archived_matches set body = ?, checksum = ? where room = ? and match = ?",
            (packed, match_checksum(room, match, packed), room, match),
        )
        if query("delete from finished_games where room = ? and match = ? returning room", (room, match)):
            _list_again(query, found.before, found.after, person)
        return found.names
    return known


def _list_again(query: Query, before: PackedMatch, after: PackedMatch, person: Person) -> None:
    game = before.game
    for name in {*map(search_name, game.names)}:
        query(
            "delete from game_players where name = ? and public = ? and ended = ? and room = ? and match = ?",
            (name, game.public, game.ended, game.room, game.match),
        )
    # Not those whose names were removed before: their rows are gone.
    row = "person = ? and ended = ? and room = ? and match = ?"
    delete = f"delete from game_persons where {row} returning person"  # noqa: S608
    listed = [
        other
        for other in before.persons
        if query(delete, (other, game.ended, game.room, game.match)) and other != person
    ]
    # Nobody searches for the name that all of them have.
    for statement, values in search_insertions(after.game, listed):
        if values[0] != search_name(DELETED_PLAYER):
            query(statement, values)


def _read_history(query: Query, room: str) -> Sequence[Entry]:
    """Return the journal of an archived room; nothing if it is damaged: that is not made to look sound."""
    for packed, stored in query("select history, checksum from archived_rooms where room = ?", (room,)):
        if not isinstance(packed, bytes) or stored not in (None, checksum(room, packed)):
            return ()
        try:
            history = unpack_history(packed)
            for each in history:
                msgspec.json.decode(each.body)
        except (Damaged, msgspec.MsgspecError):
            return ()
        return history
    return ()


def _remove_from_history(query: Query, room: str, history: Sequence[Entry], names: Sequence[str]) -> None:
    if not names:
        return
    *earlier, last = names
    # Taking a seat again under the same name changes nothing, and then the journal could not be replayed.
    given = {name: f"{DELETED_PLAYER} {number}" for number, name in enumerate(earlier, 2)}
    changed = [_without_names(each, {**given, last: DELETED_PLAYER}) for each in history]
    if changed != list(history):
        packed = pack_history(changed)
        query(
            "update archived_rooms set history = ?, checksum = ? where room = ?",
            (packed, checksum(room, packed), room),
        )


def _without_names(entry: Entry, given: Mapping[str, str]) -> Entry:
    body = msgspec.json.decode(entry.body)
    changed = renamed(body, given)
    if changed == body:
        return entry
    return Entry(entry.room, entry.version, entry.at, msgspec.json.encode(changed))
