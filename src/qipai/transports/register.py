"""Keeps what another worker must know of each socket, and writes it again when it has changed."""

import asyncio
from typing import Final

from qipai.hall.sessions import Connection

from .socketio.socket import Socket
from .socketio.vault import AGAIN, Memory, Vault

PAUSES: Final = (0.01, 0.2)
"""Seconds after an event of its client until a socket is looked at: what it asked for has happened."""


class Register:
    """All sockets of a namespace that can be come back to."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._sockets: dict[Socket, Memory | None] = {}
        self._firsts: dict[Socket, tuple[type, bytes]] = {}
        self._noted: set[Socket] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._late: set[Socket] = set()
        self._later: asyncio.TimerHandle | None = None
        self._whole: asyncio.TimerHandle | None = None

    def enter(self, socket: Socket) -> None:
        """Begin to remember a socket."""
        if socket.pid:
            self._sockets[socket] = None
            self._firsts[socket] = (type(socket.data.dialect), b"")
            self.note(socket, b"")
            if self._whole is None:
                self._whole = asyncio.get_running_loop().call_later(AGAIN, self._all)

    def leave(self, socket: Socket) -> None:
        """Forget a socket, unless another worker has taken it over meanwhile and writes it itself."""
        if self._sockets.pop(socket, None) is not None and socket.data.places:
            self._vault.forget(socket.pid)
        self._firsts.pop(socket, None)
        self._noted.discard(socket)
        self._late.discard(socket)

    def note(self, socket: Socket, raw: bytes) -> None:
        """A socket may be another than before: its client has sent an event."""
        if socket not in self._sockets:
            return
        kind, first = self._firsts[socket]
        if raw and not first:
            self._firsts[socket] = (kind, raw)
        self._noted.add(socket)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PAUSES[0], self._soon)

    def _soon(self) -> None:
        self._timer = None
        noted, self._noted = self._noted, set()
        self._write(noted)
        self._late |= noted
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(PAUSES[1], self._once_more)

    def _once_more(self) -> None:
        self._later = None
        late, self._late = self._late, set()
        self._write(late)

    def _write(self, noted: set[Socket]) -> None:
        for socket in noted & self._sockets.keys():
            memory = self._memory(socket)
            if memory != self._sockets[socket]:
                self._sockets[socket] = memory
                self._vault.keep(socket.pid, memory)

    def _all(self) -> None:
        self._whole = asyncio.get_running_loop().call_later(AGAIN, self._all) if self._sockets else None
        for socket in self._sockets:
            # One whose place was taken at another worker is that worker's to write.
            if socket.carrier is not None or socket.data.places:
                self._sockets[socket] = memory = self._memory(socket)
                self._vault.keep(socket.pid, memory)

    def _memory(self, socket: Socket) -> Memory:
        peer: Connection = socket.data
        kind, first = self._firsts[socket]
        turned = first if kind is not type(peer.dialect) else b""
        room = next(iter(peer.places), "")
        return Memory(socket.sid, socket.path, peer.person or "", peer.name, room, turned)
