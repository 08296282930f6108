"""Reads the PGN that `pgn_writer` writes."""

import re
from datetime import date
from typing import Final

import chess
from msgspec.structs import replace

from qipai.kernel.codec import Malformed

from .game_record import UNKNOWN, Heading, Record, RecordedRoll
from .pgn_writer import NULL
from .wire_types import DiceMode, Explosion, Settings

MAX_TEXT: Final = 512 * 1024
_TAG: Final = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\.)*)"\]')
_TOKEN: Final = re.compile(
    r"\s*(?:\{(?P<comment>[^}]*)\}|(?P<number>[0-9]+\.+)|(?P<result>1-0|0-1|1/2-1/2|\*)|(?P<move>[^\s{}()]+))"
)
_COMMAND: Final = re.compile(r"\[%([a-z]+)\b([^\[\]]*)\]")
_UCI: Final = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_SQUARE: Final = re.compile(r"[a-h][1-8]")
_PIECE: Final = re.compile(r"[PNBRQKpnbrqk]")
_DICE: Final = re.compile(r"[PNBRQK]{1,3} [wb] [.x-]{1,3}( again)?")
_FLAGS: Final = ("fog", "legacy_rules", "unchecked_moves")
"""Words of the tag `Qipai` for options that are on."""
_DAY: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


class _PartialGame:
    """A game while it is read; `left_board`: the moves are in a `moves` comment from here on."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.turn = "w"
        self.left_board = False
        self.moves: list[str] = []
        self.sides = ""
        self.rolls: list[RecordedRoll] = []
        self.explosions: list[Explosion] = []
        self.mines: tuple[str, ...] = ()


def read_pgn(text: str) -> Record:
    """Return the only game of a text, from the start position, without variations; or raise `Malformed`."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"longer than {MAX_TEXT} characters")
    tags, body = _split_tags(text)
    if tags.get("FEN") or tags.get("Variant"):
        raise Malformed("only games from the start position can be read")
    game = _PartialGame()
    result = _read_moves(game, body)
    if tags.get("Result", result) != result:
        raise Malformed(f"Result is {tags['Result']}, but the moves end with {result}")
    return Record(
        _heading(tags, result),
        tuple(game.moves),
        game.sides,
        tuple(game.rolls),
        tuple(game.explosions),
        game.mines,
    )


def _split_tags(text: str) -> tuple[dict[str, str], str]:
    """Return the tags, and the text that follows them."""
    tags: dict[str, str] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("["):
            return tags, "\n".join(lines[number:])
        tag = _TAG.fullmatch(line)
        if tag is None or tag[1] in tags:
            raise Malformed(f"line {number + 1} is not a tag, or repeats one")
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    raise Malformed("there are no moves")


def _heading(tags: dict[str, str], ending: str) -> Heading:
    day, number = tags.get("Date", ""), tags.get("Round", UNKNOWN)
    if number != UNKNOWN and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Malformed(f"Round is not a number: {number}")
    return Heading(
        white=tags.get("White", UNKNOWN),
        black=tags.get("Black", UNKNOWN),
        result=ending,
        reason=tags.get("Reason", ""),
        day=_day(day),
        event=tags.get("Event", UNKNOWN),
        site=tags.get("Site", UNKNOWN),
        round=0 if number == UNKNOWN else int(number),
        options=_options(tags.get("Qipai", "")),
    )


def _day(text: str) -> date | None:
    if "?" in text or not text:
        return None
    try:
        if found := _DAY.fullmatch(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass
    raise Malformed(f"Date is not a date: {text}")


def _options(text: str) -> Settings:
    settings = Settings()
    for word in text.split():
        name, _, value = word.partition("=")
        if word in _FLAGS:
            settings = replace(settings, **{word: True})
        elif name in ("mines", "rerolls") and value.isascii() and value.isdigit() and len(value) < 3:
            settings = replace(settings, **{name: int(value)})
        elif name == "dice" and value in list(DiceMode):
            settings = replace(settings, dice=DiceMode(value))
        else:
            raise Malformed(f"Qipai contains an unknown word: {word}")
    return settings


def _read_moves(game: _PartialGame, body: str) -> str:
    """Add the moves and comments to the game; return the result that ends them."""
    position = 0
    while (token := _TOKEN.match(body, position)) is not None:
        position = token.end()
        if token["result"] is not None:
            if body[position:].strip():
                raise Malformed("there is text after the game")
            return token["result"]
        if token["move"] is not None:
            _read_move(game, token["move"])
        elif token["comment"] is not None:
            for name, words in _COMMAND.findall(token["comment"]):
                _read_command(game, name, words.split())
    raise Malformed(f"no move and no result at character {position} of the moves")


def _read_move(game: _PartialGame, san: str) -> None:
    if game.left_board:
        raise Malformed(f"{san} follows a `moves` comment")
    try:
        move = game.board.parse_san(san)
    except ValueError as error:
        raise Malformed(str(error)) from None
    _add_move(game, move.uci() if move else NULL)
    game.board.push(move)


def _add_move(game: _PartialGame, uci: str) -> None:
    if uci != NULL:
        game.moves.append(uci)
        game.sides += game.turn
    game.turn = "b" if game.turn == "w" else "w"


def _read_command(game: _PartialGame, name: str, words: list[str]) -> None:
    """Add what a command in a comment says; unknown commands are ignored."""
    ply = len(game.moves)
    match name:
        case "moves":
            game.left_board = True
            for word in words:
                if word not in (NULL, UNKNOWN) and not _UCI.fullmatch(word):
                    raise Malformed(f"not a move: {word}")
                _add_move(game, "" if word == UNKNOWN else word)
        case "dice":
            if not _DICE.fullmatch(" ".join(words)) or len(words[0]) != len(words[2]):
                raise Malformed(f"not a roll: {' '.join(words)}")
            game.rolls.append(RecordedRoll(ply, words[1], words[0], words[2], again=len(words) > 3))
        case "boom":
            (square,) = _squares(words[:1])
            if len(words) > 2 or not all(_PIECE.fullmatch(word) for word in words[1:]):
                raise Malformed(f"not a piece: {' '.join(words)}")
            game.explosions.append(Explosion(ply, square, "".join(words[1:])))
        case "mines":
            game.mines = _squares(words)


def _squares(words: list[str]) -> tuple[str, ...]:
    if not words or not all(_SQUARE.fullmatch(word) for word in words):
        raise Malformed(f"not squares: {' '.join(words)}")
    return tuple(words)
