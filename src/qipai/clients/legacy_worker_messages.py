"""Nicknames and lobby chat between workers.

Nothing of it is stored. A worker that starts, or was cut off, asks all others for their nicknames.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import MsgspecError, Struct

from qipai.kernel.ids import Millis

from .legacy_messages import LobbyChatLine


class NicknamesRequest(Struct, frozen=True, tag="who", array_like=True):
    """Asks every worker for its nicknames."""


class NicknameList(Struct, frozen=True, tag="names", array_like=True):
    """All nicknames of a worker, by game."""

    worker: str
    names: dict[str, list[str]]


class NicknameChange(Struct, frozen=True, tag="named", array_like=True):
    """A nickname that was taken or released."""

    worker: str
    game: str
    name: str
    taken: bool


class LobbyChatMessage(Struct, frozen=True, tag="line", array_like=True):
    """A line of a lobby chat."""

    chat: str
    at: Millis
    name: str
    text: str


_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(NicknamesRequest | NicknameList | NicknameChange | LobbyChatMessage)


class LegacyBroadcasts:
    """Sends nicknames and lobby chat of this worker to the others; `send` reaches all of them."""

    def __init__(self, worker: str, send: Callable[[bytes], None]) -> None:
        self.worker = worker
        self._send = send

    def nickname_changed(self, game: str, name: str, *, taken: bool) -> None:
        """Send that a nickname was taken or released."""
        self._send(_encode(NicknameChange(self.worker, game, name, taken)))

    def nicknames(self, names: dict[str, list[str]]) -> None:
        """Send all nicknames of this worker."""
        self._send(_encode(NicknameList(self.worker, names)))

    def request_nicknames(self) -> None:
        """Ask the other workers for their nicknames."""
        self._send(_encode(NicknamesRequest()))

    def lobby_chat(self, chat: str, line: LobbyChatLine) -> None:
        """Send a line of a lobby chat."""
        self._send(_encode(LobbyChatMessage(chat, line.at, line.name, line.text)))


class Nicknames(Protocol):
    """The nicknames of all workers."""

    def local_names(self) -> dict[str, list[str]]:
        """Return all nicknames of this worker, by game."""

    def confirm_all(self) -> None:
        """Ask for all nicknames of this worker again."""

    def set_remote(self, worker: str, names: Mapping[str, Iterable[str]]) -> None:
        """Replace the nicknames of another worker."""

    def set_remote_name(self, worker: str, game: str, name: str, *, taken: bool) -> None:
        """Add or remove one nickname of another worker."""

    def keep_workers(self, workers: frozenset[str]) -> None:
        """Forget the nicknames of all other workers."""


class LobbyChat(Protocol):
    """The lobby chat of this worker."""

    def deliver(self, chat: str, line: LobbyChatLine) -> None:
        """Send a line to the connections of this worker."""


class LegacyWorkerMessages:
    """Applies the messages of other workers to the nicknames and the lobby chat of this one."""

    def __init__(self, broadcasts: LegacyBroadcasts, nicknames: Nicknames, chat: LobbyChat) -> None:
        self._broadcasts = broadcasts
        self._nicknames = nicknames
        self._chat = chat
        self._workers: frozenset[str] = frozenset()

    def workers_changed(self, workers: frozenset[str]) -> None:
        """Forget the nicknames of workers that are gone; ask new ones for theirs."""
        if workers != self._workers:
            new, self._workers = workers - self._workers, workers
            self._nicknames.keep_workers(workers)
            if new - {self._broadcasts.worker}:
                self._broadcasts.request_nicknames()
        if not workers:
            # While this worker was cut off, others may have been given its nicknames.
            self._nicknames.confirm_all()

    def receive(self, body: bytes) -> None:
        """Apply a message; one that this release does not know is ignored."""
        try:
            message = _decoder.decode(body)
        except MsgspecError:
            return
        match message:
            case NicknamesRequest():
                self._broadcasts.nicknames(self._nicknames.local_names())
            case NicknameList():
                self._nicknames.set_remote(message.worker, message.names)
            case NicknameChange():
                self._nicknames.set_remote_name(
                    message.worker, message.game, message.name, taken=message.taken
                )
            case LobbyChatMessage():
                self._chat.deliver(message.chat, LobbyChatLine(message.at, message.name, message.text))
