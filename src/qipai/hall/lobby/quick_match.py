"""Quick match: joins a public room that waits for a player, or opens one."""

import secrets
from collections.abc import Callable
from functools import partial

from qipai.games.game_registry import Game
from qipai.hall.background_tasks import Work
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.people.identity import Identity
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands, with_substitute_bot
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import Millis, Person
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.protocol import intents
from qipai.protocol.notices import Refused

from .room_list import RoomListFeed


class QuickMatch:
    """Finds an opponent: one search per game at a time, on all workers together."""

    def __init__(
        self,
        executor: CommandExecutor,
        room_list: RoomListFeed,
        identity: Identity,
        room_access: JoinLeaveCommands,
        inbox: Inbox,
    ) -> None:
        self._executor = executor
        self._room_list = room_list
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

    def waiting_room(self, person: Person, game: Game) -> LiveRoom | None:
        """Return the public room in which the person waits for an opponent."""
        for room in self._executor.seat_index.get(person, ()):
            live = self._executor.live_rooms[room]
            if live.game is game and live.latest.phase is Phase.WAITING and live.latest.table.public:
                return live
        return None

    def _match(self, connection: Connection, intent: intents.QuickMatch, now: Millis) -> None:
        game = self._executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME))
            return
        # A search of the same loop turn must be waiting in its room before this one looks for it.
        self.search(connection, game.name, partial(self._join_or_open, connection, game, intent, now))

    async def _join_or_open(
        self, connection: Connection, game: Game, intent: intents.QuickMatch, now: Millis
    ) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        own = self._running_room(connection.person, game) if intent.rejoin else None
        own = own or self.waiting_room(connection.person, game)
        if own is None and intent.rejoin and self._room_list.match_taken(game):
            connection.send_notice(Refused(Refusal.BUSY))
            return
        live = own or self._room_list.waiting_room(game.name, connection.person)
        if live is None:
            if not self._room_access.may_take_seat(connection, ""):
                return
            room_id = self._identity.room_id(connection.person, secrets.token_hex(8))
            table = with_substitute_bot(TableRules(), game)
            live = self._executor.open(game, room_id, game.read_chosen_options(None), table, now)
        again = partial(self._match, connection, intent, now)
        await self._room_access.take_seat(live, connection, None, intent.player_entropy, now, again)

    def _running_room(self, person: Person, game: Game) -> LiveRoom | None:
        live_rooms = [self._executor.live_rooms[room] for room in self._executor.seat_index.get(person, ())]
        running = [live for live in live_rooms if live.game is game and live.latest.phase is Phase.PLAYING]
        return max(running, key=lambda live: (live.latest.at, live.latest.id), default=None)
