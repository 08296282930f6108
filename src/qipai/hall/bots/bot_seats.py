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
from qipai.kernel.seats import SEAT_OPEN_AFTER, TakenSeat, is_human

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

    def __init__(self, executor: CommandExecutor, entropy: Entropy, pause: int, engine: str = "") -> None:
        self._executor = executor
        self._entropy = entropy
        self._pause = pause
        self._closed = False
        self._thinkers = ThinkingPool(engine)
        executor.ask_bots = self.look

    def close(self) -> None:
        """Think no more."""
        self._closed = True
        self._thinkers.close()

    def look(self, live: LiveRoom) -> None:
        """Let the bots of this table look at it and answer in their time."""
        room = live.durable
        for number, taken in enumerate(room.seats):
            played = player(room, taken)
            if taken is None or played is None:
                continue
            seat = Seat(number)
            for offer in room.offers:
                if seat in offer.asked and taken.bot:
                    answer = AnswerOffer(offer.id, offer.kind in _WELCOME)
                    self._executor.submit(live, seat, answer, self._executor.now())
            if room.phase is Phase.PLAYING and seat in live.rules.to_act(room.state):
                due = Millis(max(self._executor.now() + self._pause, played.since))
                turn = partial(self._turn, live, seat, room.position_version)
                self._executor.alarms.set(("bot", room.id, seat), due, turn)

    def _turn(self, live: LiveRoom, seat: Seat, turned: int, tries: int = TRIES) -> None:
        room = live.durable
        taken = room.seats[seat]
        played = player(room, taken)
        if room.position_version != turned or room.phase is not Phase.PLAYING or played is None:
            return
        bot = live.game.bots.get(played.bot)
        if bot is None or self._executor.now() < played.since:
            return
        view = live.rules.view(room.state, seat)
        moves = live.rules.legal(room.state, seat)
        thought = self._thinkers.think(bot, view, seat, moves, self._entropy(SEED_BYTES))
        thought.add_done_callback(partial(self._thought, live, seat, turned, tries - 1))

    def _thought(
        self, live: LiveRoom, seat: Seat, turned: int, tries: int, thought: "asyncio.Future[Any]"
    ) -> None:
        if thought.cancelled() or self._closed or live.durable.id not in self._executor.live_rooms:
            return
        if isinstance(thought.exception(), BrokenProcessPool) and tries:
            self._turn(live, seat, turned, tries)
            return
        move = thought.result()
        # Whoever has come back meanwhile decides for himself.
        if move is not None and player(live.durable, live.durable.seats[seat]) is not None:
            self._executor.submit(live, seat, Play(move), self._executor.now(), at_version=turned)


def player(room: AnyRoom, taken: TakenSeat | None) -> BotSeat | None:
    """Return the bot that plays a seat, or will for somebody lost, as long as people are there to see it."""
    if taken is None or taken.bot:
        return None if taken is None else BotSeat(taken.bot, Millis(0))
    if not room.table.substitute_bot or taken.disconnected_at is None or taken.reserved:
        return None
    if not any(
        other is not None and is_human(other) and other.disconnected_at is None for other in room.seats
    ):
        return None
    return BotSeat(room.table.substitute_bot, Millis(taken.disconnected_at + SEAT_OPEN_AFTER))
