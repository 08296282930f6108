"""Chat lines of a room, the predefined phrases, and which lines a viewer may read."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from .ids import Millis, Seat

MAX_LINES: Final = 50
MAX_LINE: Final = 200


class Phrase(StrEnum):
    """A predefined chat text. The later ones belong to single games, which list theirs."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    HAVE_FUN = "have_fun"
    THANKS = "thanks"
    WELL_PLAYED = "well_played"
    GOOD_GAME = "good_game"
    SORRY = "sorry"
    OOPS = "oops"
    NICE_MOVE = "nice_move"
    WOW = "wow"
    HURRY = "hurry"
    TAKE_YOUR_TIME = "take_your_time"
    ONE_MOMENT = "one_moment"
    BACK_NOW = "back_now"
    AGAIN = "again"
    BYE = "bye"
    YES = "yes"
    NO = "no"
    YOUR_TURN_PLEASE = "your_turn_please"
    CHEERS = "cheers"
    CHECK_IT = "check_it"
    GOOD_OPENING = "good_opening"
    SHARP = "sharp"
    CLOSE_GAME = "close_game"
    WATCH_OUT = "watch_out"
    BLOCKED = "blocked"
    NICE_FOUR = "nice_four"
    WHAT_A_WALL = "what_a_wall"
    SO_CLOSE = "so_close"
    NICE_HAND = "nice_hand"
    PONG_AGAIN = "pong_again"
    UNLUCKY = "unlucky"
    LAST_ROUND = "last_round"


ENGLISH: Final[Mapping[Phrase, str]] = MappingProxyType(
    {
        Phrase.HELLO: "Hello!",
        Phrase.GOOD_LUCK: "Good luck!",
        Phrase.HAVE_FUN: "Have fun!",
        Phrase.THANKS: "Thank you!",
        Phrase.WELL_PLAYED: "Well played!",
        Phrase.GOOD_GAME: "Good game!",
        Phrase.SORRY: "Sorry!",
        Phrase.OOPS: "Oops!",
        Phrase.NICE_MOVE: "Nice move!",
        Phrase.WOW: "Wow!",
        Phrase.HURRY: "Hurry up a little, please.",
        Phrase.TAKE_YOUR_TIME: "Take your time.",
        Phrase.ONE_MOMENT: "One moment, please.",
        Phrase.BACK_NOW: "I am back.",
        Phrase.AGAIN: "Another game?",
        Phrase.BYE: "Goodbye!",
        Phrase.YES: "Yes.",
        Phrase.NO: "No.",
        Phrase.YOUR_TURN_PLEASE: "It is your turn.",
        Phrase.CHEERS: "Cheers!",
        Phrase.CHECK_IT: "Check!",
        Phrase.GOOD_OPENING: "A fine opening.",
        Phrase.SHARP: "A sharp position!",
        Phrase.CLOSE_GAME: "What a close game!",
        Phrase.WATCH_OUT: "Watch out!",
        Phrase.BLOCKED: "Blocked!",
        Phrase.NICE_FOUR: "A nice four!",
        Phrase.WHAT_A_WALL: "What a wall!",
        Phrase.SO_CLOSE: "So close!",
        Phrase.NICE_HAND: "Nice hand!",
        Phrase.PONG_AGAIN: "Another pong!",
        Phrase.UNLUCKY: "Unlucky!",
        Phrase.LAST_ROUND: "The last round!",
    }
)
"""The texts for clients that do not know phrases."""
COMMON: Final = tuple(Phrase)[: tuple(Phrase).index(Phrase.CHECK_IT)]
"""The phrases of every game."""


class ChatLine(Struct, frozen=True):
    """One line of chat. `seat` is the author's, None for a spectator.

    `spectators_only`: only spectators read it. With a `phrase`, `text` is its English version.
    """

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False
    phrase: Phrase | None = None


def append_line(lines: tuple[ChatLine, ...], line: ChatLine) -> tuple[ChatLine, ...]:
    """Return the lines with one more; the oldest is dropped beyond `MAX_LINES`."""
    return (*lines[-(MAX_LINES - 1) :], line)


def visible_lines(lines: tuple[ChatLine, ...], *, spectator: bool) -> tuple[ChatLine, ...]:
    """Return the lines a viewer may read."""
    return tuple(line for line in lines if spectator or not line.spectators_only)
