"""Every game this server plays, and what reads and writes its values."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from qipai.games.chess.bots import levels as chess_bot
from qipai.games.gomoku.bots import levels as gomoku_bot
from qipai.games.mahjong.bots import levels as mahjong_bot
from qipai.games.tictactoe.bots import levels as tictactoe_bot
from qipai.kernel.codec import Malformed, convert
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import AnyRules, Event
from qipai.kernel.phrases import COMMON, Phrase
from qipai.kernel.room import AnyRoom, Room

from .chess import game_record as chess_record
from .chess import pgn_writer
from .chess import rules as chess
from .chess import wire_types as chess_values
from .gomoku import rules as gomoku
from .gomoku import sgf
from .mahjong import events as mahjong_points
from .mahjong import rules as mahjong
from .mahjong import wire_types as mahjong_values
from .tictactoe import rules as tictactoe


class Game:
    """A game with its bots and the codec of its values.

    `choices` are the options that people may choose, if the table knows more of them. `record` writes a
    finished game, from a view of it, in the notation that its players know. `throws` gives a line such as
    `seat 0: P N Q` for each throw of dice that an event tells of. `points` gives what each seat gained by
    the part of a game that an event ends, where games are played for points. `standin` is the bot that goes
    on for whoever is gone, where a game is too long to end with him. `suffix` is that of a file with its
    record. `phrases` can be said at its tables
    without typing; those of its own come last. `decode_move` reads JSON that has been
    found well-formed already; it raises msgspec's errors and `UnicodeDecodeError`.
    """

    __slots__ = (
        "_choices",
        "_rooms",
        "bots",
        "decode_move",
        "events",
        "name",
        "phrases",
        "points",
        "record",
        "rules",
        "standin",
        "suffix",
        "throws",
    )

    def __init__(
        self,
        rules: AnyRules,
        bots: tuple[Bot, ...],
        events: Any,
        choices: Any = None,
        record: Callable[[Any, GameHeaders], str] | None = None,
        throws: Callable[[Event], Sequence[str]] = lambda event: (),
        points: Callable[[Event], Sequence[int] | None] = lambda event: None,
        standin: str = "",
        phrases: tuple[Phrase, ...] = (),
        suffix: str = "json",
    ) -> None:
        self.rules = rules
        self.name = rules.name
        self.bots: Mapping[str, Bot] = {bot.name: bot for bot in bots}
        self.events = events
        self._choices = choices
        self.record = record
        self.throws = throws
        self.points = points
        self.standin = standin
        self.phrases = COMMON + phrases
        self.suffix = suffix
        self.decode_move: Callable[[bytes | msgspec.Raw], Any] = msgspec.json.Decoder(rules.move_type).decode
        self._rooms: msgspec.json.Decoder[AnyRoom] = msgspec.json.Decoder(
            Room[rules.option_type, rules.state_type]  # type: ignore[name-defined] # parameters at run time
        )

    def move(self, value: Any) -> Any:
        """Return a stored move from plain values, or raise `Malformed`."""
        try:
            # Writing and reading it again takes a fifth of `convert`, which looks at the type anew.
            return self.decode_move(_encode(value))
        except msgspec.MsgspecError as error:
            raise Malformed(str(error)) from None

    def options(self, value: Any) -> Any:
        """Return options that somebody has chosen, from plain values, or raise `Malformed`."""
        chosen = {} if value is None else value
        if self._choices is not None:
            convert(chosen, self._choices)
        return self.read_options(chosen)

    def read_options(self, value: Any) -> Any:
        """Return stored options from plain values, or raise `Malformed`."""
        return convert(value, self.rules.option_type)

    def read_room(self, raw: bytes) -> AnyRoom:
        """Return a stored room."""
        return self._rooms.decode(raw)


_encode: Final = msgspec.json.Encoder().encode
_ALL: Final = (
    Game(
        tictactoe.RULES,
        (tictactoe_bot.Perfect(), tictactoe_bot.Random()),
        tictactoe.GameEvent,
    ),
    Game(
        gomoku.RULES,
        (gomoku_bot.Easy(), gomoku_bot.Normal(), gomoku_bot.Hard()),
        gomoku.GameEvent,
        record=sgf.text,
        suffix="sgf",
        phrases=(Phrase.WATCH_OUT, Phrase.BLOCKED, Phrase.NICE_FOUR),
    ),
    Game(
        chess.RULES,
        chess_bot.BOTS,
        chess_values.GameEvent,
        choices=chess_values.Options,
        record=pgn_writer.text,
        suffix="pgn",
        throws=chess_record.throws,
        phrases=(Phrase.CHECK_IT, Phrase.GOOD_OPENING, Phrase.SHARP, Phrase.CLOSE_GAME),
    ),
    Game(
        mahjong.RULES,
        mahjong_bot.BOTS,
        mahjong_values.GameEvent,
        choices=mahjong_values.Options,
        points=mahjong_points.points,
        standin="normal",
        phrases=(
            Phrase.WHAT_A_WALL,
            Phrase.SO_CLOSE,
            Phrase.NICE_HAND,
            Phrase.PONG_AGAIN,
            Phrase.UNLUCKY,
            Phrase.LAST_ROUND,
        ),
    ),
)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in _ALL})
