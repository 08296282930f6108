"""Every store, by name."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.hall.journal.store_interface import Now, Store, StoreError

from .memory_store import MemoryStore
from .sqlite_store import Durability, SqliteStore

FILE: Final = "qipai.db"
REDIS: Final = "redis"


@runtime_checkable
class CheckedStore(Protocol):
    """A store in a server of its own, which may be set up badly."""

    def warnings(self) -> list[str]:
        """Return what should be otherwise."""


@runtime_checkable
class ExclusiveStore(Protocol):
    """A store that servers and tools may open at the same time."""

    def migrating(self) -> bool:
        """Tell whether a tool has it for itself."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Have it for oneself; raise `StoreError` if any server is there, before or after."""


def kind(chosen: str) -> str:
    """Return the name of the store that an operator chose by its name or its address."""
    return REDIS if chosen.startswith(("redis://", "rediss://", "unix://")) else chosen


def _redis(address: str, _folder: Path, _durability: Durability) -> Store:
    try:
        # Only who has installed the extra `cluster` has the client.
        from qipai.stores.redis.redis_store import RedisStore
    except ImportError as error:
        # The address is never told: there may be a password in it.
        raise StoreError(f"a store in Redis needs the extra `cluster`: {error}") from error
    return RedisStore(address)


def worries(store: Store) -> list[str]:
    """Return what an operator should change about the server that the store talks to."""
    return store.warnings() if isinstance(store, CheckedStore) else []


def taken(store: Store) -> bool:
    """Tell whether tables are being moved, so that no server may begin."""
    return isinstance(store, ExclusiveStore) and store.migrating()


def alone(store: Store) -> AbstractContextManager[None]:
    """Have a store for oneself; whoever opens a file has it already."""
    return store.exclusive() if isinstance(store, ExclusiveStore) else nullcontext()


def bus(address: str, worker: str, steady: Now) -> ClusterBus:
    """Return what several servers on one store share; the extra `cluster` is there, because the store is."""
    from qipai.stores.redis.redis_bus import RedisBus

    return RedisBus(address, worker, steady)


STORES: Final[Mapping[str, Callable[[str, Path, Durability], Store]]] = MappingProxyType(
    {
        "memory": lambda _address, _folder, _durability: MemoryStore(),
        "sqlite": lambda _address, folder, durability: SqliteStore(folder / FILE, durability),
        REDIS: _redis,
    }
)
