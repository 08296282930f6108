"""Moving a seat to another device: a ticket that the one asks for and the other brings."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import place
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
        host: CommandExecutor,
        identity: Identity,
        find: Callable[[Connection, str, Callable[[LiveRoom], None]], None],
        later: Callable[[LiveRoom, Connection, Retry], bool],
        arrive: Callable[[LiveRoom, Connection], None],
        room_for: Callable[[Connection, str], bool],
    ) -> None:
        self._host = host
        self._identity = identity
        self._find = find
        self._later = later
        self._arrive = arrive
        self._room_for = room_for
        self.deeds: Handlers = {intents.RequestSeatTransfer: self._hand, intents.ClaimSeat: self._take}

    def _hand(self, peer: Connection, intent: intents.RequestSeatTransfer, now: Millis) -> None:
        found = place(self._host, peer, intent.room, intent.nonce)
        if found is None:
            return
        box, seat = found
        chair = box.latest.seats[seat] if seat != SPECTATOR else None
        if chair is None or chair.person != peer.person:
            peer.tell(Refused(Refusal.NOT_SEATED, box.latest.id, intent.nonce))
            return
        expires = Millis(now + LIFE)
        ticket = self._identity.ticket(
            SeatPass(box.latest.id, seat, chair.person, chair.since, chair.transfers, expires)
        )
        peer.tell(TransferTicket(box.latest.id, ticket, expires, intent.nonce))

    def _take(self, peer: Connection, intent: intents.ClaimSeat, now: Millis) -> None:
        shown = self._identity.read_ticket(intent.ticket)
        if shown is None:
            peer.tell(Refused(Refusal.BAD_TICKET, nonce=intent.nonce))
        elif self._host.sharing is None and shown.room not in self._host.live_rooms:
            peer.tell(Refused(Refusal.NO_SUCH_ROOM, shown.room, intent.nonce))
        else:
            self._find(peer, shown.room, lambda box: self._bring(box, peer, shown, intent.nonce, now))

    def _bring(self, box: LiveRoom, peer: Connection, shown: SeatPass, nonce: Nonce, now: Millis) -> None:
        assert peer.person is not None
        if self._later(box, peer, partial(self._bring, box, peer, shown, nonce, now)):
            return
        chair = box.latest.seats[shown.seat]
        if chair is not None and chair.person == peer.person:
            # It is his already: he asked for it himself, or has brought the ticket before.
            self._host.journal.after(lambda failure: self._come(box, peer, nonce, failure))
        elif (
            chair is None
            or now >= shown.expires
            or (chair.person, chair.since, chair.transfers) != (shown.person, shown.since, shown.passed)
        ):
            peer.tell(Refused(Refusal.BAD_TICKET, shown.room, nonce))
        elif seat_of(box.latest.seats, peer.person) is not None:
            peer.tell(Refused(Refusal.NOT_ALLOWED, shown.room, nonce))
        elif self._room_for(peer, nonce):
            transfer = TransferSeat(shown.seat, shown.person, peer.person)
            # Who was quicker elsewhere may have used the ticket: then it is looked at anew.
            again = partial(self._bring, box, peer, shown, nonce, now)
            self._host.submit(box, SYSTEM, transfer, now, peer, nonce, again=again)
            self._host.seat_index.expect(peer.person, box.latest.id, self._host.journal)

    def _come(self, box: LiveRoom, peer: Connection, nonce: Nonce, failure: StoreError | None) -> None:
        if failure is not None:
            peer.tell(Refused(Refusal.UNAVAILABLE, box.durable.id, nonce))
        elif not peer.outbox.closed:
            self._arrive(box, peer)
