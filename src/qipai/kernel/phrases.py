"""Chat phrases: a closed list, so that every client can show them in the reader's language."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


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
