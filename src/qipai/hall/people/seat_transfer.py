"""Moves a seat to another device with a one-time ticket."""

from functools import partial
from typing import Final, Protocol

from qipai.hall.api_tokens.bot_seating import BotSeating
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import room_of
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.rated_tables import needs_account
from qipai.kernel.commands import TransferSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Nonce
from qipai.kernel.refusals import Refusal
from qipai.kernel.seats import seat_of
from qipai.protocol import intents
from qipai.protocol.notices import Refused, TransferTicket

from .identity import Identity, SeatPass

LIFETIME: Final = 5 * 60 * 1000
"""Milliseconds for which a ticket is valid."""


class RoomAccess(Protocol):
    """Finds, reads and enters rooms; each refuses by itself."""

    @property
    def bots(self) -> BotSeating:
        """Return who may take seats by other ways than to join."""

    async def find(self, connection: Connection, key: str, nonce: str = "") -> LiveRoom | None:
        """Return a room by id or code, or refuse and return None."""

    async def ready(self, live: LiveRoom, connection: Connection) -> bool:
        """Tell whether the room takes commands; refuse if not."""

    async def arrive(self, live: LiveRoom, connection: Connection) -> None:
        """Make the connection a member of the room."""

    def may_take_seat(self, connection: Connection, nonce: str) -> bool:
        """Tell whether the person may have one more seat; refuse if not."""


class SeatTransfer:
    """Issues tickets and accepts them."""

    def __init__(
        self, executor: CommandExecutor, identity: Identity, inbox: Inbox, access: RoomAccess
    ) -> None:
        self._executor = executor
        self._identity = identity
        self._inbox = inbox
        self._access = access
        self.handlers: Handlers = {
            intents.RequestSeatTransfer: self._issue,
            intents.ClaimSeat: inbox.handler(self._claim),
        }

    def _issue(self, connection: Connection, intent: intents.RequestSeatTransfer, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        if self._is_refused(connection, intent.nonce):
            return
        live, seat = found
        taken = live.latest.seats[seat] if seat != SPECTATOR else None
        if taken is None or taken.person != connection.person:
            connection.send_notice(Refused(Refusal.NOT_SEATED, live.latest.id, intent.nonce))
            return
        expires = Millis(now + LIFETIME)
        ticket = self._identity.ticket(
            SeatPass(live.latest.id, seat, taken.person, taken.since, taken.transfers, expires)
        )
        connection.send_notice(TransferTicket(live.latest.id, ticket, expires, intent.nonce))

    async def _claim(self, connection: Connection, intent: intents.ClaimSeat, now: Millis) -> None:
        if self._is_refused(connection, intent.nonce):
            return
        ticket = self._identity.read_ticket(intent.ticket)
        if ticket is None:
            connection.send_notice(Refused(Refusal.BAD_TICKET, nonce=intent.nonce))
            return
        live = await self._access.find(connection, ticket.room, intent.nonce)
        if live is not None:
            await self._transfer(live, connection, ticket, intent.nonce, now)

    def _is_refused(self, connection: Connection, nonce: Nonce) -> bool:
        """Refuse programs: a person must not play on in the seat of one, nor the other way round."""
        refusal = self._access.bots.people_only_refusal(connection)
        if refusal is not None:
            connection.send_notice(Refused(refusal, nonce=nonce))
        return refusal is not None

    async def _transfer(
        self, live: LiveRoom, connection: Connection, ticket: SeatPass, nonce: Nonce, now: Millis
    ) -> None:
        assert connection.person is not None
        if not await self._access.ready(live, connection):
            return
        taken = live.latest.seats[ticket.seat]
        if taken is not None and taken.person == connection.person:
            # The seat is theirs already: they asked for the ticket, or have used it before.
            await self._arrive(live, connection, nonce)
        elif (
            taken is None
            or now >= ticket.expires
            or (taken.person, taken.since, taken.transfers) != (ticket.person, ticket.since, ticket.passed)
        ):
            connection.send_notice(Refused(Refusal.BAD_TICKET, ticket.room, nonce))
        elif needs_account(live.latest, connection):
            connection.send_notice(Refused(Refusal.ACCOUNT_NEEDED, ticket.room, nonce))
        elif live.latest.table.rated or seat_of(live.latest.seats, connection.person) is not None:
            # All devices of an account are the same person: nobody else plays on in a rated game.
            connection.send_notice(Refused(Refusal.NOT_ALLOWED, ticket.room, nonce))
        elif self._access.may_take_seat(connection, nonce):
            transfer = TransferSeat(ticket.seat, ticket.person, connection.person)
            # A worker that committed first may have accepted the ticket: then it is checked again.
            check = partial(self._transfer, live, connection, ticket, nonce, now)
            again = partial(self._inbox.run, connection, check)
            self._executor.submit(live, SYSTEM, transfer, now, connection, nonce, again=again)
            self._executor.seat_index.expect(connection.person, live.latest.id, self._executor.journal)

    async def _arrive(self, live: LiveRoom, connection: Connection, nonce: Nonce) -> None:
        if not await self._executor.journal.written():
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id, nonce))
        elif not connection.outbox.closed:
            await self._access.arrive(live, connection)
