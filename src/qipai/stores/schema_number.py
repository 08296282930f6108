"""The number of what a store contains: another number is refused in one line that says what to do."""

from typing import Final

from qipai.hall.journal.store_interface import StoreError

SCHEMA: Final = 3
"""The first schema whose records, snapshots and export files every later release reads."""


def check_schema(store: str, found: int) -> None:
    """Raise `StoreError` if a store has another schema than this server reads."""
    if found != SCHEMA:
        release = (
            "a newer release wrote it, so use that release"
            if found > SCHEMA
            else "an earlier release wrote it; keep it for that release, and start with an empty store"
        )
        raise StoreError(f"{store} has schema {found}; this server reads schema {SCHEMA}: {release}")
