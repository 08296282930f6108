"""The number of the journal format, and how what an earlier release wrote becomes the present format.

To change the format of records or snapshots: raise `JOURNAL_FORMAT`, add one `FormatMigration` with its test,
and keep files of the new format with `python -m tests.formats.write`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from qipai.kernel.codec import Malformed

Stored = dict[str, Any]
"""A record or a snapshot as plain JSON values."""

JOURNAL_FORMAT: Final = 6
"""What this release writes. It reads every format from 1 on."""


def _unchanged(stored: Stored) -> Stored:
    return stored


class FormatMigration(NamedTuple):
    """Turns what one format stored into what the next format stores."""

    record: Callable[[Stored], Stored] = _unchanged
    snapshot: Callable[[Stored], Stored] = _unchanged


MIGRATIONS: Final[Mapping[int, FormatMigration]] = MappingProxyType(
    {
        1: FormatMigration(),  # 2 adds the table rule `sees_hidden_allowed`.
        2: FormatMigration(),  # 3 adds `undos` to the snapshot, and the lag of moves.
        3: FormatMigration(),  # 4 has a snapshot with every change of the persons at the seats.
        4: FormatMigration(),  # 5 adds the table rule `rated`.
        5: FormatMigration(),  # 6 adds `bot_account` to seats.
    }
)
"""The migration of each format before `JOURNAL_FORMAT`."""


def migrated_record(body: bytes) -> bytes:
    """Return a record in the present format, or raise `Malformed`."""
    return _migrated(body, lambda migration: migration.record)


def migrated_snapshot(body: bytes) -> bytes:
    """Return a snapshot in the present format, or raise `Malformed`."""
    return _migrated(body, lambda migration: migration.snapshot)


def _migrated(body: bytes, part: Callable[[FormatMigration], Callable[[Stored], Stored]]) -> bytes:
    stored = read_stored(body)
    migrations = {number: part(migration) for number, migration in MIGRATIONS.items()}
    present = migrate(stored, JOURNAL_FORMAT, migrations)
    return body if present is stored else msgspec.json.encode(present)


def migrate(stored: Stored, present: int, migrations: Mapping[int, Callable[[Stored], Stored]]) -> Stored:
    """Return plain values with a format number in the present format, or raise `Malformed`."""
    number = stored.get("format", 1)
    if type(number) is not int or number < 1:
        raise Malformed(f"no format {number!r}")
    if number > present:
        raise Malformed(f"written by a newer release: format {number}, this server reads up to {present}")
    if number == present:
        return stored
    for older in range(number, present):
        stored = migrations[older](stored)
    return {**stored, "format": present}


def read_stored(body: bytes) -> Stored:
    """Return a record or a snapshot as plain values, or raise `Malformed`."""
    try:
        return msgspec.json.decode(body, type=Stored)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from None
