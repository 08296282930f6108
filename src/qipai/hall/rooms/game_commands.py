"""What a seat does at its table: moves, offers, answers, resigning, speaking, beginning a game."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, MsgspecError, Raw

from qipai.clients import legacy_messages
from qipai.clients.legacy_messages import NoteRelayed
from qipai.games.game_registry import Game
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.people.quota import Quota
from qipai.kernel import commands
from qipai.kernel.chat import MAX_LINE
from qipai.kernel.clock import ClockPlan, limited
from qipai.kernel.codec import Malformed, clean_line, decode_frame
from qipai.kernel.commands import Command
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.phrases import Phrase
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import seats_to_act as acting_at
from qipai.protocol import dialect_interface, intents
from qipai.protocol.notices import Refused

from .command_executor import CommandExecutor
from .live_room import LiveRoom


class GameCommands:
    """Checks who asks and where he is, and passes the command on.

    `taken` tells whether another table has the one match that the operator allows.
    """

    def __init__(
        self, executor: CommandExecutor, lines: Quota, taken: Callable[[Game, LiveRoom], bool]
    ) -> None:
        self.executor = executor
        self._lines = lines
        self._taken = taken
        self.deeds: Handlers = {
            intents.Play: self._play,
            dialect_interface.PlayDecoded: self._act,
            intents.MakeOffer: self._propose,
            intents.AnswerOffer: self._reply,
            intents.WithdrawOffer: self._take_back,
            intents.StartGame: self._begin,
            intents.Resign: self._give_up,
            intents.Say: self._speak,
            intents.SetPhrasesOnly: self._quiet,
            legacy_messages.PlayAnySeat: self._anyone,
            legacy_messages.StartGameWith: self._launch,
            legacy_messages.RelayNote: self._hand,
        }

    def _play(self, connection: Connection, intent: intents.Play, now: Millis) -> None:
        room = intent.room
        live, viewer = self.executor.live_rooms.get(room), connection.rooms.get(room)
        if live is None or viewer is None:
            place(self.executor, connection, room, intent.nonce)
            return
        try:
            move = live.game.decode_move(intent.move)
        except (MsgspecError, UnicodeDecodeError) as error:
            connection.send_notice(Refused(Refusal.BAD_MOVE, room, intent.nonce, str(error)[:200]))
            return
        self.executor.submit(
            live, viewer, commands.Play(move), now, connection, intent.nonce, intent.at_version
        )

    def _act(self, connection: Connection, intent: dialect_interface.PlayDecoded, now: Millis) -> None:
        room = intent.room
        live, viewer = self.executor.live_rooms.get(room), connection.rooms.get(room)
        if live is None or viewer is None:
            place(self.executor, connection, room, intent.nonce)
            return
        self.executor.submit(live, viewer, intent.move, now, connection, intent.nonce, intent.at_version)

    def _anyone(self, connection: Connection, intent: legacy_messages.PlayAnySeat, now: Millis) -> None:
        found = place(self.executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, room = found[0], found[0].latest
        acting = acting_at(live.rules, room)
        if not room.table.legacy.open_seats or len(acting) < len(room.seats):
            code = Refusal.NOT_YOUR_TURN if room.table.legacy.open_seats else Refusal.NOT_SEATED
            self.executor.journal.after(
                lambda _: connection.send_notice(Refused(code, room.id, intent.nonce))
            )
            return
        self.executor.submit(live, acting[0], commands.Play(intent.move), now, connection, intent.nonce)

    def _propose(self, connection: Connection, intent: intents.MakeOffer, now: Millis) -> None:
        live = self.executor.live_rooms.get(RoomId(intent.room))
        if live is not None and intent.kind is OfferKind.REMATCH and self._taken(live.game, live):
            connection.send_notice(Refused(Refusal.BUSY, intent.room, intent.nonce))
            return
        self._command(connection, intent, commands.MakeOffer(intent.kind), now)

    def _reply(self, connection: Connection, intent: intents.AnswerOffer, now: Millis) -> None:
        self._command(connection, intent, commands.AnswerOffer(intent.offer, intent.yes), now)

    def _take_back(self, connection: Connection, intent: intents.WithdrawOffer, now: Millis) -> None:
        self._command(connection, intent, commands.WithdrawOffer(intent.offer), now)

    def _begin(self, connection: Connection, intent: intents.StartGame, now: Millis) -> None:
        found = place(self.executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, viewer = found
        room = live.latest
        try:
            options = room.options if intent.options is UNSET else chosen(live.game, intent.options)
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, str(error)))
            return
        plan = room.table.clock if intent.clock is UNSET else intent.clock
        if plan is not room.table.clock and (wrong := clock_fault(plan, live.game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, wrong))
            return
        self.executor.submit(live, viewer, commands.StartGame(options, plan), now, connection, intent.nonce)

    def _launch(self, connection: Connection, intent: legacy_messages.StartGameWith, now: Millis) -> None:
        found = place(self.executor, connection, intent.room, intent.nonce)
        if found is not None:
            start = commands.StartGame(intent.options, intent.clock, intent.host_data)
            self.executor.submit(found[0], found[1], start, now, connection, intent.nonce)

    def _hand(self, connection: Connection, intent: legacy_messages.RelayNote, now: Millis) -> None:
        # What was asked for before is done first.
        self.executor.journal.after(lambda _: self._handed(connection, intent))

    def _handed(self, connection: Connection, intent: legacy_messages.RelayNote) -> None:
        live, seat = self.executor.live_rooms.get(intent.room), connection.rooms.get(intent.room)
        if live is not None and seat is not None and seat != SPECTATOR:
            for holder in live.holders.values():
                if holder is not connection:
                    holder.send_notice(NoteRelayed(intent.room, seat, intent.note))
            if self.executor.replication is not None:
                self.executor.replication.hand(NoteRelayed(intent.room, seat, intent.note))

    def _give_up(self, connection: Connection, intent: intents.Resign, now: Millis) -> None:
        self._command(connection, intent, commands.Resign(), now)

    def _speak(self, connection: Connection, intent: intents.Say, now: Millis) -> None:
        text = "" if intent.phrase else clean_line(intent.text, MAX_LINE)
        if not text and not intent.phrase:
            connection.send_notice(Refused(Refusal.EMPTY, intent.room, intent.nonce))
        elif intent.phrase and not self._knows(intent.room, intent.phrase):
            connection.send_notice(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
        else:
            say = commands.Say(text, connection.name, intent.phrase)
            granted = partial(self._command, connection, intent, say, now)
            self._lines.spend(connection, now, granted, partial(self._said_enough, connection, intent, now))

    def _said_enough(self, connection: Connection, intent: intents.Say, now: Millis) -> None:
        if not connection.rate_limit.quiet or connection.rate_limit.warn(now):
            connection.send_notice(Refused(Refusal.RATE_LIMITED, intent.room, intent.nonce))

    def _knows(self, room: str, phrase: Phrase) -> bool:
        """Tell whether the phrase belongs to the game of this table, if there is one."""
        live = self.executor.live_rooms.get(RoomId(room))
        return live is None or phrase in live.game.phrases

    def _quiet(self, connection: Connection, intent: intents.SetPhrasesOnly, now: Millis) -> None:
        self._command(connection, intent, commands.SetPhrasesOnly(intent.on), now)

    def _command(
        self,
        connection: Connection,
        intent: intents.MakeOffer
        | intents.AnswerOffer
        | intents.WithdrawOffer
        | intents.Resign
        | intents.Say
        | intents.SetPhrasesOnly,
        command: Command,
        now: Millis,
    ) -> None:
        found = place(self.executor, connection, intent.room, intent.nonce)
        if found is not None:
            self.executor.submit(found[0], found[1], command, now, connection, intent.nonce)


def place(
    executor: CommandExecutor, connection: Connection, room: str, nonce: str
) -> tuple[LiveRoom, Seat] | None:
    """Return the table and the peer's place at it, or refuse."""
    live = executor.live_rooms.get(RoomId(room))
    if live is None:
        connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, room, nonce))
        return None
    viewer = connection.rooms.get(live.latest.id)
    if viewer is None:
        connection.send_notice(Refused(Refusal.NOT_IN_ROOM, room, nonce))
        return None
    return live, viewer


def chosen(game: Game, raw: Raw) -> Any:
    """Return the options somebody chose, or raise `Malformed`."""
    return game.options(decode_frame(msgspec.json.decode, bytes(raw)))


def clock_fault(plan: ClockPlan | None, game: Game) -> str | None:
    """Return what is wrong with a table's clock, if anything."""
    if plan is None:
        return None
    if len(plan.main) not in {1, game.rules.seats}:
        return f"clock.main has {len(plan.main)} entries, not 1 or {game.rules.seats}"
    return None if limited(plan) else "the clock limits nobody"
