"""Challenges: an account opens an unlisted room and invites another to it, for a minute.

Every worker keeps all open challenges in memory, and finds by the room itself when one is accepted or
withdrawn. The challenger never learns whether the other is online, invisible, or has blocked the challenger:
in all these cases the challenge ends without an answer.
"""

from functools import partial
from typing import Final, Literal, Protocol

from msgspec import MsgspecError
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import Account
from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.api_tokens.bot_seating import challenge_refusal
from qipai.hall.cluster.cluster_mode import ClusterMode
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Identity
from qipai.hall.people.person_quota import Quota
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, Nonce, Person, RoomId
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import seat_of
from qipai.kernel.view_values import clock_plan_view
from qipai.protocol import intents
from qipai.protocol.dialect_interface import AnyNotice
from qipai.protocol.notices import ChallengeEnded, ChallengeMade, Refused

from .challenge_messages import ChallengeDeclined, OpenChallenge, decode_message, encode_message
from .relation_interface import ChallengesFrom
from .relations import Relations

LIFETIME: Final = 60_000
"""Milliseconds after which a challenge ends without an answer."""
CHALLENGES: Final = 6
WINDOW: Final = 60_000
"""Challenges that one account may make in so many milliseconds."""
MOST_SEEN: Final = 5
"""Challenges that one account is shown at a time; it does not see further ones."""

Reason = Literal["accepted", "declined", "expired", "withdrawn"]


class RoomAccess(Protocol):
    """Opens rooms for connections."""

    async def open(self, connection: Connection, intent: intents.OpenRoom, now: Millis) -> None:
        """Open a room and give the connection a seat in it, or refuse."""


