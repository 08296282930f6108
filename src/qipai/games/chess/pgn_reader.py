"""Games of chess read again from the PGN text that `pgn` has written."""

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
_DAY: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


class _Pages:
    """A game while it is read."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.turn = "w"
        self.apart = False
        self.moves: list[str] = []
        self.sides = ""
        self.casts: list[RecordedRoll] = []
        self.blasts: list[Explosion] = []
        self.mines: tuple[str, ...] = ()


def read(text: str) -> Record:
    """Return the game of a text, or raise `Malformed`: one game from the usual beginning, no variations."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"longer than {MAX_TEXT} characters")
    tags, body = _parted(text)
    if tags.get("FEN") or tags.get("Variant"):
        raise Malformed("only games from the usual beginning can be read")
    pages = _Pages()
    ending = _read_moves(pages, body)
    if tags.get("Result", ending) != ending:
        raise Malformed(f"Result is {tags['Result']}, but the moves end with {ending}")
    return Record(
        _heading(tags, ending),
        tuple(pages.moves),
        pages.sides,
        tuple(pages.casts),
        tuple(pages.blasts),
        pages.mines,
    )


def _parted(text: str) -> tuple[dict[str, str], str]:
    """Return the tags, and what follows them."""
    tags: dict[str, str] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("["):
            return tags, "\n".join(lines[number:])
        tag = _TAG.fullmatch(line)
        if tag is None or tag[1] in tags:
            raise Malformed(f"line {number + 1} is no tag, or a second one of its name")
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    raise Malformed("there are no moves")


def _heading(tags: dict[str, str], ending: str) -> Heading:
    day, number = tags.get("Date", ""), tags.get("Round", UNKNOWN)
    if number != UNKNOWN and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Malformed(f"Round is no number: {number}")
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
    raise Malformed(f"Date is no date: {text}")


def _options(text: str) -> Settings:
    chosen = Settings()
    for word in text.split():
        name, _, value = word.partition("=")
        if word in ("fog", "older", "trusting"):
            chosen = replace(chosen, **{name: True})
        elif name in ("mines", "rerolls") and value.isascii() and value.isdigit() and len(value) < 3:
            chosen = replace(chosen, **{name: int(value)})
        elif name == "dice" and value in list(DiceMode):
            chosen = replace(chosen, dice=DiceMode(value))
        else:
            raise Malformed(f"Qipai has a word that is not known: {word}")
    return chosen


def _read_moves(pages: _Pages, body: str) -> str:
    """Fill the pages; return the result that ends the moves."""
    at = 0
    while (token := _TOKEN.match(body, at)) is not None:
        at = token.end()
        if token["result"] is not None:
            if body[at:].strip():
                raise Malformed("something follows the game")
            return token["result"]
        if token["move"] is not None:
            _read_move(pages, token["move"])
        elif token["comment"] is not None:
            for name, words in _COMMAND.findall(token["comment"]):
                _read_command(pages, name, words.split())
    raise Malformed(f"no move and no result at character {at} of the moves")


def _read_move(pages: _Pages, san: str) -> None:
    if pages.apart:
        raise Malformed(f"{san} comes after moves that are apart")
    try:
        move = pages.board.parse_san(san)
    except ValueError as error:
        raise Malformed(str(error)) from None
    _add(pages, move.uci() if move else NULL)
    pages.board.push(move)


def _add(pages: _Pages, uci: str) -> None:
    if uci != NULL:
        pages.moves.append(uci)
        pages.sides += pages.turn
    pages.turn = "b" if pages.turn == "w" else "w"


def _read_command(pages: _Pages, name: str, words: list[str]) -> None:
    """Take up what a comment tells; other programs' commands tell us nothing."""
    ply = len(pages.moves)
    match name:
        case "moves":
            pages.apart = True
            for word in words:
                if word not in (NULL, UNKNOWN) and not _UCI.fullmatch(word):
                    raise Malformed(f"no move: {word}")
                _add(pages, "" if word == UNKNOWN else word)
        case "dice":
            if not _DICE.fullmatch(" ".join(words)) or len(words[0]) != len(words[2]):
                raise Malformed(f"no throw: {' '.join(words)}")
            pages.casts.append(RecordedRoll(ply, words[1], words[0], words[2], again=len(words) > 3))
        case "boom":
            (square,) = _squares(words[:1])
            if len(words) > 2 or not all(_PIECE.fullmatch(word) for word in words[1:]):
                raise Malformed(f"no piece: {' '.join(words)}")
            pages.blasts.append(Explosion(ply, square, "".join(words[1:])))
        case "mines":
            pages.mines = _squares(words)


def _squares(words: list[str]) -> tuple[str, ...]:
    if not words or not all(_SQUARE.fullmatch(word) for word in words):
        raise Malformed(f"no squares: {' '.join(words)}")
    return tuple(words)
