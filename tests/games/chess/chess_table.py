"""Games of chess for the tests: given positions, given dice, and the events of each viewer."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

import chess
import msgspec
from msgspec.structs import replace

from qipai.games.chess import dice_rules, position
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import DIE_KINDS, AnyMove, CurrentDice, DiceMode, Move, Settings, View
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand, StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

A, B = Seat(0), Seat(1)
VIEWERS = (A, B, SPECTATOR)
START = chess.STARTING_FEN
SEQUENTIAL, FREE = DiceMode.SEQUENTIAL, DiceMode.FREE
PLAIN = Settings()
PIECES = {letter: kind for kind, letter in enumerate(" PNBRQK") if kind}


class FixedRandom(Random):
    """Dice that fall as a test says: letters of sequential dice or plain numbers; then they stick."""

    __slots__ = ("script",)

    def __init__(self, script: Iterable[str | int] = ()) -> None:
        super().__init__(bytes(32))
        self.script = [letter for letter in script if letter != " "]

    def below(self, bound: int) -> int:
        assert self.script, "more chance was asked for than the test has laid ready"
        self.position += 1
        fall = self.script.pop(0)
        if isinstance(fall, str):
            assert bound == len(DIE_KINDS), "a die of five kinds"
            fall = DIE_KINDS.index(fall)
        assert fall < bound
        return fall


def chance(number: int) -> Random:
    """Return dice that follow from a number."""
    return Random(random.Random(number).randbytes(32))


def cells(names: str) -> bytes:
    """Return squares by their names as a host brings them."""
    return bytes(chess.parse_square(name) for name in names.split())


def deal(
    options: Settings, dice: Random | None = None, mines: str = "", sees_hidden: Sequence[Seat] = ()
) -> State:
    """Return a game that has just begun."""
    return RULES.deal(
        options,
        dice or chance(0),
        None,
        StartConditions(host_data=cells(mines), sees_hidden=tuple(sees_hidden)),
    )


def game_at(
    fen: str,
    options: Settings = PLAIN,
    *,
    rolled: str = "",
    dice: Random | None = None,
    mines: str = "",
    sees_hidden: Sequence[Seat] = (),
) -> State:
    """Return a game that begins in a position; with dice, these fall first."""
    board = chess.Board(fen)
    dealt = deal(replace(options, dice=DiceMode.NONE), mines=mines, sees_hidden=sees_hidden)
    state = replace(
        dealt,
        fen=fen,
        turn=Seat(dealt.white if board.turn else 1 - dealt.white),
        position_keys=(position.position_key(fen),),
        check=board.is_check(),
        draw_claim="fifty" if board.halfmove_clock >= 100 else "",
        options=options,
        is_standard=dealt.is_standard and not options.dice,
    )
    if not options.dice:
        return state
    assert board.turn, "white rolls first"
    if options.dice is FREE and rolled:
        movable = [kind for kind in "PRNBQK" if moves_of(fen, kind)]
        dice = FixedRandom(movable.index(kind) for kind in rolled)
    return dice_rules.start_game(state, dice or FixedRandom(rolled))


def view(state: State, viewer: Seat = SPECTATOR) -> View:
    """Return what a viewer is shown."""
    shown = RULES.view(state, viewer)
    assert isinstance(shown, View)
    return shown


def dice_of(state: State, viewer: Seat = SPECTATOR) -> CurrentDice:
    """Return the dice on the table."""
    shown = view(state, viewer).dice
    assert shown is not None
    return shown


def actor(state: State) -> Seat:
    """Return the only seat that may act."""
    (seat,) = RULES.to_act(state)
    return seat


def legal(state: State, seat: Seat | None = None) -> set[str]:
    """Return the UCI moves that a seat (default: the seat to act) may make."""
    moves = RULES.legal(state, actor(state) if seat is None else seat)
    return {move.uci for move in moves if isinstance(move, Move)}


def other_moves(state: State, seat: Seat | None = None) -> set[type]:
    """Return what else a seat may do."""
    moves = RULES.legal(state, actor(state) if seat is None else seat)
    return {type(move) for move in moves if not isinstance(move, Move)}


def as_move(what: str | AnyMove) -> AnyMove:
    """Return a move; a text is UCI's notation."""
    return Move(what) if isinstance(what, str) else what


def play(
    state: State,
    *moves: str | AnyMove,
    dice: Random | None = None,
    events: list[AddressedEvent] | None = None,
) -> State:
    """Return the state after moves of the seat to act; `events` is set to those of the last one."""
    dice = dice or chance(1)
    for move in moves:
        turn = RULES.play(state, actor(state), as_move(move), dice)
        if events is not None:
            events[:] = turn.events
        state = turn.state
    return state


def events_for(events: Iterable[AddressedEvent], viewer: Seat) -> list[Any]:
    """Return the events for a viewer."""
    return [one.event for one in events if one.to is None or viewer in one.to]


def refusal(
    state: State, what: str | AnyMove, seat: Seat | None = None, dice: Random | None = None
) -> Refusal | None:
    """Return why a move is refused, or None if it is accepted."""
    try:
        RULES.play(state, actor(state) if seat is None else seat, as_move(what), dice or chance(1))
    except IllegalCommand as no:
        return no.code
    return None


def moves_of(fen: str, kinds: str = "PNBRQK") -> set[str]:
    """Return the moves that chess knows in a position, of some kinds of pieces."""
    board = chess.Board(fen)
    allowed = {PIECES[kind] for kind in kinds}
    return {move.uci() for move in board.legal_moves if board.piece_type_at(move.from_square) in allowed}


def same(fen: str) -> str:
    """Return a position in one spelling: en passant only where it can be played."""
    return chess.Board(fen).fen(en_passant="legal")


def stored(state: State) -> State:
    """Return the state after it was written and read."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def encode(value: Any) -> bytes:
    """Return the encoded bytes of a value, to compare values."""
    return msgspec.json.encode(value)
