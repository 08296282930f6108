"""Handles intents that only older clients send: visit, pair, take an open seat, start with data, relay."""

import secrets
from functools import partial

import msgspec
from msgspec import MsgspecError

from qipai.hall.client_interface import HallServices
from qipai.hall.cluster.replication_interface import Callback
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel import commands
from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Nonce
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import seats_to_act
from qipai.kernel.seats import seat_of
from qipai.protocol import intents
from qipai.protocol.notices import Refused

from .connection_recovery.seat_return import SeatReturn
from .legacy_messages import (
    BecomeGuest,
    JoinOrWatch,
    NoteRelayed,
    PairOrOpen,
    PlayAnySeat,
    RelayNote,
    StartGameWith,
    TakeOpenSeat,
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(NoteRelayed).decode


class LegacyIntentHandlers:
    """Checks the request, finds the room, and submits the command."""

    def __init__(self, hall: HallServices, seat_return: SeatReturn) -> None:
        self._hall = hall
        self._seat_return = seat_return
        self._executor = hall.executor
        self.handlers: Handlers = {
            BecomeGuest: self._become_guest,
            JoinOrWatch: self._join_or_watch,
            PairOrOpen: self._pair_or_open,
            PlayAnySeat: self._play_any_seat,
            RelayNote: self._relay_note,
            StartGameWith: self._start_game,
            TakeOpenSeat: hall.inbox.handler(self._take_open_seat),
        }
        self.handlers_before_hello: Handlers = {BecomeGuest: self._become_guest}

    def _become_guest(self, connection: Connection, _intent: BecomeGuest, now: Millis) -> None:
        if connection.person is None:
            self._hall.admission.admit_new(connection, self._hall.identity.guest(), now)

    # Entering rooms

    def _join_or_watch(self, connection: Connection, intent: JoinOrWatch, now: Millis) -> None:
        work = partial(self._enter, connection, intent, now)
        if intent.watch:
            # A seat that was asked for or left just before is had or gone first: the last request counts.
            self._executor.journal.after(lambda _failure: self._hall.inbox.run(connection, work))
        else:
            self._hall.inbox.run(connection, work)

    async def _enter(self, connection: Connection, intent: JoinOrWatch, now: Millis) -> None:
        if connection.outbox.closed:
            return
        live = await self._hall.room_access.find(connection, intent.room)
        if live is None:
            return
        unknown_options = intent.default_options and live.latest.options != live.rules.option_type()
        if live.game.name != intent.game or unknown_options:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, intent.room))
        elif await self._seat_return.take_back(live, connection):
            return
        elif intent.watch:
            await self._hall.room_access.arrive(live, connection)
        else:
            await self._take_first_seat(live, connection, now)

    def _pair_or_open(self, connection: Connection, intent: PairOrOpen, now: Millis) -> None:
        work = partial(self._pair, connection, intent, now)
        self._hall.quick_match.search(connection, intent.game, work)

    async def _pair(self, connection: Connection, intent: PairOrOpen, now: Millis) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        game = self._executor.games[intent.game]
        live = self._hall.quick_match.waiting_rooms.find_any(game.name, connection.person)
        own = self._hall.quick_match.waiting_room(connection.person, game) if live is None else None
        if own is not None and own.durable.id in connection.rooms:
            await self._hall.room_access.arrive(own, connection)
        elif live is not None:
            again = partial(self._pair_or_open, connection, intent, now)
            await self._take_first_seat(live, connection, now, again)
        else:
            nonce = Nonce(secrets.token_hex(8))
            opened = intents.OpenRoom(game.name, nonce, table=intent.table, seat=0)
            await self._hall.room_access.open(connection, opened, now)

    async def _take_first_seat(
        self, live: LiveRoom, connection: Connection, now: Millis, again: Callback | None = None
    ) -> None:
        """Take the seat that begins the game if it is free, otherwise any."""
        first = live.first(live.latest)
        seat = first if live.latest.seats[first] is None else None
        await self._hall.room_access.take_seat(live, connection, seat, "", now, again)

    async def _take_open_seat(self, connection: Connection, intent: TakeOpenSeat, now: Millis) -> None:
        try:
            live = self._executor.replication.live_room(intent.room)
        except StoreError:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, intent.room, intent.nonce))
            return
        if live is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, intent.room, intent.nonce))
            return
        if not await self._hall.room_access.ready(live, connection):
            return
        identity = self._hall.identity
        if not live.latest.table.legacy.open_seats:
            if not intent.token.isascii() or not identity.is_seat_token(
                intent.token, live.latest.id, intent.seat
            ):
                connection.send_notice(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
                return
            connection.person, connection.name = identity.seat_guest(live.latest.id, intent.seat)
        assert connection.person is not None
        if seat_of(live.durable.seats, connection.person) is not None:
            await self._hall.room_access.arrive(live, connection)
            return
        take = TakeSeat(connection.person, connection.name, intent.seat, move=intent.move)
        self._executor.submit(live, SYSTEM, take, now, connection, intent.nonce)

    # Playing

    def _play_any_seat(self, connection: Connection, intent: PlayAnySeat, now: Millis) -> None:
        found = self._hall.room_access.room_of(connection, intent.room, intent.nonce)
        if found is None:
            return
        live, room = found[0], found[0].latest
        seats = seats_to_act(live.rules, room)
        if not room.table.legacy.open_seats or len(seats) < len(room.seats):
            code = Refusal.NOT_YOUR_TURN if room.table.legacy.open_seats else Refusal.NOT_SEATED
            self._executor.journal.after(
                lambda _: connection.send_notice(Refused(code, room.id, intent.nonce))
            )
            return
        self._executor.submit(live, seats[0], commands.Play(intent.move), now, connection, intent.nonce)

    def _start_game(self, connection: Connection, intent: StartGameWith, now: Millis) -> None:
        found = self._hall.room_access.room_of(connection, intent.room, intent.nonce)
        if found is not None:
            start = commands.StartGame(intent.options, intent.clock, intent.host_data)
            self._executor.submit(found[0], found[1], start, now, connection, intent.nonce)

    def _relay_note(self, connection: Connection, intent: RelayNote, now: Millis) -> None:
        # Earlier commands take effect first.
        self._executor.journal.after(lambda _: self._relay(connection, intent))

    def _relay(self, connection: Connection, intent: RelayNote) -> None:
        live, seat = self._executor.live_rooms.get(intent.room), connection.rooms.get(intent.room)
        if live is None or seat is None or seat == SPECTATOR:
            return
        note = NoteRelayed(intent.room, seat, intent.note)
        for holder in live.holders.values():
            if holder is not connection:
                holder.send_notice(note)
        self._executor.replication.send_room_message(intent.room, _encode(note))

    def receive_note(self, live: LiveRoom, body: bytes) -> None:
        """Deliver a note of a player on another worker; one of another release is ignored."""
        try:
            note = _decode(body)
        except MsgspecError:
            return
        for seat, holder in live.holders.items():
            if seat != note.seat:
                holder.send_notice(note)
