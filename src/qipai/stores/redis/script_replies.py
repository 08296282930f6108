"""Builds the arguments and parses the replies of the Lua scripts, and the messages that they publish."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from qipai.hall.cluster.bus_interface import CatchUp, LeaseClaim, Outage
from qipai.hall.journal.store_interface import Damaged, Entry, Saved, Snapshot
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.checksums import record_checksum, snapshot_checksum


class HeartbeatReply(NamedTuple):
    """Reply to a heartbeat: the time of Redis and what the worker learns about the cluster.

    `subscriptions` is the number of rooms whose records the worker receives, `records_sent` the number of
    record messages published to it so far. `same_secret`: the key in Redis is that of the worker.
    """

    time: Millis
    workers: frozenset[str]
    claimed: list[RoomId]
    persons_elsewhere: int
    outage: Outage | None
    subscriptions: int
    records_sent: int
    same_secret: bool


def commit_arguments(worker: str, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> list[Any]:
    """Return the arguments of `COMMIT`: for each room its records, then its last snapshot."""
    by_room: dict[RoomId, list[Entry]] = {}
    newest = 0
    for entry in entries:
        records = by_room.get(entry.room)
        if records is None:
            by_room[entry.room] = [entry]
        else:
            records.append(entry)
        if entry.at > newest:
            newest = entry.at
    last_snapshots = {snapshot.room: snapshot for snapshot in snapshots}
    arguments: list[Any] = [worker, newest]
    for room, records in by_room.items():
        snapshot = last_snapshots.get(room)
        first = records[0].version
        # A gap within the batch is a conflict as well: no room has a version before 0.
        consecutive = records[-1].version == first + len(records) - 1
        version = "" if snapshot is None else snapshot.version
        arguments += (room, first if consecutive else 0, len(records), version)
        for record in records:
            body = record.body
            arguments += (record.at, body, record_checksum(room, record.version, record.at, body))
        if snapshot is not None:
            body, live = snapshot.body, snapshot.live
            found = snapshot_checksum(room, snapshot.version, live, body)
            arguments += ("1" if live else "0", snapshot.code, body, found)
    return arguments


def read_saved(room: RoomId, reply: Any) -> Saved | None:
    """Return the reply of `LOAD`, or raise `Damaged`. What an earlier release wrote has no checksum."""
    if not reply:
        return None
    version, live, body, found, tail = reply
    snapshot = Snapshot(room, _number(room, version), live == b"1", body)
    expected = snapshot_checksum(room, snapshot.version, snapshot.live, body)
    if found is not None and _number(room, found) != expected:
        raise Damaged(f"{room}: its snapshot is damaged")
    return Saved(snapshot, read_entries(room, tail))


def read_entries(room: RoomId, stream: Iterable[Any]) -> list[Entry]:
    """Return the records of entries of a journal stream, or raise `Damaged`."""
    return [_read_entry(room, int(key.partition(b"-")[0]), fields) for key, fields in stream]


def _read_entry(room: RoomId, version: int, fields: Sequence[bytes]) -> Entry:
    if len(fields) < 4:
        raise Damaged(f"{room}: the record of version {version} is damaged")
    entry = Entry(room, version, Millis(_number(room, fields[1])), fields[3])
    # What an earlier release wrote has no checksum.
    if len(fields) > 5:
        expected = record_checksum(room, version, entry.at, entry.body)
        if _number(room, fields[5]) != expected:
            raise Damaged(f"{room}: the record of version {version} is damaged")
    return entry


def _number(room: RoomId, text: bytes) -> int:
    try:
        return int(text)
    except ValueError:
        raise Damaged(f"{room}: a number is damaged") from None


def read_catch_up(room: RoomId, version: int, reply: Any) -> CatchUp:
    """Return the reply of `SUBSCRIBE` for a worker that has this version."""
    length, tail, raw_members = reply
    members = {raw_members[n].decode(): raw_members[n + 1] for n in range(0, len(raw_members), 2)}
    entries, at = read_entries(room, tail), 0
    if entries and entries[0].version == version:
        at = entries.pop(0).at
    return CatchUp(length, entries, members, at)


def read_record_message(room: RoomId, words: list[str], bodies: bytes) -> list[Entry]:
    """Return the records of a message: `words` are the first version, then a time and a size for each."""
    if len(words) == 3:
        return [Entry(room, int(words[0]), Millis(int(words[1])), bodies)]
    first, start, entries = int(words[0]), 0, []
    for number, (at, size) in enumerate(zip(words[1::2], words[2::2], strict=True)):
        end = start + int(size)
        entries.append(Entry(room, first + number, Millis(int(at)), bodies[start:end]))
        start = end
    return entries


def read_room(reply: bytes | None) -> RoomId | None:
    """Return the room of a code, or None."""
    return None if reply is None else RoomId(reply.decode())


def read_rooms(reply: Iterable[bytes]) -> frozenset[RoomId]:
    """Return a set of rooms."""
    return frozenset(RoomId(room.decode()) for room in reply)


def read_lease_claim(reply: Any) -> LeaseClaim | None:
    """Return the reply of `CLAIM_LEASE`."""
    return None if not reply else LeaseClaim(reply[0], bool(reply[1]))


def read_heartbeat(worker: str, reply: Any) -> HeartbeatReply:
    """Return the reply of `HEARTBEAT` to a worker."""
    time, workers, claimed, persons, outage, subscriptions, records_sent, same_secret = reply
    counts = {persons[n].decode(): int(persons[n + 1]) for n in range(0, len(persons), 2)}
    return HeartbeatReply(
        Millis(time),
        frozenset(name.decode() for name in workers),
        [RoomId(room.decode()) for room in claimed],
        sum(count for name, count in counts.items() if name != worker),
        None if outage is None else Outage(*(Millis(int(each)) for each in outage.split())),
        subscriptions,
        int(records_sent),
        bool(same_secret),
    )
