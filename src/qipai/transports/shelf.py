"""Sockets' memories where every worker finds them."""

from collections.abc import Callable

from qipai.hall.ports import Bus, StoreError

from .socketio.socket import Socket
from .socketio.vault import KEPT, Memory, encode, read


class Shelf:
    """Keeps memories on the bus; `revivers` know by a namespace's path how its sockets go on."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.revivers: dict[str, Callable[[Socket, Memory], None]] = {}

    def keep(self, pid: str, memory: Memory) -> None:
        """Remember a socket for a while."""
        self._bus.stow(f"socket:{pid}", encode(memory), KEPT)

    def forget(self, pid: str) -> None:
        """Forget one that is gone."""
        self._bus.stow(f"socket:{pid}", b"", 0)

    def fetch(self, pid: str, then: Callable[[Memory | None], None], sorry: Callable[[], None]) -> None:
        """Pass on what is remembered of a socket."""

        def fetched(raw: bytes | StoreError | None) -> None:
            if isinstance(raw, StoreError):
                sorry()
            else:
                then(read(raw))

        self._bus.fetch(f"socket:{pid}", fetched)

    def revive(self, socket: Socket, memory: Memory) -> None:
        """Go on with a socket here."""
        self.revivers[memory.path](socket, memory)
