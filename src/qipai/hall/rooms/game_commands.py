"""What a player does in a room: moves, offers and their answers, resigning, starting a game."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, MsgspecError, Raw

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.kernel import commands
from qipai.kernel.clock import ClockPlan, limited
from qipai.kernel.codec import Malformed, decode_frame
from qipai.kernel.commands import Command
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.view_values import clock_plan_of
from qipai.protocol import dialect_interface, intents
from qipai.protocol.notices import Refused

from .command_executor import CommandExecutor
from .live_room import LiveRoom

PlayerIntent = (
    intents.MakeOffer
    | intents.AnswerOffer
    | intents.WithdrawOffer
    | intents.Resign
    | intents.Say
    | intents.SetPhrasesOnly
)


class GameCommands:
    """Checks that the connection is in the room, and submits the command.

    `match_taken` tells whether another room has the one match that the operator allows.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        match_taken: Callable[[Game, LiveRoom], bool],
        sanctions: SanctionChecks,
    ) -> None:
        self._sanctions = sanctions
        self._executor = executor
        self._match_taken = match_taken
        self.handlers: Handlers = {
            intents.Play: self._play,
            dialect_interface.PlayDecoded: self._play_decoded,
            intents.MakeOffer: self._make_offer,
            intents.AnswerOffer: self._answer_offer,
            intents.WithdrawOffer: self._withdraw_offer,
            intents.StartGame: self._start_game,
            intents.Resign: self._resign,
        }

    def _play(self, connection: Connection, intent: intents.Play, now: Millis) -> None:
        room = intent.room
        live, viewer = self._executor.live_rooms.get(room), connection.rooms.get(room)
        if live is None or viewer is None:
            room_of(self._executor, connection, room, intent.nonce)
            return
        try:
            move = live.game.decode_move(intent.move)
        except (MsgspecError, UnicodeDecodeError) as error:
            connection.send_notice(Refused(Refusal.BAD_MOVE, room, intent.nonce, str(error)[:200]))
            return
        command = commands.Play(move) if live.latest.clock is None else commands.Play(move, connection.lag)
        self._executor.submit(live, viewer, command, now, connection, intent.nonce, intent.at_version)

    def _play_decoded(
        self, connection: Connection, intent: dialect_interface.PlayDecoded, now: Millis
    ) -> None:
        room = intent.room
        live, viewer = self._executor.live_rooms.get(room), connection.rooms.get(room)
        if live is None or viewer is None:
            room_of(self._executor, connection, room, intent.nonce)
            return
        self._executor.submit(live, viewer, intent.move, now, connection, intent.nonce, intent.at_version)

    def _make_offer(self, connection: Connection, intent: intents.MakeOffer, now: Millis) -> None:
        live = self._executor.live_rooms.get(RoomId(intent.room))
        if live is not None and intent.kind is OfferKind.REMATCH and self._match_taken(live.game, live):
            connection.send_notice(Refused(Refusal.BUSY, intent.room, intent.nonce))
            return
        if intent.kind is OfferKind.REMATCH and self._refuses_rematch(connection, intent):
            return
        submit_command(self._executor, connection, intent, commands.MakeOffer(intent.kind), now)

    def _answer_offer(self, connection: Connection, intent: intents.AnswerOffer, now: Millis) -> None:
        live = self._executor.live_rooms.get(RoomId(intent.room))
        offers = () if live is None or not intent.yes else live.latest.offers
        rematch = any(each.id == intent.offer and each.kind is OfferKind.REMATCH for each in offers)
        if rematch and self._refuses_rematch(connection, intent):
            return
        command = commands.AnswerOffer(intent.offer, intent.yes)
        submit_command(self._executor, connection, intent, command, now)

    def _refuses_rematch(
        self, connection: Connection, intent: intents.MakeOffer | intents.AnswerOffer
    ) -> bool:
        """Refuse another game at a rated table to somebody who may not play there."""
        live = self._executor.live_rooms.get(RoomId(intent.room))
        rated = live is not None and live.latest.table.rated
        return rated and self._sanctions.refuses_unrated(connection, intent.room, intent.nonce)

    def _withdraw_offer(self, connection: Connection, intent: intents.WithdrawOffer, now: Millis) -> None:
        submit_command(self._executor, connection, intent, commands.WithdrawOffer(intent.offer), now)

    def _start_game(self, connection: Connection, intent: intents.StartGame, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, viewer = found
        room = live.latest
        try:
            options = room.options if intent.options is UNSET else read_options(live.game, intent.options)
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, str(error)))
            return
        plan = room.table.clock if intent.clock is UNSET else clock_plan_of(intent.clock)
        if plan is not room.table.clock and (fault := clock_fault(plan, live.game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, fault))
            return
        self._executor.submit(live, viewer, commands.StartGame(options, plan), now, connection, intent.nonce)

    def _resign(self, connection: Connection, intent: intents.Resign, now: Millis) -> None:
        submit_command(self._executor, connection, intent, commands.Resign(), now)


def submit_command(
    executor: CommandExecutor, connection: Connection, intent: PlayerIntent, command: Command, now: Millis
) -> None:
    """Submit a command of the connection's seat in the room of the intent, or refuse it."""
    found = room_of(executor, connection, intent.room, intent.nonce)
    if found is not None:
        executor.submit(found[0], found[1], command, now, connection, intent.nonce)


def room_of(
    executor: CommandExecutor, connection: Connection, room: str, nonce: str
) -> tuple[LiveRoom, Seat] | None:
    """Return the room and the connection's seat or spectator number in it, or refuse."""
    try:
        live = executor.replication.live_room(RoomId(room))
    except StoreError:
        connection.send_notice(Refused(Refusal.UNAVAILABLE, room, nonce))
        return None
    if live is None:
        connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, room, nonce))
        return None
    viewer = connection.rooms.get(live.latest.id)
    if viewer is None:
        connection.send_notice(Refused(Refusal.NOT_IN_ROOM, room, nonce))
        return None
    return live, viewer


def read_options(game: Game, raw: Raw) -> Any:
    """Return the options of the game, or raise `Malformed`."""
    return game.read_chosen_options(decode_frame(msgspec.json.decode, bytes(raw)))


def clock_fault(plan: ClockPlan | None, game: Game) -> str | None:
    """Return what is wrong with the clock of a room, if anything."""
    if plan is None:
        return None
    if len(plan.main) not in {1, game.rules.seats}:
        return f"clock.main has {len(plan.main)} entries, not 1 or {game.rules.seats}"
    return None if limited(plan) else "the clock has no time limit"
