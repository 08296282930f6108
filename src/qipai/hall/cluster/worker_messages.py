"""What several workers tell each other: who has which name, what is called across a foyer, how many look on.

Nothing of it is written down. Who begins, or has been out of reach, asks, and everybody says it all again.
"""

from typing import Final

import msgspec
from msgspec import MsgspecError, Struct

from qipai.clients.legacy_lobby import LegacyLobby
from qipai.clients.lobby_chat import LobbyChat
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.room import CLOSED, AnyRoom
from qipai.protocol.dialect_interface import LobbyChatLine

from .bus_interface import Bus
from .replicas import Replicas


class NicknamesRequest(Struct, frozen=True, tag="who", array_like=True):
    """Asks for everybody's names."""


class NicknameList(Struct, frozen=True, tag="names", array_like=True):
    """All names at a worker, by game."""

    worker: str
    names: dict[str, list[str]]


class NicknameChange(Struct, frozen=True, tag="named", array_like=True):
    """A name that somebody has got, or has given back."""

    worker: str
    game: str
    name: str
    taken: bool


class SpectatorCountMessage(Struct, frozen=True, tag="crowd", array_like=True):
    """How many look on at a table by a worker."""

    worker: str
    room: RoomId
    count: int


class LobbyChatMessage(Struct, frozen=True, tag="line", array_like=True):
    """What somebody calls across a foyer."""

    foyer: str
    at: Millis
    name: str
    text: str


_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(
    NicknamesRequest | NicknameList | NicknameChange | SpectatorCountMessage | LobbyChatMessage
)


class WorkerMessages:
    """Passes on what is said here, and hears what is said elsewhere."""

    def __init__(
        self,
        circle: Replicas,
        bus: Bus,
        executor: CommandExecutor,
        lobby: RoomListFeed,
        parlour: LegacyLobby,
        foyer: LobbyChat,
    ) -> None:
        self._bus = bus
        self._executor = executor
        self._lobby = lobby
        self._crowds: dict[RoomId, int] = {}
        self._parlour = parlour
        self._foyer = foyer
        self._crew: frozenset[str] = frozenset()
        lobby.touched.append(self._gathered)
        executor.room_listeners.append(self._changed)
        parlour.nicknames.named = self._named
        foyer.called = self._called
        circle.told = self._heard
        circle.crewed.append(self._met)

    def _named(self, game: str, name: str, taken: bool) -> None:
        self._bus.broadcast(_encode(NicknameChange(self._bus.worker, game, name, taken)))

    def _gathered(self, live: LiveRoom) -> None:
        """Tell how many look on by this worker, if they are more or fewer than before."""
        room, count = live.durable.id, len(live.members) - len(live.holders)
        if live.durable.table.public and count != self._crowds.get(room, 0):
            self._bus.broadcast(_encode(SpectatorCountMessage(self._bus.worker, room, count)))
            if count:
                self._crowds[room] = count
            else:
                del self._crowds[room]

    def _changed(self, live: LiveRoom, _before: AnyRoom) -> None:
        if live.durable.phase is CLOSED:
            self._crowds.pop(live.durable.id, None)

    def _called(self, foyer: str, line: LobbyChatLine) -> None:
        self._bus.broadcast(_encode(LobbyChatMessage(foyer, line.at, line.name, line.text)))

    def _met(self, crew: frozenset[str]) -> None:
        """Forget the names of workers that are gone; ask if there is one that was not there."""
        if crew != self._crew:
            new, self._crew = crew - self._crew, crew
            self._parlour.nicknames.outlive(crew)
            for live in list(self._executor.live_rooms.values()):
                for worker in live.remote_spectators.keys() - crew:
                    self._crowded(live, worker, 0)
            if new - {self._bus.worker}:
                self._bus.broadcast(_encode(NicknamesRequest()))
        if not crew:
            # We were out of reach: others may have names by now that are ours.
            self._parlour.nicknames.confirm()

    def _crowded(self, live: LiveRoom, worker: str, count: int) -> None:
        if count:
            live.remote_spectators[worker] = count
        else:
            live.remote_spectators.pop(worker, None)
        self._lobby.touch(live)

    def _heard(self, note: bytes) -> None:
        try:
            said = _decoder.decode(note)
        except MsgspecError:
            # Another release says something that this one does not know.
            return
        match said:
            case NicknamesRequest():
                self._bus.broadcast(_encode(NicknameList(self._bus.worker, self._parlour.nicknames.here())))
                for room, count in self._crowds.items():
                    self._bus.broadcast(_encode(SpectatorCountMessage(self._bus.worker, room, count)))
            case SpectatorCountMessage():
                if (live := self._executor.live_rooms.get(said.room)) is not None:
                    self._crowded(live, said.worker, said.count)
            case NicknameList():
                self._parlour.nicknames.meet(said.worker, said.names)
            case NicknameChange():
                self._parlour.nicknames.note(said.worker, said.game, said.name, taken=said.taken)
            case LobbyChatMessage():
                self._foyer.spread(said.foyer, LobbyChatLine(said.at, said.name, said.text))
