"""The keys that sign tokens: taken from the settings or the store, rotated, and kept up to date."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from secrets import token_bytes
from typing import Final

import structlog

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.journal.store_interface import Now, Store, StoreError
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.signing_keys import (
    DAY,
    KEY_BYTES,
    OVERLAP_DAYS,
    ROTATION_LEAD,
    SigningKeys,
    StoredKeys,
    parse_keys,
    stored_keys,
)
from qipai.kernel.ids import Millis

from .settings import ConfigurationError, Settings
from .stores import store_registry

_log: Final = structlog.get_logger("qipai")


def signing_keys(settings: Settings, store: Store, now: Now = wall_clock) -> SigningKeys:
    """Return the keys of the store; a configured secret that is not among them becomes the newest one."""
    configured = configured_key(settings)
    stored = store.secret(configured)
    keys = parse_keys(stored)
    if configured and all(each.key != configured for each in keys.keys):
        stored = stored_keys(_rotated(store, keys, configured, OVERLAP_DAYS, now))
        store.import_secret(stored)
    return SigningKeys(stored, now)


def configured_key(settings: Settings) -> bytes:
    """Return the key of the setting `secret`; empty without one."""
    return sha256(settings.secret.encode()).digest() if settings.secret else b""


def rotate(settings: Settings, store: Store, days: int, now: Now = wall_clock) -> StoredKeys:
    """Store a new key, and let the others end so many days after it; raise `ConfigurationError` without one.

    It is that of the setting `secret`, or a random one.
    """
    configured = configured_key(settings)
    keys = parse_keys(store.secret(configured))
    if configured and any(each.key == configured for each in keys.keys):
        raise ConfigurationError("secret: is in use, or was; give the setting another value first")
    keys = _rotated(store, keys, configured or token_bytes(KEY_BYTES), days, now)
    store.import_secret(stored_keys(keys))
    return keys


def _rotated(store: Store, keys: StoredKeys, key: bytes, days: int, now: Now) -> StoredKeys:
    lead = ROTATION_LEAD if store_registry.has_live_workers(store) else 0
    return keys.rotated(key, Millis(now() + lead), days * DAY)


class KeyUpdates:
    """Takes over keys that another worker or a command has stored; stops at those of another server."""

    def __init__(
        self, keys: SigningKeys, store: Store, tasks: BackgroundTasks, stop: Callable[[], None]
    ) -> None:
        self._keys = keys
        self._store = store
        self._tasks = tasks
        self._stop = stop
        self._reading = False

    def read(self) -> None:
        """Read the keys of the store, which are not those of this worker."""
        if not self._reading:
            self._reading = True
            self._tasks.run(self._read())

    async def _read(self) -> None:
        try:
            await self._compare(await asyncio.to_thread(self._store.secret))
        except StoreError as error:
            _log.error("signing keys not read", error=str(error))
        finally:
            self._reading = False

    async def _compare(self, stored: bytes) -> None:
        if self._keys.is_newer_than(stored):
            # The store has lost the last rotation.
            await asyncio.to_thread(self._store.import_secret, self._keys.stored)
        elif self._keys.adopt(stored):
            _log.info("signing key rotated")
        else:
            self._stop()
