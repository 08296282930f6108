"""Seats played by bots: after each step a bot receives its view and submits a move.

A bot computes as soon as it is to move, and answers at a time that is drawn before: how long it computes
tells the other players nothing about its hand. In a vote on hidden information this holds on a busy server
too: a bot that has not computed its answer at that time answers at once.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.journal.store_interface import Entropy
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import AnswerOffer, Play
from qipai.kernel.game_interface.bot_interface import Bot, PunctualBot
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.offers import ACCEPTED_BY_BOTS
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import SEAT_OPEN_AFTER, TakenSeat, is_human

from .fair_queue import Payer
from .thinking_pool import MoveRequest, ThinkingPool
from .thinking_scheduler import Decision, ThinkingScheduler

COMPUTE_WITHIN: Final = 2_000
"""Milliseconds from the turn of a bot until its move is computed; the answer may take three seconds."""
ASK_AGAIN_AFTER: Final = 2_000
"""Milliseconds after which a bot whose answer had no effect is asked again: perhaps it was lost."""
RETRY_AFTER: Final = 2_000
"""Milliseconds after which a bot that failed is asked again; each further failure doubles them."""
LONGEST_RETRY: Final = 60_000


class BotSeat(NamedTuple):
    """The bot of a seat, and the time from which it plays."""

    bot: str
    since: Millis


class BotTurn(NamedTuple):
    """A bot is to move: in which position, since when it plays, when it answers, and how often it failed."""

    live: LiveRoom
    seat: Seat
    position_version: int
    since: Millis
    answer_at: Millis
    failures: int = 0


class BotSeats:
    """Computes moves outside the event loop.

    `pause` is the least time of a move; the time of each is drawn between that and half as much more. `payer`
    tells whose share of the computing time a room uses. `report` gets what fails. `engine` is a UCI program.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        entropy: Entropy,
        pause: int,
        payer: Callable[[LiveRoom], Payer],
        report: Callable[[BaseException], object],
        engine: str = "",
    ) -> None:
        self._executor = executor
        self._entropy = entropy
        self._pause = pause
        self._payer = payer
        self._report = report
        self._turns: dict[tuple[RoomId, Seat], BotTurn] = {}
        self._closed = False
        self.scheduler = ThinkingScheduler(ThinkingPool(engine), executor.now, report)
        executor.bot_listeners.append(self.schedule_moves)
        executor.replication.listeners.released.append(self._released)

    def close(self) -> None:
        """Compute no more moves."""
        self._closed = True
        self.scheduler.close()

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
            bot = live.game.bots.get(bot_seat.bot)
            if bot is None:
                continue
            self.scheduler.expect(bot)
            if room.phase is Phase.PLAYING and seat in live.rules.to_act(room.state):
                self._schedule(live, seat, bot_seat, bot)

    def _schedule(self, live: LiveRoom, seat: Seat, bot_seat: BotSeat, bot: Bot) -> None:
        """Begin a turn, unless the position is that of the present one: chat does not delay an answer."""
        room, now = live.durable, self._executor.now()
        key = (room.id, seat)
        turn = self._turns.get(key)
        if (
            turn is not None
            and turn.live is live
            and turn.position_version == room.position_version
            and turn.since == bot_seat.since
        ):
            return
        start = max(now, bot_seat.since)
        turn = BotTurn(live, seat, room.position_version, bot_seat.since, Millis(start + self._answer_time()))
        self._turns[key] = turn
        if start > now:
            self._executor.alarms.set(("bot", *key), start, partial(self._think, turn, bot))
        else:
            self._think(turn, bot)

    def _answer_time(self) -> int:
        """Return the time of an answer: nothing that the bot knows may change it."""
        if not self._pause:
            return 0
        return self._pause + Random(self._entropy(SEED_BYTES)).below(self._pause // 2 + 1)

    def _think(self, turn: BotTurn, bot: Bot) -> None:
        live, now = turn.live, self._executor.now()
        room = live.durable
        if isinstance(bot, PunctualBot) and now < turn.answer_at:
            key = ("bot", room.id, turn.seat)
            self._executor.alarms.set(key, turn.answer_at, partial(self._answer_at_once, turn, bot))
        deadline = Millis(now + COMPUTE_WITHIN)
        if live.rules.hidden(room.options):
            # A move that is computed after the time of its answer would tell how long that took.
            deadline = min(deadline, Millis(max(turn.answer_at, now)))
        self.scheduler.add(
            Decision(
                f"{room.game}/{bot.name}",
                bot,
                self._payer(live),
                deadline,
                partial(self._request, turn),
                partial(self._thought, turn, bot),
            )
        )

    def _is_wanted(self, turn: BotTurn) -> bool:
        """Tell whether a turn still waits for its answer; forget it if not."""
        live = turn.live
        room, key = live.durable, (live.durable.id, turn.seat)
        if self._closed or self._turns.get(key) is not turn:
            return False
        if (
            self._executor.live_rooms.get(room.id) is live
            and room.phase is Phase.PLAYING
            and room.position_version == turn.position_version
            # A player who has reconnected in the meantime moves for themselves.
            and (bot_seat := bot_of(room, room.seats[turn.seat])) is not None
            and bot_seat.since <= self._executor.now()
        ):
            return True
        del self._turns[key]
        return False

    def _request(self, turn: BotTurn) -> MoveRequest | None:
        if not self._is_wanted(turn):
            return None
        live, seat = turn.live, turn.seat
        state = live.durable.state
        return MoveRequest(
            live.rules.view(state, seat), seat, live.rules.legal(state, seat), self._entropy(SEED_BYTES)
        )

    def _thought(self, turn: BotTurn, bot: Bot, move: Any | None) -> None:
        if not self._is_wanted(turn):
            return
        if move is None:
            move = self._move_at_once(turn, bot)
        if move is None:
            self._retry_later(turn, bot)
        elif self._executor.now() < turn.answer_at:
            key = ("bot", turn.live.durable.id, turn.seat)
            self._executor.alarms.set(key, turn.answer_at, partial(self._answer, turn, move))
        else:
            self._answer(turn, move)

    def _answer_at_once(self, turn: BotTurn, bot: Bot) -> None:
        """Answer for a bot that has not computed in time, if it can; otherwise it answers when it has."""
        if self._is_wanted(turn) and (move := self._move_at_once(turn, bot)) is not None:
            # Another turn in its place: the computation is not wanted any more.
            turn = self._turns[turn.live.durable.id, turn.seat] = turn._replace()
            self.scheduler.reduced += 1
            self._answer(turn, move)

    def _move_at_once(self, turn: BotTurn, bot: Bot) -> Any | None:
        live, state = turn.live, turn.live.durable.state
        if isinstance(bot, PunctualBot):
            with FailureIsolation(self._report):
                return bot.at_once(live.rules.view(state, turn.seat), live.rules.legal(state, turn.seat))
        return None

    def _retry_later(self, turn: BotTurn, bot: Bot) -> None:
        """Keep the turn of a bot that failed: what others do at the table does not hurry it."""
        key = (turn.live.durable.id, turn.seat)
        pause = min(RETRY_AFTER << turn.failures, LONGEST_RETRY)
        turn = self._turns[key] = turn._replace(failures=turn.failures + 1)
        due = Millis(self._executor.now() + pause)
        self._executor.alarms.set(("bot", *key), due, partial(self._retry, turn, bot))

    def _retry(self, turn: BotTurn, bot: Bot) -> None:
        if not self._is_wanted(turn):
            return
        if self._executor.replication.computes_bots(turn.live):
            self._think(turn, bot)
        else:
            self._forget(turn)

    def _answer(self, turn: BotTurn, move: Any) -> None:
        if not self._is_wanted(turn):
            return
        live, seat, now = turn.live, turn.seat, self._executor.now()
        key = ("bot", live.durable.id, seat)
        # After a hidden answer the seat is still to act; it is not asked for each step of the others.
        self._executor.alarms.set(key, Millis(now + ASK_AGAIN_AFTER), partial(self._ask_again, turn))
        self._executor.submit(live, seat, Play(move), now, at_version=turn.position_version)

    def _ask_again(self, turn: BotTurn) -> None:
        wanted = self._is_wanted(turn)
        self._forget(turn)
        if wanted and self._executor.replication.computes_bots(turn.live):
            self.schedule_moves(turn.live)

    def _released(self, live: LiveRoom) -> None:
        """Forget the turns of a room that other workers look after, perhaps only for a while."""
        for number in range(len(live.durable.seats)):
            key = (live.durable.id, Seat(number))
            self._turns.pop(key, None)
            self._executor.alarms.clear(("bot", *key))

    def _forget(self, turn: BotTurn) -> None:
        key = (turn.live.durable.id, turn.seat)
        if self._turns.get(key) is turn:
            del self._turns[key]


def host_payer(live: LiveRoom) -> Payer:
    """Return to whom the computing time of a room is charged: the address and the person of its host.

    The person stands for an address that this worker does not know, such as that of a host on another worker.
    """
    room = live.durable
    host, holder = room.seats[room.host], live.holders.get(room.host)
    address = live.opened_from if holder is None else holder.address
    person = room.id if host is None or host.bot else host.person
    return address or person, person


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
