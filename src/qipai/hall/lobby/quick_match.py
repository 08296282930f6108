"""Quick match: joins a public room that waits for a player, or opens one."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET

from qipai.games.game import Game
from qipai.hall.background_tasks import Work
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.people.identity import Identity
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import clock_fault, read_options
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands, with_substitute_bot
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.rated_tables import may_open
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import Millis, Person
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.view_values import clock_plan_of
from qipai.protocol import intents
from qipai.protocol.notices import Refused

from .rated_pairing import PlayerRatings, RatedPairing
from .waiting_rooms import MatchKey, WaitingRooms, key_of, match_key


class QuickMatch:
    """Finds an opponent: one search per game at a time, on all workers together."""

    def __init__(
        self,
        executor: CommandExecutor,
        waiting_rooms: WaitingRooms,
        ratings: PlayerRatings,
        identity: Identity,
        room_access: JoinLeaveCommands,
        inbox: Inbox,
    ) -> None:
        self._executor = executor
        self.waiting_rooms = waiting_rooms
        self._rated_pairing = RatedPairing(executor, waiting_rooms, ratings)
        self._identity = identity
        self._room_access = room_access
        self._inbox = inbox
        self.handlers: Handlers = {intents.QuickMatch: self._match}

    def search(self, connection: Connection, game: str, work: Callable[[], Work]) -> None:
        """Search rooms of a game alone on all workers, once all earlier commands are durable."""
        alone = partial(self._alone, game, work)
        self._executor.journal.after(lambda _failure: self._inbox.run(connection, alone))

    async def _alone(self, game: str, work: Callable[[], Work]) -> None:
        async with self._executor.replication.exclusive(game):
            await work()

    def waiting_room(self, person: Person, game: Game, wanted: MatchKey | None = None) -> LiveRoom | None:
        """Return the public room in which the person waits for an opponent; `wanted`: by these rules."""
        for live in self._rooms_of(person):
            room = live.latest
            if (
                live.game is game
                and room.phase is Phase.WAITING
                and room.table.public
                and (wanted is None or wanted == key_of(room))
            ):
                return live
        return None

    def _match(self, connection: Connection, intent: intents.QuickMatch, now: Millis) -> None:
        game = self._executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME))
            return
        if (refusal := self._room_access.bots.people_only_refusal(connection)) is not None:
            connection.send_notice(Refused(refusal))
            return
        clock = clock_plan_of(intent.clock)
        try:
            options = (
                game.quick_match_options if intent.options is UNSET else read_options(game, intent.options)
            )
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, about=str(error)))
            return
        if (fault := clock_fault(clock, game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, about=fault))
            return
        table = with_substitute_bot(
            TableRules(clock=clock, undo_allowed=not intent.rated, rated=intent.rated), game
        )
        if not may_open(self._room_access.sanctions, connection, game, options, table):
            return
        # A search of the same loop turn must be waiting in its room before this one looks for it.
        work = partial(self._join_or_open, connection, game, intent, options, table, now)
        self.search(connection, game.name, work)

    async def _join_or_open(
        self,
        connection: Connection,
        game: Game,
        intent: intents.QuickMatch,
        options: Any,
        table: TableRules,
        now: Millis,
    ) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        own = self._running_room(connection.person, game) if intent.rejoin else None
        wanted = match_key(game.name, options, table.clock, rated=table.rated)
        own = own or self.waiting_room(connection.person, game, wanted)
        if own is None and intent.rejoin and self.waiting_rooms.match_taken(game):
            connection.send_notice(Refused(Refusal.BUSY))
            return
        live = own or self._opponent(connection.person, game, options, table)
        if live is None:
            if not await self._room_access.may_open_room(connection, "", now):
                return
            room_id = self._identity.room_id(connection.person, secrets.token_hex(8))
            live = self._executor.open(game, room_id, options, table, now)
            live.opened_from = connection.address
        again = partial(self._match, connection, intent, now)
        await self._room_access.take_seat(live, connection, None, intent.player_entropy, now, again)

    def _opponent(self, person: Person, game: Game, options: Any, table: TableRules) -> LiveRoom | None:
        if table.rated and table.clock is not None:
            return self._rated_pairing.find(game, options, table.clock, person, self._executor.now())
        return self.waiting_rooms.find(match_key(game.name, options, table.clock), person)

    def _running_room(self, person: Person, game: Game) -> LiveRoom | None:
        running = [
            live
            for live in self._rooms_of(person)
            if live.game is game and live.latest.phase is Phase.PLAYING
        ]
        return max(running, key=lambda live: (live.latest.at, live.latest.id), default=None)

    def _rooms_of(self, person: Person) -> list[LiveRoom]:
        rooms = tuple(self._executor.seat_index.get(person, ()))
        return [live for room in rooms if (live := self._executor.replication.live_room(room)) is not None]
