"""Where peers arrive: who they are, what they ask for, and when the hall opens and closes."""

import asyncio
import secrets
from collections.abc import Mapping
from time import monotonic_ns, time_ns
from typing import Final

from qipai.games.registry import Game
from qipai.kernel import talk
from qipai.kernel.names import Millis, Person
from qipai.kernel.rules import Refusal
from qipai.kernel.talk import Denied, GameCard, Intent, Pong, Welcome

from .alarms import Alarms
from .bots import Bots
from .host import Host
from .identity import Guest, Identity, name_of
from .incidents import Incidents
from .lobby import Lobby
from .ports import Entropy, Now, Store, StoreError
from .presence import Presence
from .sessions import BROKEN, RESTARTING, Connection, Deeds
from .tables import Tables

BEAT: Final = 1_000
SWEEP: Final = 20_000
GOODBYE: Final = 50
"""How many times 20 ms a stopping server waits for peers to close their side."""


def steady_clock() -> Now:
    """Return a clock in Unix milliseconds that never goes backwards while the process lives."""
    offset = time_ns() - monotonic_ns()
    return lambda: Millis((offset + monotonic_ns()) // 1_000_000)


class Reception:
    """The hall as the transports see it."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        now: Now | None = None,
        entropy: Entropy = secrets.token_bytes,
        bot_pause: int = 600,
    ) -> None:
        self.now = now or steady_clock()
        self.incidents = Incidents()
        self.alarms = Alarms(self.now)
        self.host = Host(games, store, self.alarms, self.incidents, self.now, entropy)
        self.presence = Presence(self.host)
        self.lobby = Lobby(self.host, lambda: len(self.people))
        self.bots = Bots(self.host, entropy, bot_pause)
        self.identity = Identity(store.secret(), entropy)
        self.peers: set[Connection] = set()
        self.people: dict[Person, int] = {}
        self.draining = False
        self.frames = 0
        self._store = store
        self._inbox: list[tuple[Connection, bytes | None]] = []
        self._cards = tuple(
            GameCard(game.name, game.rules.seats, tuple(game.bots)) for game in games.values()
        )
        tables = Tables(self.host, self.presence, self.lobby, self.identity, store)
        self._deeds: Deeds = {
            **tables.deeds,
            talk.Hello: self._hello,
            talk.Lobby: self._lobby,
            talk.Ping: self._ping,
        }
        self.strangers: Deeds = {
            **dict.fromkeys(tables.deeds, _hello_first),
            talk.Hello: self._hello,
            talk.Lobby: _hello_first,
            talk.Ping: self._ping,
        }

    # Life

    def start(self) -> int:
        """Load the living rooms and begin to keep time; return how many rooms there are."""
        count = self.host.recover()
        for box in list(self.host.boxes.values()):
            self.bots.look(box)
        self._beat()
        self._sweep()
        return count

    async def stop(self) -> None:
        """Tell everybody, write everything, and stop."""
        self.draining = True
        down = self.now()
        for peer in list(self.peers):
            peer.outbox.close(RESTARTING, "the server restarts, come back in a moment")
        self.alarms.close()
        self.lobby.close()
        self.bots.close()
        await self.host.journal.close()
        for _ in range(GOODBYE):
            if self.peers:
                await asyncio.sleep(0.02)
        try:
            self._store.beat(down)
            self._store.close()
        except StoreError as error:
            self.incidents.store_broke(error)

    def _beat(self) -> None:
        now = self.now()
        try:
            self._store.beat(now)
        except StoreError as error:
            self.incidents.store_broke(error)
        self.alarms.set("beat", Millis(now + BEAT), self._beat)

    def _sweep(self) -> None:
        """Find peers that have not been heard of since the last sweep but one."""
        for peer in list(self.peers):
            if not peer.heard:
                peer.outbox.abort()
            else:
                peer.heard = False
                peer.outbox.ping()
        self.alarms.set("sweep", Millis(self.now() + SWEEP), self._sweep)

    # Peers

    def welcome(self, peer: Connection) -> None:
        """A peer has connected."""
        if self.draining:
            peer.outbox.close(RESTARTING, "the server restarts, come back in a moment")
        self.peers.add(peer)

    def gone(self, peer: Connection) -> None:
        """A peer is no longer connected."""
        self.peers.discard(peer)
        self.lobby.unfollow(peer)
        if peer.person is not None:
            self._count(peer.person, -1)
        if self.draining:
            return
        for room in list(peer.places):
            if (box := self.host.boxes.get(room)) is not None:
                self.presence.leave(box, peer)
                self.lobby.touch(box)

    def arrived(self, peer: Connection, frame: bytes | None) -> None:
        """Take a frame from the socket, or None when the socket is gone.

        It is heard in its turn, when all that can be read now has been read. Reading,
        hearing, writing and telling in four sweeps makes the groups of the journal.
        """
        if not self._inbox:
            asyncio.get_running_loop().call_soon(self._sweep_inbox)
        self._inbox.append((peer, frame))

    def _sweep_inbox(self) -> None:
        arrived, self._inbox = self._inbox, []
        now = self.now()
        self.frames += len(arrived)
        for peer, frame in arrived:
            peer.receive(frame, now)
        self.host.journal.write()

    def broke(self, peer: Connection, error: Exception) -> None:
        """Something of ours failed while a peer was heard; it learns a number and nothing else."""
        if isinstance(error, StoreError):
            self.incidents.store_broke(error)
            peer.tell(Denied(Refusal.UNAVAILABLE))
            return
        incident = self.incidents.peer(error)
        peer.tell(Denied(Refusal.INTERNAL, incident=incident))
        peer.outbox.close(BROKEN, incident)

    def _count(self, person: Person, by: int) -> None:
        self.people[person] = self.people.get(person, 0) + by
        if not self.people[person]:
            del self.people[person]
        self.lobby.stir()

    def _hello(self, peer: Connection, intent: talk.Hello, now: Millis) -> None:
        if intent.v != talk.PROTOCOL:
            peer.tell(Denied(Refusal.VERSION, about=f"this server speaks version {talk.PROTOCOL}"))
            return
        guest = self.identity.read(intent.token) if intent.token else None
        if guest is None and peer.person is not None:
            guest = Guest(peer.person, peer.name)
        if guest is None:
            guest = self.identity.guest()
        if intent.name:
            name = name_of(intent.name)
            if name is None:
                peer.tell(Denied(Refusal.BAD_NAME))
                if peer.person is not None:
                    return
            else:
                guest = Guest(guest.person, name)
        if peer.person not in {None, guest.person}:
            peer.tell(Denied(Refusal.NOT_ALLOWED))
            return
        if peer.person is None:
            self._count(guest.person, 1)
            peer.deeds = self._deeds
        peer.person, peer.name = guest
        rooms = tuple(sorted(self.host.seats_of.get(guest.person, ())))
        token = self.identity.token(guest)
        peer.tell(Welcome(talk.PROTOCOL, token, guest.name, now, self._cards, rooms))

    # Looking around

    def _lobby(self, peer: Connection, intent: talk.Lobby, now: Millis) -> None:
        if intent.on:
            self.lobby.follow(peer)
        else:
            self.lobby.unfollow(peer)

    def _ping(self, peer: Connection, intent: talk.Ping, now: Millis) -> None:
        peer.tell(Pong(intent.n, now))


def _hello_first(peer: Connection, _intent: Intent, _now: Millis) -> None:
    peer.tell(Denied(Refusal.HELLO_FIRST))
