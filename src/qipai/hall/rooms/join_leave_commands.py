"""Which table somebody is at: opening, joining, watching, coming back, leaving."""

import secrets
from collections.abc import Callable
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from qipai.clients import legacy_messages
from qipai.clients.legacy_messages import SpectatorNames
from qipai.clients.spectator_names import names
from qipai.games.game_registry import Game
from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.rate_limit import ROOMS_PER_PERSON
from qipai.hall.journal.store_interface import Conflict, Store, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.people.identity import Identity
from qipai.hall.people.presence import Presence
from qipai.hall.people.quota import Quota
from qipai.hall.people.reports import Reports
from qipai.hall.people.resume import Resume
from qipai.hall.people.seat_transfer import SeatTransfer
from qipai.kernel import commands
from qipai.kernel.codec import Malformed, tidy
from qipai.kernel.commands import MAX_TITLE, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Nonce, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.seats import seat_of
from qipai.protocol import dialect_interface, intents
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left, Refused

from .command_executor import CommandExecutor
from .game_commands import GameCommands, chosen, clock_fault, place
from .live_room import LiveRoom


def _nothing() -> None:
    """Do nothing more."""


class JoinLeaveCommands:
    """Checks who asks, finds the table, and passes the command on.

    Of the games named in `single` people play one match at a time: while one runs at a public table,
    `Match` with `back` and a rematch at another table are refused.
    """

    def __init__(
        self,
        host: CommandExecutor,
        presence: Presence,
        lobby: RoomListFeed,
        identity: Identity,
        store: Store,
        inbox: Inbox,
        lines: Quota,
        reports: Quota,
        single: frozenset[str],
    ) -> None:
        self.host = host
        self.presence = presence
        self.lobby = lobby
        self.identity = identity
        self._store = store
        self._single = single
        host.seated = self._seated
        plays = GameCommands(host, lines, self._taken)
        self.deeds: Handlers = {
            **plays.deeds,
            **SeatTransfer(host, identity, self.find, self.later, self.arrive, self._room_for).deeds,
            **Reports(host, reports).deeds,
            **Resume(host, inbox, self).deeds,
            intents.OpenRoom: self._open,
            intents.Join: self._join,
            intents.QuickMatch: self._match,
            intents.Leave: self._leave,
            dialect_interface.CloseRoom: self._quit,
            dialect_interface.RefuseFrame: self.bounce,
            legacy_messages.TakeOpenSeat: self._take_over,
            legacy_messages.JoinOrWatch: self._visit,
            legacy_messages.PairOrOpen: self._pair_any,
        }

    def _open(self, peer: Connection, intent: intents.OpenRoom, now: Millis) -> None:
        assert peer.person is not None
        room_id = self.identity.room_id(peer.person, intent.nonce)
        if (box := self.host.live_rooms.get(room_id)) is not None:
            self._take(box, peer, None, "", now)
            return
        game = self.host.games.get(intent.game)
        if game is None:
            peer.tell(Refused(Refusal.NO_SUCH_GAME, nonce=intent.nonce))
            return
        if any(bot and bot not in game.bots for bot in (intent.bot, intent.table.substitute_bot)):
            peer.tell(Refused(Refusal.NO_SUCH_BOT, nonce=intent.nonce))
            return
        # Where others write as well, the race for its first record decides.
        if self.host.sharing is None and self._store.load(room_id) is not None:
            peer.tell(Refused(Refusal.ROOM_CLOSED, room_id, intent.nonce))
            return
        if intent.seat is not None and intent.seat >= game.rules.seats:
            peer.tell(Refused(Refusal.OUT_OF_RANGE, nonce=intent.nonce))
            return
        try:
            options = game.options(None) if intent.options is UNSET else chosen(game, intent.options)
        except Malformed as error:
            peer.tell(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=str(error)))
            return
        if (wrong := clock_fault(intent.table.clock, game)) is not None:
            peer.tell(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=wrong))
            return
        if not self._room_for(peer, intent.nonce):
            return
        table = replace(intent.table, title=tidy(intent.table.title, MAX_TITLE))
        box = self.host.open(game, room_id, options, _with_standin(table, game), now)
        self._take(box, peer, intent.seat, intent.player_entropy, now)
        if intent.bot:
            self._seat_bots(box, intent.bot, intent.bots, now)

    def _seat_bots(self, box: LiveRoom, bot: str, most: int | None, now: Millis) -> None:
        """Give empty seats to a bot of this name: so many of them, or all."""
        seats = range(len(box.latest.seats))
        sitter = next((seat for seat in seats if box.latest.seats[seat] is not None), 0)
        others = [(sitter + step) % len(seats) for step in seats]
        for number in [seat for seat in others if box.latest.seats[seat] is None][:most]:
            sit = TakeSeat(Person(f"bot:{bot}:{number}"), bot.capitalize(), Seat(number), bot)
            self.host.submit(box, SYSTEM, sit, now)

    def _join(self, peer: Connection, intent: intents.Join, now: Millis) -> None:
        self.find(
            peer, intent.room, lambda box: self._take(box, peer, intent.seat, intent.player_entropy, now)
        )

    def _visit(self, peer: Connection, intent: legacy_messages.JoinOrWatch, now: Millis) -> None:
        if intent.watch:
            # A place that was asked for or left just before is had or gone first: the last one counts.
            self.host.journal.after(lambda _: self._come(peer, intent, now))
        else:
            self._come(peer, intent, now)

    def _come(self, peer: Connection, intent: legacy_messages.JoinOrWatch, now: Millis) -> None:
        if not peer.outbox.closed:
            self.find(peer, intent.room, lambda box: self._enter(peer, intent, box, now))

    def _enter(
        self, peer: Connection, intent: legacy_messages.JoinOrWatch, box: LiveRoom, now: Millis
    ) -> None:
        if box.game.name != intent.game:
            peer.tell(Refused(Refusal.NO_SUCH_ROOM, intent.room))
        elif intent.watch:
            self.arrive(box, peer)
        else:
            self._take_first(box, peer, now)

    def _pair_any(self, peer: Connection, intent: legacy_messages.PairOrOpen, now: Millis) -> None:
        # As in `_match`: whoever asked just before is waiting already.
        self._alone(intent.game, lambda: self._pair_with(peer, intent, now))

    def _pair_with(self, peer: Connection, intent: legacy_messages.PairOrOpen, now: Millis) -> None:
        assert peer.person is not None
        if peer.outbox.closed:
            return
        game = self.host.games[intent.game]
        box = self.lobby.waiting(game.name, peer.person, plain=False)
        mine = self._waiting_already(peer.person, game) if box is None else None
        if mine is not None and mine.durable.id in peer.rooms:
            self.arrive(mine, peer)
        elif box is not None:
            self._take_first(box, peer, now, partial(self._pair_any, peer, intent, now))
        else:
            once = Nonce(secrets.token_hex(8))
            self._open(peer, intents.OpenRoom(game.name, once, table=intent.table, seat=0), now)

    def _take_first(self, box: LiveRoom, peer: Connection, now: Millis, again: Retry | None = None) -> None:
        first = box.first(box.latest)
        self._take(box, peer, first if box.latest.seats[first] is None else None, "", now, again)

    def _match(self, peer: Connection, intent: intents.QuickMatch, now: Millis) -> None:
        game = self.host.games.get(intent.game)
        if game is None:
            peer.tell(Refused(Refusal.NO_SUCH_GAME))
            return
        # Whoever asked in the same turn of the loop must be waiting before this one looks.
        self._alone(game.name, lambda: self._pair(peer, game, intent, now))

    def _alone(self, game: str, work: Callable[[], None]) -> None:
        """Look for a table of a game when all that was asked before is done, here and elsewhere."""
        if self.host.sharing is None:
            self.host.journal.after(lambda _: work())
        else:
            self.host.sharing.exclusively(game, lambda: self.host.journal.after(lambda _: work()))

    def _pair(self, peer: Connection, game: Game, intent: intents.QuickMatch, now: Millis) -> None:
        assert peer.person is not None
        if peer.outbox.closed:
            return
        mine = self._playing_already(peer.person, game) if intent.rejoin else None
        mine = mine or self._waiting_already(peer.person, game)
        if mine is None and intent.rejoin and self._taken(game):
            peer.tell(Refused(Refusal.BUSY))
            return
        box = mine or self.lobby.waiting(game.name, peer.person)
        if box is None:
            if not self._room_for(peer, ""):
                return
            room_id = self.identity.room_id(peer.person, secrets.token_hex(8))
            box = self.host.open(game, room_id, game.options(None), _with_standin(TableRules(), game), now)
        self._take(box, peer, None, intent.player_entropy, now, partial(self._match, peer, intent, now))

    def _taken(self, game: Game, but: LiveRoom | None = None) -> bool:
        """Tell whether another table has the one match that the operator allows."""
        return game.name in self._single and self.lobby.busy(game.name, but)

    def _playing_already(self, person: Person, game: Game) -> LiveRoom | None:
        boxes = [self.host.live_rooms[room] for room in self.host.seat_index.get(person, ())]
        running = [box for box in boxes if box.game is game and box.latest.phase is Phase.PLAYING]
        return max(running, key=lambda box: (box.latest.at, box.latest.id), default=None)

    def _waiting_already(self, person: Person, game: Game) -> LiveRoom | None:
        for room in self.host.seat_index.get(person, ()):
            box = self.host.live_rooms[room]
            if box.game is game and box.latest.phase is Phase.WAITING and box.latest.table.public:
                return box
        return None

    def _room_for(self, peer: Connection, nonce: str) -> bool:
        assert peer.person is not None
        if self.host.journal.full:
            peer.tell(Refused(Refusal.UNAVAILABLE, nonce=nonce))
            return False
        if self.host.seat_index.total(peer.person) < ROOMS_PER_PERSON:
            return True
        peer.tell(Refused(Refusal.TOO_MANY_ROOMS, nonce=nonce))
        return False

    def find(
        self, peer: Connection, key: str, then: Callable[[LiveRoom], None], otherwise: Retry = _nothing
    ) -> None:
        """Find a table, at once if it is known here; `otherwise` is called after a refusal."""

        def refuse(code: Refusal) -> None:
            peer.tell(Refused(code, key))
            otherwise()

        def reached(box: LiveRoom | None) -> None:
            if box is None:
                refuse(Refusal.NO_SUCH_ROOM)
            elif peer.outbox.closed:
                otherwise()
            else:
                then(box)

        box = self.host.find(key)
        if box is not None:
            then(box)
        elif self.host.sharing is None:
            refuse(Refusal.NO_SUCH_ROOM)
        else:
            self.host.sharing.reach(key, reached, partial(refuse, Refusal.UNAVAILABLE))

    def later(
        self, box: LiveRoom, peer: Connection, again: Retry, version: int = 0, otherwise: Retry = _nothing
    ) -> bool:
        """Tell whether the table must be read first; then it is done `again` when that has happened."""
        if self.host.sharing is None or (not box.broken and box.durable.version >= version):
            return False

        def sorry() -> None:
            peer.tell(Refused(Refusal.UNAVAILABLE, box.durable.id))
            otherwise()

        self.host.sharing.wait(box, again, sorry)
        return True

    def _take(
        self,
        box: LiveRoom,
        peer: Connection,
        seat: int | None,
        luck: str,
        now: Millis,
        again: Retry | None = None,
    ) -> None:
        """Give the peer its seat: the one it has, or a new one."""
        assert peer.person is not None
        if self.later(box, peer, partial(self._take, box, peer, seat, luck, now, again)):
            return
        known = seat_of(box.latest.seats, peer.person)
        if known is not None and known == seat_of(box.durable.seats, peer.person):
            self.arrive(box, peer)
            return
        if known is None and not self._room_for(peer, ""):
            return
        place = None if seat is None else Seat(seat)
        if self.host.sharing is not None and peer.handle:
            self.host.sharing.announce(box, peer)
        sit = TakeSeat(
            peer.person,
            peer.name,
            place,
            player_entropy=bytes.fromhex(luck),
            sees_hidden=peer.dialect.sees_hidden,
            dated=True,
        )
        self.host.submit(box, SYSTEM, sit, now, peer, again=again)
        self.host.seat_index.expect(peer.person, box.latest.id, self.host.journal)

    def _take_over(self, peer: Connection, intent: legacy_messages.TakeOpenSeat, now: Millis) -> None:
        box = self.host.live_rooms.get(intent.room)
        if box is None:
            peer.tell(Refused(Refusal.NO_SUCH_ROOM, intent.room, intent.nonce))
            return
        if self.later(box, peer, partial(self._take_over, peer, intent, now)):
            return
        if not box.latest.table.open_seats:
            if not intent.token.isascii() or not self.identity.opens(
                intent.token, box.latest.id, intent.seat
            ):
                peer.tell(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
                return
            peer.person, peer.name = self.identity.sitter(box.latest.id, intent.seat)
        assert peer.person is not None
        if seat_of(box.durable.seats, peer.person) is not None:
            self.arrive(box, peer)
            return
        sit = TakeSeat(peer.person, peer.name, intent.seat, move=intent.move, dated=True)
        self.host.submit(box, SYSTEM, sit, now, peer, intent.nonce)

    def _seated(self, box: LiveRoom, peer: Connection) -> None:
        self.arrive(box, peer, new=True)
        if peer.outbox.closed:
            peer.run_intents(peer.dialect.on_disconnect(), self.host.now())
            self.presence.leave(box, peer)

    def arrive(self, box: LiveRoom, peer: Connection, *, quietly: bool = False, new: bool = False) -> None:
        """Put the peer at the table, in its seat or as a watcher, and show it."""
        assert peer.person is not None
        if self.later(box, peer, partial(self.arrive, box, peer, quietly=quietly, new=new)):
            return
        seat = seat_of(box.durable.seats, peer.person)
        if seat is not None and seat_of(box.latest.seats, peer.person) is None:
            # He has stood up, and it is not written yet.
            seat = None
        if seat is None and not box.durable.table.spectators:
            peer.tell(Refused(Refusal.NO_SPECTATORS, box.durable.id))
            return
        viewer = SPECTATOR if seat is None else seat
        room = box.durable.id
        for other, holder in box.holders.items():
            peer.tell(SeatHeld(room, other, holder.handle))
        for there in box.remote_members.values():
            if there.viewer != SPECTATOR:
                peer.tell(SeatHeld(room, there.viewer, there.handle))
        if seat is not None:
            peer.tell(SeatHeld(room, seat, peer.handle, new))
        if peer.dialect.encoding_key is None:
            peer.tell(SpectatorNames(room, names(box, peer if seat is None else None)))
        if not quietly:
            self.host.show(box, peer, viewer)
        self.presence.enter(box, peer, viewer)
        self.lobby.touch(box)

    def _leave(self, peer: Connection, intent: intents.Leave, now: Millis) -> None:
        found = place(self.host, peer, intent.room, "")
        if found is None:
            return
        box, viewer = found
        self.presence.leave(box, peer)
        if viewer != SPECTATOR:
            self.host.submit(box, viewer, commands.LeaveSeat(), now)
        self.lobby.touch(box)
        self.host.journal.after(partial(self._left, box, peer), box.latest.id)

    def _left(self, box: LiveRoom, peer: Connection, failure: StoreError | None) -> None:
        # Who lost a race to another worker is led out by the next try.
        if failure is None or isinstance(failure, Conflict):
            peer.tell(Left(box.durable.id))
        elif not peer.outbox.closed:
            peer.tell(Refused(Refusal.UNAVAILABLE, box.durable.id))
            self.arrive(box, peer)

    def _quit(self, peer: Connection, intent: dialect_interface.CloseRoom, now: Millis) -> None:
        box, viewer = self.host.live_rooms.get(intent.room), peer.rooms.get(intent.room)
        if box is None or viewer is None:
            return
        self.presence.leave(box, peer)
        if viewer != SPECTATOR:
            self.host.submit(box, SYSTEM, commands.Close(), now)
        self.lobby.touch(box)

    def bounce(self, peer: Connection, intent: dialect_interface.RefuseFrame, now: Millis) -> None:
        """Refuse what the dialect found wrong, once all that was asked before has been done."""
        self.host.journal.after(lambda _: peer.tell(Refused(intent.code, nonce=intent.nonce)))


def _with_standin(table: TableRules, game: Game) -> TableRules:
    """Return a table where nobody forfeits because a bot goes on for whoever is gone, if one does."""
    standin = table.substitute_bot or game.standin
    return replace(table, substitute_bot=standin, disconnect_timeout=0) if standin else table
