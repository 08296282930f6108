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
from qipai.kernel.codec import Malformed, read, tidy
from qipai.kernel.commands import Command
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.phrases import Phrase
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import acting as acting_at
from qipai.protocol import dialect_interface, intents
from qipai.protocol.notices import Refused

from .command_executor import CommandExecutor
from .live_room import LiveRoom


class GameCommands:
    """Checks who asks and where he is, and passes the command on.

    `taken` tells whether another table has the one match that the operator allows.
    """

    def __init__(self, host: CommandExecutor, lines: Quota, taken: Callable[[Game, LiveRoom], bool]) -> None:
        self.host = host
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

    def _play(self, peer: Connection, intent: intents.Play, now: Millis) -> None:
        room = intent.room
        box, viewer = self.host.live_rooms.get(room), peer.rooms.get(room)
        if box is None or viewer is None:
            place(self.host, peer, room, intent.nonce)
            return
        try:
            move = box.game.decode_move(intent.move)
        except (MsgspecError, UnicodeDecodeError) as error:
            peer.tell(Refused(Refusal.BAD_MOVE, room, intent.nonce, str(error)[:200]))
            return
        self.host.submit(box, viewer, commands.Play(move), now, peer, intent.nonce, intent.at_version)

    def _act(self, peer: Connection, intent: dialect_interface.PlayDecoded, now: Millis) -> None:
        room = intent.room
        box, viewer = self.host.live_rooms.get(room), peer.rooms.get(room)
        if box is None or viewer is None:
            place(self.host, peer, room, intent.nonce)
            return
        self.host.submit(box, viewer, intent.move, now, peer, intent.nonce, intent.at_version)

    def _anyone(self, peer: Connection, intent: legacy_messages.PlayAnySeat, now: Millis) -> None:
        found = place(self.host, peer, intent.room, intent.nonce)
        if found is None:
            return
        box, room = found[0], found[0].latest
        acting = acting_at(box.rules, room)
        if not room.table.open_seats or len(acting) < len(room.seats):
            code = Refusal.NOT_YOUR_TURN if room.table.open_seats else Refusal.NOT_SEATED
            self.host.journal.after(lambda _: peer.tell(Refused(code, room.id, intent.nonce)))
            return
        self.host.submit(box, acting[0], commands.Play(intent.move), now, peer, intent.nonce)

    def _propose(self, peer: Connection, intent: intents.MakeOffer, now: Millis) -> None:
        box = self.host.live_rooms.get(RoomId(intent.room))
        if box is not None and intent.kind is OfferKind.REMATCH and self._taken(box.game, box):
            peer.tell(Refused(Refusal.BUSY, intent.room, intent.nonce))
            return
        self._command(peer, intent, commands.MakeOffer(intent.kind), now)

    def _reply(self, peer: Connection, intent: intents.AnswerOffer, now: Millis) -> None:
        self._command(peer, intent, commands.AnswerOffer(intent.offer, intent.yes), now)

    def _take_back(self, peer: Connection, intent: intents.WithdrawOffer, now: Millis) -> None:
        self._command(peer, intent, commands.WithdrawOffer(intent.offer), now)

    def _begin(self, peer: Connection, intent: intents.StartGame, now: Millis) -> None:
        found = place(self.host, peer, intent.room, intent.nonce)
        if found is None:
            return
        box, viewer = found
        room = box.latest
        try:
            options = room.options if intent.options is UNSET else chosen(box.game, intent.options)
        except Malformed as error:
            peer.tell(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, str(error)))
            return
        plan = room.table.clock if intent.clock is UNSET else intent.clock
        if plan is not room.table.clock and (wrong := clock_fault(plan, box.game)) is not None:
            peer.tell(Refused(Refusal.BAD_OPTIONS, room.id, intent.nonce, wrong))
            return
        self.host.submit(box, viewer, commands.StartGame(options, plan), now, peer, intent.nonce)

    def _launch(self, peer: Connection, intent: legacy_messages.StartGameWith, now: Millis) -> None:
        found = place(self.host, peer, intent.room, intent.nonce)
        if found is not None:
            start = commands.StartGame(intent.options, intent.clock, intent.host_data)
            self.host.submit(found[0], found[1], start, now, peer, intent.nonce)

    def _hand(self, peer: Connection, intent: legacy_messages.RelayNote, now: Millis) -> None:
        # What was asked for before is done first.
        self.host.journal.after(lambda _: self._handed(peer, intent))

    def _handed(self, peer: Connection, intent: legacy_messages.RelayNote) -> None:
        box, seat = self.host.live_rooms.get(intent.room), peer.rooms.get(intent.room)
        if box is not None and seat is not None and seat != SPECTATOR:
            for holder in box.holders.values():
                if holder is not peer:
                    holder.tell(NoteRelayed(intent.room, seat, intent.note))
            if self.host.sharing is not None:
                self.host.sharing.hand(NoteRelayed(intent.room, seat, intent.note))

    def _give_up(self, peer: Connection, intent: intents.Resign, now: Millis) -> None:
        self._command(peer, intent, commands.Resign(), now)

    def _speak(self, peer: Connection, intent: intents.Say, now: Millis) -> None:
        text = "" if intent.phrase else tidy(intent.text, MAX_LINE)
        if not text and not intent.phrase:
            peer.tell(Refused(Refusal.EMPTY, intent.room, intent.nonce))
        elif intent.phrase and not self._knows(intent.room, intent.phrase):
            peer.tell(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
        else:
            say = commands.Say(text, peer.name, intent.phrase)
            granted = partial(self._command, peer, intent, say, now)
            self._lines.spend(peer, now, granted, partial(self._said_enough, peer, intent, now))

    def _said_enough(self, peer: Connection, intent: intents.Say, now: Millis) -> None:
        if not peer.rate_limit.quiet or peer.rate_limit.warn(now):
            peer.tell(Refused(Refusal.RATE_LIMITED, intent.room, intent.nonce))

    def _knows(self, room: str, phrase: Phrase) -> bool:
        """Tell whether the phrase belongs to the game of this table, if there is one."""
        box = self.host.live_rooms.get(RoomId(room))
        return box is None or phrase in box.game.phrases

    def _quiet(self, peer: Connection, intent: intents.SetPhrasesOnly, now: Millis) -> None:
        self._command(peer, intent, commands.SetPhrasesOnly(intent.on), now)

    def _command(
        self,
        peer: Connection,
        intent: intents.MakeOffer
        | intents.AnswerOffer
        | intents.WithdrawOffer
        | intents.Resign
        | intents.Say
        | intents.SetPhrasesOnly,
        command: Command,
        now: Millis,
    ) -> None:
        found = place(self.host, peer, intent.room, intent.nonce)
        if found is not None:
            self.host.submit(found[0], found[1], command, now, peer, intent.nonce)


def place(host: CommandExecutor, peer: Connection, room: str, nonce: str) -> tuple[LiveRoom, Seat] | None:
    """Return the table and the peer's place at it, or refuse."""
    box = host.live_rooms.get(RoomId(room))
    if box is None:
        peer.tell(Refused(Refusal.NO_SUCH_ROOM, room, nonce))
        return None
    viewer = peer.rooms.get(box.latest.id)
    if viewer is None:
        peer.tell(Refused(Refusal.NOT_IN_ROOM, room, nonce))
        return None
    return box, viewer


def chosen(game: Game, raw: Raw) -> Any:
    """Return the options somebody chose, or raise `Malformed`."""
    return game.options(read(msgspec.json.decode, bytes(raw)))


def clock_fault(plan: ClockPlan | None, game: Game) -> str | None:
    """Return what is wrong with a table's clock, if anything."""
    if plan is None:
        return None
    if len(plan.main) not in {1, game.rules.seats}:
        return f"clock.main has {len(plan.main)} entries, not 1 or {game.rules.seats}"
    return None if limited(plan) else "the clock limits nobody"
