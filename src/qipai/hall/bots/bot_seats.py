"""Seats played by bots: after each step a bot receives its view and submits a move."""

import asyncio
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, NamedTuple

from qipai.hall.journal.store_interface import Entropy
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import AnswerOffer, Play
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import ACCEPTED_BY_BOTS
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import SEAT_OPEN_AFTER, TakenSeat, is_human

from .thinking_pool import ThinkingPool

TRIES: Final = 3
"""How often a move is computed again after its process died."""


class BotSeat(NamedTuple):
    """The bot of a seat, and the time from which it plays."""

    bot: str
    since: Millis


class BotSeats:
    """Computes moves outside the event loop; `pause` is the least time of a move, `engine` a UCI program."""

    def __init__(self, executor: CommandExecutor, entropy: Entropy, pause: int, engine: str = "") -> None:
        self._executor = executor
        self._entropy = entropy
        self._pause = pause
        self._closed = False
        self._pool = ThinkingPool(engine)
        executor.bot_listeners.append(self.schedule_moves)

    def close(self) -> None:
        """Compute no more moves."""
        self._closed = True
        self._pool.close()

    def schedule_moves(self, live: LiveRoom) -> None:
        """Answer offers for the bots of the room, and schedule their moves."""
        room = live.durable
        for number, taken in enumerate(room.seats):
            bot_seat = bot_of(room, taken)
            if taken is None or bot_seat is None:
                continue
            seat = Seat(number)
            for offer in room.offers:
                if seat in offer.asked and taken.bot:
                    answer = AnswerOffer(offer.id, offer.kind in ACCEPTED_BY_BOTS)
                    self._executor.submit(live, seat, answer, self._executor.now())
            if room.phase is Phase.PLAYING and seat in live.rules.to_act(room.state):
                due = Millis(max(self._executor.now() + self._pause, bot_seat.since))
                turn = partial(self._move, live, seat, room.position_version)
                self._executor.alarms.set(("bot", room.id, seat), due, turn)

    def _move(self, live: LiveRoom, seat: Seat, position_version: int, tries: int = TRIES) -> None:
        room = live.durable
        taken = room.seats[seat]
        bot_seat = bot_of(room, taken)
        if room.position_version != position_version or room.phase is not Phase.PLAYING or bot_seat is None:
            return
        bot = live.game.bots.get(bot_seat.bot)
        if bot is None or self._executor.now() < bot_seat.since:
            return
        view = live.rules.view(room.state, seat)
        moves = live.rules.legal(room.state, seat)
        thought = self._pool.choose_move(bot, view, seat, moves, self._entropy(SEED_BYTES))
        thought.add_done_callback(partial(self._submit, live, seat, position_version, tries - 1))

    def _submit(
        self, live: LiveRoom, seat: Seat, position_version: int, tries: int, thought: "asyncio.Future[Any]"
    ) -> None:
        if thought.cancelled() or self._closed or live.durable.id not in self._executor.live_rooms:
            return
        if isinstance(thought.exception(), BrokenProcessPool) and tries:
            self._move(live, seat, position_version, tries)
            return
        move = thought.result()
        # A player who has reconnected in the meantime moves for themselves.
        if move is not None and bot_of(live.durable, live.durable.seats[seat]) is not None:
            self._executor.submit(live, seat, Play(move), self._executor.now(), at_version=position_version)


def bot_of(room: AnyRoom, taken: TakenSeat | None) -> BotSeat | None:
    """Return the bot of a seat, or the substitute while another human is connected; None otherwise."""
    if taken is None or taken.bot:
        return None if taken is None else BotSeat(taken.bot, Millis(0))
    if not room.table.substitute_bot or taken.disconnected_at is None or taken.reserved:
        return None
    if not any(
        other is not None and is_human(other) and other.disconnected_at is None for other in room.seats
    ):
        return None
    return BotSeat(room.table.substitute_bot, Millis(taken.disconnected_at + SEAT_OPEN_AFTER))
