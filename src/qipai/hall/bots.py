"""Seats played by the server: a bot gets its view after each step and answers with a command."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

from qipai.kernel.bots import Bot
from qipai.kernel.commands import Answer, Play
from qipai.kernel.dice import SEED_BYTES, Dice
from qipai.kernel.names import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase

from .host import Host
from .mailbox import Mailbox
from .ports import Entropy

_WELCOME: Final = frozenset({OfferKind.REMATCH, OfferKind.UNDO})


class Bots:
    """Thinks outside the event loop; `pause` is how long a move seems to take."""

    def __init__(self, host: Host, entropy: Entropy, pause: int) -> None:
        self._host = host
        self._entropy = entropy
        self._pause = pause
        self._pool = ThreadPoolExecutor(1, "bots")
        host.consult = self.look

    def close(self) -> None:
        """Think no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def look(self, box: Mailbox) -> None:
        """Let the bots of this table look at it and answer in their time."""
        room = box.shown
        for number, chair in enumerate(room.chairs):
            if chair is None or not chair.bot:
                continue
            seat = Seat(number)
            for offer in room.offers:
                if seat in offer.asked:
                    answer = Answer(offer.id, offer.kind in _WELCOME)
                    self._host.submit(box, seat, answer, self._host.now())
            if room.phase is Phase.PLAYING and seat in box.rules.to_act(room.state):
                due = Millis(self._host.now() + self._pause)
                turn = partial(self._turn, box, seat, room.turned)
                self._host.alarms.set(("bot", room.id, seat), due, turn)

    def _turn(self, box: Mailbox, seat: Seat, turned: int) -> None:
        room = box.shown
        chair = room.chairs[seat]
        if room.turned != turned or room.phase is not Phase.PLAYING or chair is None:
            return
        bot = box.game.bots.get(chair.bot)
        if bot is None:
            return
        view = box.rules.view(room.state, seat)
        moves = box.rules.legal(room.state, seat)
        dice = Dice(self._entropy(SEED_BYTES))
        thought = asyncio.get_running_loop().run_in_executor(self._pool, _think, bot, view, seat, moves, dice)
        thought.add_done_callback(partial(self._thought, box, seat, room.version))

    def _thought(self, box: Mailbox, seat: Seat, version: int, thought: "asyncio.Future[Any]") -> None:
        if thought.cancelled():
            return
        move = thought.result()
        if move is not None and box.shown.id in self._host.boxes:
            self._host.submit(box, seat, Play(move), self._host.now(), at_version=version)


def _think(bot: Bot, view: Any, seat: Seat, moves: Any, dice: Dice) -> Any:
    return bot.choose(view, seat, moves, dice)
