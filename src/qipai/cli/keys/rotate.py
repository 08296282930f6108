"""`qipai key rotate`: a new key signs tokens, and the earlier ones are accepted for a time."""

from contextlib import closing
from datetime import datetime

from qipai.app import open_store
from qipai.cli.journal_reader import CommandError
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.signing_keys import DAY
from qipai.kernel.ids import Millis
from qipai.settings import ConfigurationError, Settings
from qipai.signing_key import rotate
from qipai.stores.store_registry import is_migrating


def rotate_key(settings: Settings, days: int) -> int:
    """Store a new key. Workers on Redis take it over while they run; a single server must be stopped."""
    if settings.store == "memory":
        raise CommandError("a store in memory has a new key at each start")
    try:
        with closing(open_store(settings, update_schema=False)) as store:
            if is_migrating(store):
                raise CommandError("rooms are being exported or imported: try again when that is done")
            keys = rotate(settings, store, days)
    except StoreError as error:
        raise CommandError(str(error)) from error
    except ConfigurationError as error:
        raise CommandError(str(error)) from error
    print(f"a new key signs from {_local(keys.last.since)}")
    print(f"tokens signed before are accepted until {_local(Millis(keys.last.since + days * DAY))}")
    return 0


def _local(at: Millis) -> str:
    return f"{datetime.fromtimestamp(at / 1000).astimezone():%Y-%m-%d %H:%M:%S %Z}"