class Challenges:
    """Makes challenges, and sends them to the connections of both players on this worker."""

    def __init__(
        self,
        executor: CommandExecutor,
        services: AccountServices,
        mode: ClusterMode,
        identity: Identity,
        inbox: Inbox,
        access: RoomAccess,
    ) -> None:
        self._executor = executor
        self._services = services
        self._known = services.known_relations
        self._identity = identity
        self._access = access
        self._broadcast = mode.broadcast
        self._quota = Quota(mode.counters, "challenges", CHALLENGES, WINDOW)
        self._open: dict[RoomId, OpenChallenge] = {}
        self._opening: set[tuple[Person, Person]] = set()
        """Pairs whose room is being opened."""
        self.handlers: Handlers = {
            intents.ChallengePlayer: inbox.handler(self._challenge),
            intents.DeclineChallenge: self._decline,
        }
        executor.room_listeners.append(self._room_changed)
        executor.replication.listeners.broadcasts.append(self._receive)
        services.change_listeners.append(self._relations_changed)
        services.welcome_listeners.append(self._welcomed)

    def __len__(self) -> int:
        return len(self._open)

    # Making challenges

    async def _challenge(self, connection: Connection, intent: intents.ChallengePlayer, now: Millis) -> None:
        wanted, person = intent.open, connection.person
        assert person is not None
        room = self._identity.room_id(person, wanted.nonce)
        own, other = self._services.directory.account(person), self._services.find(intent.name)
        relations = self._services.relations
        if relations is None or not connection.signed_in or own is None:
            _refuse(connection, Refusal.ACCOUNT_NEEDED, wanted.nonce)
        elif other is None:
            _refuse(connection, Refusal.NO_SUCH_PLAYER, wanted.nonce)
        elif refused := challenge_refusal(connection, other, rated=wanted.table.rated):
            _refuse(connection, refused, wanted.nonce)
        elif self._executor.live_rooms.get(room) is not None:
            # Sent again after a lost connection: the challenge was made, and may have ended since.
            await self._access.open(connection, wanted, now)
        elif (refusal := self._refusal(person, other.person, wanted)) is not None:
            _refuse(connection, refusal, wanted.nonce)
        else:
            self._opening.add((person, other.person))
            try:
                if await self._quota.spend(connection, now):
                    await self._open_and_invite(connection, relations, own, other, wanted, now)
                else:
                    _refuse(connection, Refusal.RATE_LIMITED, wanted.nonce)
            finally:
                self._opening.discard((person, other.person))

    def _refusal(self, person: Person, other: Person, wanted: intents.OpenRoom) -> Refusal | None:
        """Return why a person cannot challenge another, as far as the person may know."""
        game = self._executor.games.get(wanted.game)
        if game is None:
            return Refusal.NO_SUCH_GAME
        others = game.rules.seats - 1
        if person == other or other in self._known.blocked(person):
            return Refusal.NOT_ALLOWED
        if wanted.bot and (wanted.bots or others) >= others:
            return Refusal.ROOM_FULL
        if self._known.privacy(other).challenges_from is ChallengesFrom.NOBODY:
            return Refusal.NO_CHALLENGES
        # What the other has sent unseen is as if it did not exist.
        stands = (person, other) in self._opening or any(
            (each.challenger, each.challenged) == (person, other)
            or (each.seen and (each.challenger, each.challenged) == (other, person))
            for each in self._open.values()
        )
        return Refusal.CHALLENGE_STANDS if stands else None

    async def _open_and_invite(
        self,
        connection: Connection,
        relations: Relations,
        own: Account,
        other: Account,
        wanted: intents.OpenRoom,
        now: Millis,
    ) -> None:
        try:
            # Asked in any case: the time of the answer does not tell what the other has chosen.
            is_followed = await relations.follows(other.person, own.person)
        except StoreError:
            _refuse(connection, Refusal.UNAVAILABLE, wanted.nonce)
            return
        unlisted = replace(wanted, table=replace(wanted.table, public=False))
        await self._access.open(connection, unlisted, now)
        live = self._executor.live_rooms.get(self._identity.room_id(own.person, wanted.nonce))
        if live is None or not await self._executor.journal.written():
            return
        room = live.durable
        if room.phase is not Phase.WAITING or seat_of(room.seats, own.person) is None:
            return
        invitation = ChallengeMade(
            room.id,
            own.name,
            room.game,
            room.options,
            Millis(self._executor.now() + LIFETIME),
            clock_plan_view(room.table.clock),
            room.table.rated,
        )
        seen = self._is_seen(own.person, other.person, is_followed=is_followed)
        challenge = OpenChallenge(own.person, other.person, other.name, seen, invitation)
        self._add(challenge)
        self._broadcast(encode_message(challenge))

    def _is_seen(self, person: Person, other: Person, *, is_followed: bool) -> bool:
        """Tell whether a person sees a challenge of another; `is_followed`: the person follows that one."""
        privacy = self._known.privacy(other)
        if self._known.is_blocked(person, other):
            return False
        if (privacy.invisible or privacy.challenges_from is ChallengesFrom.FOLLOWED) and not is_followed:
            return False
        waiting = sum(each.challenged == other and each.seen for each in self._open.values())
        return waiting < MOST_SEEN

    # Ends of challenges

    def _decline(self, connection: Connection, intent: intents.DeclineChallenge, now: Millis) -> None:
        challenge = self._open.get(intent.room)
        if challenge is None or not challenge.seen or challenge.challenged != connection.person:
            connection.send_notice(Refused(Refusal.NOT_ASKED, intent.room))
            return
        self._declined(challenge)
        self._broadcast(encode_message(ChallengeDeclined(challenge.room)))

    def _declined(self, challenge: OpenChallenge) -> None:
        if self._known.privacy(challenge.challenged).invisible:
            # An answer would tell that an invisible person is here.
            self._hide(challenge, "declined")
        else:
            self._end(challenge, "declined")

    def _hide(self, challenge: OpenChallenge, reason: Reason) -> None:
        """End a challenge for the challenged person; for the challenger it stays open without an answer."""
        if challenge.seen:
            self._open[challenge.room] = replace(challenge, seen=False)
            self._send(challenge.challenged, ChallengeEnded(challenge.room, reason))

    def _end(self, challenge: OpenChallenge, reason: Reason) -> None:
        self._open.pop(challenge.room, None)
        self._executor.alarms.clear(("challenge", challenge.room))
        ended = ChallengeEnded(challenge.room, reason)
        self._send(challenge.challenger, ended)
        if challenge.seen:
            self._send(challenge.challenged, ended)

    def _expire(self, room: RoomId) -> None:
        if (challenge := self._open.get(room)) is not None:
            self._end(challenge, "expired")

    def _room_changed(self, live: LiveRoom, _before: AnyRoom) -> None:
        challenge = self._open.get(live.durable.id) if self._open else None
        if challenge is None:
            return
        room = live.durable
        seat = seat_of(room.seats, challenge.challenger)
        taken = None if seat is None else room.seats[seat]
        if seat_of(room.seats, challenge.challenged) is not None:
            self._end(challenge, "accepted")
        elif room.phase is not Phase.WAITING or taken is None or taken.disconnected_at is not None:
            self._end(challenge, "withdrawn")

    def _relations_changed(self, person: Person) -> None:
        """Hide the challenges of those whom somebody has just blocked."""
        for challenge in tuple(self._open.values()):
            if challenge.challenged == person and challenge.challenger in self._known.blocked(person):
                self._hide(challenge, "withdrawn")

    # Both players

    def _add(self, challenge: OpenChallenge) -> None:
        self._open[challenge.room] = challenge
        expire = partial(self._expire, challenge.room)
        self._executor.alarms.set(("challenge", challenge.room), challenge.notice.expires, expire)
        self._send(challenge.challenger, challenge.outgoing)
        if challenge.seen:
            self._send(challenge.challenged, challenge.notice)

    def _welcomed(self, connection: Connection) -> None:
        for challenge in self._open.values():
            if challenge.challenger == connection.person:
                connection.send_notice(challenge.outgoing)
            elif challenge.seen and challenge.challenged == connection.person:
                connection.send_notice(challenge.notice)

    def _send(self, person: Person, notice: AnyNotice) -> None:
        for connection in self._services.online.connections(person):
            connection.send_notice(notice)

    def _receive(self, body: bytes) -> None:
        """Apply a message of another worker."""
        try:
            message = decode_message(body)
        except MsgspecError:
            return  # Another part of the hall knows it.
        match message:
            case OpenChallenge():
                self._add(message)
                if (live := self._executor.live_rooms.get(message.room)) is not None:
                    # It may have ended before the message came.
                    self._room_changed(live, live.durable)
            case ChallengeDeclined():
                if (challenge := self._open.get(message.room)) is not None:
                    self._declined(challenge)


def _refuse(connection: Connection, code: Refusal, nonce: Nonce) -> None:
    connection.send_notice(Refused(code, nonce=nonce))
