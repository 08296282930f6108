"""Moving a seat to another device: a ticket that the one asks for and the other brings."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import room_of
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TransferSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Nonce
from qipai.kernel.refusals import Refusal
from qipai.kernel.seats import seat_of
from qipai.protocol import intents
from qipai.protocol.notices import Refused, TransferTicket

from .identity import Identity, SeatPass

LIFE: Final = 5 * 60 * 1000
"""Milliseconds that a ticket is good for."""


class SeatTransfer:
    """Makes tickets and takes them.

    `find` finds a table; `later` does something again when it has been read, if that must be first. `arrive`
    puts a peer into its seat; `room_for` tells whether he may have one more, and refuses.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        identity: Identity,
        find: Callable[[Connection, str, Callable[[LiveRoom], None]], None],
        later: Callable[[LiveRoom, Connection, Retry], bool],
        arrive: Callable[[LiveRoom, Connection], None],
        room_for: Callable[[Connection, str], bool],
    ) -> None:
        self._executor = executor
        self._identity = identity
        self._find = find
        self._later = later
        self._arrive = arrive
        self._room_for = room_for
        self.handlers: Handlers = {intents.RequestSeatTransfer: self._hand, intents.ClaimSeat: self._take}

    def _hand(self, connection: Connection, intent: intents.RequestSeatTransfer, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, seat = found
        taken = live.latest.seats[seat] if seat != SPECTATOR else None
        if taken is None or taken.person != connection.person:
            connection.send_notice(Refused(Refusal.NOT_SEATED, live.latest.id, intent.nonce))
            return
        expires = Millis(now + LIFE)
        ticket = self._identity.ticket(
            SeatPass(live.latest.id, seat, taken.person, taken.since, taken.transfers, expires)
        )
        connection.send_notice(TransferTicket(live.latest.id, ticket, expires, intent.nonce))

    def _take(self, connection: Connection, intent: intents.ClaimSeat, now: Millis) -> None:
        shown = self._identity.read_ticket(intent.ticket)
        if shown is None:
            connection.send_notice(Refused(Refusal.BAD_TICKET, nonce=intent.nonce))
        elif self._executor.replication is None and shown.room not in self._executor.live_rooms:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, shown.room, intent.nonce))
        else:
            self._find(
                connection, shown.room, lambda live: self._bring(live, connection, shown, intent.nonce, now)
            )

    def _bring(
        self, live: LiveRoom, connection: Connection, shown: SeatPass, nonce: Nonce, now: Millis
    ) -> None:
        assert connection.person is not None
        if self._later(live, connection, partial(self._bring, live, connection, shown, nonce, now)):
            return
        taken = live.latest.seats[shown.seat]
        if taken is not None and taken.person == connection.person:
            # It is his already: he asked for it himself, or has brought the ticket before.
            self._executor.journal.after(lambda failure: self._come(live, connection, nonce, failure))
        elif (
            taken is None
            or now >= shown.expires
            or (taken.person, taken.since, taken.transfers) != (shown.person, shown.since, shown.passed)
        ):
            connection.send_notice(Refused(Refusal.BAD_TICKET, shown.room, nonce))
        elif seat_of(live.latest.seats, connection.person) is not None:
            connection.send_notice(Refused(Refusal.NOT_ALLOWED, shown.room, nonce))
        elif self._room_for(connection, nonce):
            transfer = TransferSeat(shown.seat, shown.person, connection.person)
            # Who was quicker elsewhere may have used the ticket: then it is looked at anew.
            again = partial(self._bring, live, connection, shown, nonce, now)
            self._executor.submit(live, SYSTEM, transfer, now, connection, nonce, again=again)
            self._executor.seat_index.expect(connection.person, live.latest.id, self._executor.journal)

    def _come(self, live: LiveRoom, connection: Connection, nonce: Nonce, failure: StoreError | None) -> None:
        if failure is not None:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id, nonce))
        elif not connection.outbox.closed:
            self._arrive(live, connection)
