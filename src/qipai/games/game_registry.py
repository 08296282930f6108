"""Registry of games: our own, and those of other installed packages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from qipai.games.chess.bots import levels as chess_bots
from qipai.games.gomoku.bots import levels as gomoku_bots
from qipai.games.gomoku.bots import measured_ratings as gomoku_bot_ratings
from qipai.games.mahjong.bots import levels as mahjong_bots
from qipai.games.mahjong.bots import measured_ratings as mahjong_bot_ratings
from qipai.games.tictactoe.bots import levels as tictactoe_bots
from qipai.kernel.chat_lines import Phrase

from .chess import events as chess_events
from .chess import game_record, pgn_writer
from .chess import rating_categories as chess_ratings
from .chess import rules as chess
from .chess import wire_types as chess_types
from .chess.comparison import chess_comparison
from .chess.preview import chess_preview
from .game import Game
from .gomoku import rating_categories as gomoku_ratings
from .gomoku import rules as gomoku
from .gomoku import sgf
from .gomoku import state as gomoku_state
from .gomoku import wire_types as gomoku_types
from .gomoku.preview import gomoku_preview
from .installed_games import installed_games
from .mahjong import events as mahjong_events
from .mahjong import rating_categories as mahjong_ratings
from .mahjong import rules as mahjong
from .mahjong import wire_types as mahjong_types
from .mahjong.preview import mahjong_preview
from .tictactoe import rules as tictactoe
from .tictactoe.preview import tictactoe_preview

_OWN: Final = (
    Game(
        tictactoe.RULES,
        (tictactoe_bots.Perfect(), tictactoe_bots.Random()),
        tictactoe.GameEvent,
        preview=tictactoe_preview.PREVIEW,
    ),
    Game(
        gomoku.RULES,
        (gomoku_bots.Easy(), gomoku_bots.Normal(), gomoku_bots.Hard()),
        gomoku_types.GameEvent,
        write_record=sgf.sgf_of,
        record_suffix="sgf",
        phrases=(Phrase.WATCH_OUT, Phrase.BLOCKED, Phrase.NICE_FOUR),
        rules_number=gomoku_state.RULES_NUMBER,
        migrations=gomoku_state.MIGRATIONS,
        preview=gomoku_preview.PREVIEW,
        rating_categories=gomoku_ratings.CATEGORIES,
        rating_category=gomoku_ratings.category,
        twist=gomoku_types.twist,
        bot_ratings=gomoku_bot_ratings.RATINGS,
    ),
    Game(
        chess.RULES,
        chess_bots.BOTS,
        chess_events.GameEvent,
        choosable_options=chess_types.Options,
        write_record=pgn_writer.pgn_of,
        record_suffix="pgn",
        roll_lines=game_record.roll_lines,
        phrases=(Phrase.CHECK_IT, Phrase.GOOD_OPENING, Phrase.SHARP, Phrase.CLOSE_GAME),
        preview=chess_preview.PREVIEW,
        rating_categories=chess_ratings.CATEGORIES,
        rating_category=chess_ratings.category,
        rateable=chess.rateable,
        twist=chess_types.twist,
        comparison=chess_comparison.COMPARISON,
    ),
    Game(
        mahjong.RULES,
        mahjong_bots.BOTS,
        mahjong_events.GameEvent,
        choosable_options=mahjong_types.Options,
        points=mahjong_events.points,
        quick_match_options={"tiles": 16},
        substitute_bot="normal",
        phrases=(
            Phrase.WHAT_A_WALL,
            Phrase.SO_CLOSE,
            Phrase.NICE_HAND,
            Phrase.PONG_AGAIN,
            Phrase.UNLUCKY,
            Phrase.LAST_ROUND,
        ),
        preview=mahjong_preview.PREVIEW,
        rating_categories=mahjong_ratings.CATEGORIES,
        rating_category=mahjong_ratings.category,
        rateable=mahjong.rateable,
        twist=mahjong_types.twist,
        bot_ratings=mahjong_bot_ratings.RATINGS,
    ),
)

OWN_GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in _OWN})
"""The games of this package."""

INSTALLED, REJECTED = installed_games(OWN_GAMES)
"""Games from outside, with their package and version; those that are left out, with the reason."""

GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {**OWN_GAMES, **{installed.game.name: installed.game for installed in INSTALLED}}
)
"""All games that this server offers."""
