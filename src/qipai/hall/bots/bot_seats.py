"""Seats played by the server: a bot gets its view after each step and answers with a command."""

import asyncio
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, NamedTuple

from qipai.hall.journal.store_interface import Entropy
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import AnswerOffer, Play
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import ABSENCE, TakenSeat, is_human

from .thinking_pool import ThinkingPool

TRIES: Final = 3
"""How often a thought is begun when its process dies each time."""
_WELCOME: Final = frozenset({OfferKind.REMATCH, OfferKind.UNDO, OfferKind.SWAP})


class BotSeat(NamedTuple):
    """A bot by its name, and from when on it plays."""

    bot: str
    since: Millis


class BotSeats:
    """Thinks outside the event loop; `pause` is how long a move seems to take, `engine` a program to ask."""

    def __init__(self, host: CommandExecutor, entropy: Entropy, pause: int, engine: str = "") -> None:
        self._host = host
        self._entropy = entropy
        self._pause = pause
        self._closed = False
        self._thinkers = ThinkingPool(engine)
        host.consult = self.look

    def close(self) -> None:
        """Think no more."""
        self._closed = True
        self._thinkers.close()

    def look(self, box: LiveRoom) -> None:
        """Let the bots of this table look at it and answer in their time."""
        room = box.durable
        for number, chair in enumerate(room.seats):
            played = player(room, chair)
            if chair is None or played is None:
                continue
            seat = Seat(number)
            for offer in room.offers:
                if seat in offer.asked and chair.bot:
                    answer = AnswerOffer(offer.id, offer.kind in _WELCOME)
                    self._host.submit(box, seat, answer, self._host.now())
            if room.phase is Phase.PLAYING and seat in box.rules.to_act(room.state):
                due = Millis(max(self._host.now() + self._pause, played.since))
                turn = partial(self._turn, box, seat, room.position_version)
                self._host.alarms.set(("bot", room.id, seat), due, turn)

    def _turn(self, box: LiveRoom, seat: Seat, turned: int, tries: int = TRIES) -> None:
        room = box.durable
        chair = room.seats[seat]
        played = player(room, chair)
        if room.position_version != turned or room.phase is not Phase.PLAYING or played is None:
            return
        bot = box.game.bots.get(played.bot)
        if bot is None or self._host.now() < played.since:
            return
        view = box.rules.view(room.state, seat)
        moves = box.rules.legal(room.state, seat)
        thought = self._thinkers.think(bot, view, seat, moves, self._entropy(SEED_BYTES))
        thought.add_done_callback(partial(self._thought, box, seat, turned, tries - 1))

    def _thought(
        self, box: LiveRoom, seat: Seat, turned: int, tries: int, thought: "asyncio.Future[Any]"
    ) -> None:
        if thought.cancelled() or self._closed or box.durable.id not in self._host.live_rooms:
            return
        if isinstance(thought.exception(), BrokenProcessPool) and tries:
            self._turn(box, seat, turned, tries)
            return
        move = thought.result()
        # Whoever has come back meanwhile decides for himself.
        if move is not None and player(box.durable, box.durable.seats[seat]) is not None:
            self._host.submit(box, seat, Play(move), self._host.now(), at_version=turned)


def player(room: AnyRoom, chair: TakenSeat | None) -> BotSeat | None:
    """Return the bot that plays a seat, or will for somebody lost, as long as people are there to see it."""
    if chair is None or chair.bot:
        return None if chair is None else BotSeat(chair.bot, Millis(0))
    if not room.table.substitute_bot or chair.disconnected_at is None or chair.reserved:
        return None
    if not any(
        other is not None and is_human(other) and other.disconnected_at is None for other in room.seats
    ):
        return None
    return BotSeat(room.table.substitute_bot, Millis(chair.disconnected_at + ABSENCE))
