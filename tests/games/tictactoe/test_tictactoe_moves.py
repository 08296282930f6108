"""Tic-tac-toe moves from the wire: an integer cell or nothing."""

from typing import Any

import msgspec
import pytest

from qipai.games.game_registry import GAMES
from qipai.games.tictactoe.rules import Mark, Next, Options
from qipai.kernel.codec import Malformed, decode_frame
from qipai.protocol.intents import Intent, Play

GAME = GAMES["tictactoe"]
INTENTS = msgspec.json.Decoder(Intent)

BAD_CELLS = (
    "true",
    "false",
    "null",
    '"4"',
    '""',
    "4.0",
    "4.5",
    "1e0",
    "[4]",
    "{}",
    "-1",
    "9",
    "99999999999999999999",
)
BAD_MOVES = (
    "null",
    "4",
    "[]",
    "{}",
    '"mark"',
    '{"do":"mark"}',
    '{"cell":4}',
    '{"do":"jump","cell":4}',
    '{"do":["mark"],"cell":4}',
    '{"do":null,"cell":4}',
    '{"do":"mark","cell":4,"seat":1}',
    '{"do":"next","cell":4}',
    '{"do":"mark","row":1,"col":1}',
    *(f'{{"do":"mark","cell":{cell}}}' for cell in BAD_CELLS),
)


@pytest.mark.parametrize("cell", range(9))
def test_each_cell_can_be_marked(cell: int) -> None:
    raw = f'{{"do":"mark","cell":{cell}}}'.encode()
    assert GAME.decode_move(raw) == Mark(cell)
    assert GAME.read_move(msgspec.json.decode(raw), 1) == Mark(cell)


def test_the_next_round_can_be_asked_for() -> None:
    assert GAME.decode_move(b'{"do":"next"}') == Next()
    assert GAME.read_move({"do": "next"}, 1) == Next()


@pytest.mark.parametrize("raw", BAD_MOVES)
def test_anything_else_is_no_move(raw: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        GAME.decode_move(raw.encode())
    with pytest.raises(Malformed):
        GAME.read_move(msgspec.json.decode(raw), 1)


@pytest.mark.parametrize(
    "move",
    [
        b'{"do":"\xff"}',
        b'{"do":"mark","cell":1,"\xff":1}',
        b'{"do":"mark","cell":"\xff"}',
        b'"\xff"',
        b'{"do":"mark","cell":1e999}',
        b'{"do":"mark","cell":' + b"9" * 5_000 + b"}",
    ],
)
def test_a_bad_move_inside_a_frame_is_malformed_or_no_move_and_nothing_worse(move: bytes) -> None:
    # A frame's reader does not look into the move; what it lets through must fail as a bad move does.
    try:
        intent = decode_frame(INTENTS.decode, b'{"type":"play","room":"r","move":' + move + b"}")
    except Malformed:
        return
    assert isinstance(intent, Play)
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        GAME.decode_move(intent.move)


@pytest.mark.parametrize("value", [None, {}])
def test_there_is_nothing_to_choose(value: Any) -> None:
    assert GAME.read_chosen_options(value) == Options()


@pytest.mark.parametrize("value", [{"rounds": 7}, [], "x", 1, True])
def test_other_options_are_malformed(value: Any) -> None:
    with pytest.raises(Malformed):
        GAME.read_chosen_options(value)


@pytest.mark.parametrize("move", [Mark(3), Next()])
def test_a_move_is_written_as_it_is_read(move: Mark | Next) -> None:
    assert GAME.decode_move(msgspec.json.encode(move)) == move
