"""Registry of stores, by name or URL scheme.

A new store is one module that implements `Store`, and one entry in `STORES`. The contract tests in
tests/stores/test_contract.py run over every entry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, runtime_checkable

from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.hall.journal.store_interface import Entry, Now, Saved, Store, StoreError
from qipai.kernel.ids import RoomId

from .archives.archive_registry import ARCHIVE_FILE
from .memory_store import MemoryStore
from .sqlite_files import refuse_unfinished
from .sqlite_opening import is_empty
from .sqlite_reader import open_journal
from .sqlite_store import Durability, SqliteStore

JOURNAL_FILE: Final = "qipai.db"


@runtime_checkable
class CheckedStore(Protocol):
    """Store in a server of its own, whose configuration can be wrong."""

    def warnings(self) -> list[str]:
        """Return one line for each setting of that server that risks data."""


@runtime_checkable
class ServerOfItsOwn(Protocol):
    """Store or archive in a server of its own."""

    def server_version(self) -> str:
        """Return the version of that server, or raise `StoreError`."""


@runtime_checkable
class ExclusiveStore(Protocol):
    """Store that several servers and commands may open at the same time."""

    def migrating(self) -> bool:
        """Tell whether an export or import has exclusive use of the store."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Have exclusive use of the store; raise `StoreError` if a server uses it, before or after."""

    def live_workers(self) -> int:
        """Return the number of workers that are alive."""


class RoomReader(Protocol):
    """Part of a store that commands read, also while a server writes."""

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room, oldest first."""


class OpenStore(Protocol):
    """Opens one kind of store."""

    def __call__(
        self, setting: str, folder: Path, durability: Durability, *, update_schema: bool = True
    ) -> Store:
        """Return the store that a setting names, or raise `StoreError`."""


class StoreKind(NamedTuple):
    """How the setting `store` names a kind of store, and how it is opened.

    A kind with `schemes` is named by a URL, all others by their name in the registry. `open_bus` is set
    if several workers may share the store, `open_reader` if a file must be opened read-only beside a server.
    """

    open: OpenStore
    example: str
    schemes: tuple[str, ...] = ()
    durabilities: tuple[Durability, ...] = ("process",)
    open_bus: Callable[[str, str, Now], ClusterBus] | None = None
    open_reader: Callable[[Path], AbstractContextManager[RoomReader]] | None = None


def find_store(setting: str) -> StoreKind | None:
    """Return the kind of store that a setting names, or None."""
    scheme, separator, _ = setting.partition("://")
    if not separator:
        found = STORES.get(setting)
        return None if found is None or found.schemes else found
    return next((kind for kind in STORES.values() if scheme in kind.schemes), None)


def open_store(setting: str, folder: Path, durability: Durability, *, update_schema: bool = True) -> Store:
    """Open the store that a setting names, or raise `StoreError`.

    With `update_schema` a store of an earlier schema is migrated, without it is refused.
    """
    return _find(setting).open(setting, folder, durability, update_schema=update_schema)


def is_shared(setting: str) -> bool:
    """Tell whether several workers may use the store at the same time."""
    return _find(setting).open_bus is not None


def open_bus(setting: str, worker: str, steady: Now) -> ClusterBus | None:
    """Return the bus between the workers on a shared store, or None for a store of one worker."""
    make = _find(setting).open_bus
    return None if make is None else make(setting, worker, steady)


@contextmanager
def open_reader(setting: str, folder: Path) -> Iterator[RoomReader]:
    """Open a store for reading, also while a server uses it, or raise `StoreError`."""
    kind = _find(setting)
    if kind.open_reader is not None:
        with kind.open_reader(folder) as reader:
            yield reader
    else:
        with closing(kind.open(setting, folder, "process", update_schema=False)) as store:
            yield store


def refuse_lost_files(folder: Path) -> None:
    """Raise `StoreError` if a file that was there is missing or empty: a new one would hide the loss."""
    file, archive = folder / JOURNAL_FILE, folder / ARCHIVE_FILE
    if is_empty(file) and archive.is_file() and archive.stat().st_size:
        raise StoreError(
            f"{file} is empty, but {archive} has finished games: restore a backup with `qipai restore FILE`, "
            f"or remove {file} to go on with no open tables and a new signing key"
        )
    for path in (file, archive):
        refuse_unfinished(path)


def store_warnings(store: Store) -> list[str]:
    """Return one line for each setting of the store's server that risks data."""
    return store.warnings() if isinstance(store, CheckedStore) else []


def is_migrating(store: Store) -> bool:
    """Tell whether an export, an import or an update runs, so that no server may start."""
    return isinstance(store, ExclusiveStore) and store.migrating()


def has_live_workers(store: Store) -> bool:
    """Tell whether other servers use the store."""
    return isinstance(store, ExclusiveStore) and store.live_workers() > 0


def exclusive(store: Store) -> AbstractContextManager[None]:
    """Have exclusive use of a store; one that is a file already has it once it is open."""
    return store.exclusive() if isinstance(store, ExclusiveStore) else nullcontext()


def _find(setting: str) -> StoreKind:
    kind = find_store(setting)
    if kind is None:
        # Only the scheme is printed: a URL may contain a password.
        raise StoreError(f"no store {setting.partition('://')[0]!r}")
    return kind


def _open_sqlite(setting: str, folder: Path, durability: Durability, *, update_schema: bool = True) -> Store:
    del setting
    folder.mkdir(parents=True, exist_ok=True)
    refuse_lost_files(folder)
    return SqliteStore(folder / JOURNAL_FILE, durability, update_schema=update_schema)


def _open_memory(setting: str, folder: Path, durability: Durability, *, update_schema: bool = True) -> Store:
    del setting, folder, durability, update_schema
    return MemoryStore()


def _open_redis(setting: str, folder: Path, durability: Durability, *, update_schema: bool = True) -> Store:
    del folder, durability
    try:
        # Installed only with the extra `cluster`.
        from qipai.stores.redis.redis_store import RedisStore
    except ImportError as error:
        # The URL is not printed: it may contain a password.
        raise StoreError(f"a store in Redis needs the extra `cluster`: {error}") from error
    return RedisStore(setting, update_schema=update_schema)


def _open_redis_bus(url: str, worker: str, steady: Now) -> ClusterBus:
    from qipai.stores.redis.redis_bus import RedisBus

    return RedisBus(url, worker, steady)


STORES: Final[Mapping[str, StoreKind]] = MappingProxyType(
    {
        "sqlite": StoreKind(
            _open_sqlite,
            "sqlite",
            durabilities=("process", "power"),
            open_reader=lambda folder: open_journal(folder / JOURNAL_FILE),
        ),
        "memory": StoreKind(_open_memory, "memory"),
        "redis": StoreKind(
            _open_redis, "redis://host:port", ("redis", "rediss", "unix"), open_bus=_open_redis_bus
        ),
    }
)
