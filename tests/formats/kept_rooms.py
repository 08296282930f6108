"""Rooms to keep: every game with every option that matters, rooms of older clients, every command."""

from collections.abc import Iterator
from typing import Any, Final

from qipai.games.chess import wire_types as chess
from qipai.games.gomoku import wire_types as gomoku
from qipai.games.gomoku.wire_types import Choice
from qipai.games.mahjong import wire_types as mahjong
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.chat_lines import Phrase
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import (
    AnswerOffer,
    Close,
    Disconnected,
    LegacyTableRules,
    MakeOffer,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    SetPhrasesOnly,
    StartGame,
    TableRules,
    TakeSeat,
    TimeUp,
    TransferSeat,
    WithdrawOffer,
)
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Advanced, AnyRoom
from qipai.testing.runs import Opening, Run, journal, live, random_actions
from tests.laws.subjects import SUBJECTS
from tests.support.journal_writer import NOON, JournalWriter

History = tuple[list[Entry], list[AnyRoom]]
"""The records of a room, and the room at each version."""

A, B = Seat(0), Seat(1)
PLAN: Final = ClockPlan(main=(120_000, 90_000), increment=1_500, move=60_000, first_free=True)
SUBJECT_NAMES: Final = ("tictactoe", "gomoku", "chess", "chess fog", "mahjong")
SEEDS: Final = range(20)
LENGTH: Final = 160


def histories() -> Iterator[tuple[str, History]]:
    """Yield each room to keep, with a name for its file."""
    for name in SUBJECT_NAMES:
        for option in range(len(SUBJECTS[name].options)):
            yield f"{name.replace(' ', '-')}-{option}", _random_history(name, option)
    yield "host-starts", _host_starts()
    yield "unchecked-moves", _unchecked_moves()
    yield "open-seats", _open_seats()
    yield "chat-with-spectators", _chat_with_spectators()
    yield "all-commands", _all_commands()


def gomoku_histories() -> Iterator[tuple[str, History]]:
    """Yield rooms of gomoku with each opening rule and board size, with a name for the file of each."""
    first, more = _places(15, 112, 113, 98), _places(15, 97, 126)
    white, black, two = map(gomoku.Choose, (Choice.WHITE, Choice.BLACK, Choice.TWO_MORE))
    yield "swap2-white", _gomoku_game({"rule": "swap2"}, *first, white, *_places(15, 97, 0, 224))
    yield "swap2-two-more", _gomoku_game({"rule": "swap2"}, *first, two, *more, white, *_places(15, 0))
    large = {"rule": "swap2", "size": 19}
    yield "swap2-19", _gomoku_game(large, *_places(19, 360, 359, 340), black, *_places(19, 0, 18))
    # Black has two crossing pairs, so that the point between them is a double-three.
    cross = _places(15, 111, 210, 127, 14, 142, 0, 110, 224)
    yield "renju-forbidden", _gomoku_game({"rule": "renju"}, *cross)
    five = _places(19, 290, 0, 291, 2, 292, 4, 293, 6, 294)
    yield "renju-19", _gomoku_game({"rule": "renju", "size": 19}, *five)
    yield "free-19", _gomoku_game({"size": 19}, *_places(19, 360, 255, 256, 18))


def _places(size: int, *cells: int) -> list[gomoku.Place]:
    return [gomoku.PLACES_OF[size][cell] for cell in cells]


def _gomoku_game(options: dict[str, Any], *moves: gomoku.Move) -> History:
    """Return a room with these moves; if the game goes on, its last move is undone and made again."""
    writer = _Writer("gomoku", TableRules(clock=PLAN), options)
    writer.take_seats("Ada", "Bo")
    writer.play(*moves)
    if writer.room.result is None:
        writer.do(A, MakeOffer(OfferKind.UNDO))
        writer.do(B, AnswerOffer(1, yes=True))
        writer.play(moves[-1])
    return writer.history


def _random_history(name: str, option: int) -> History:
    """Return the run of this option with the most kinds of commands and events."""
    run = max((_run(name, option, seed) for seed in SEEDS), key=_variety)
    return journal(run), run.rooms


def _run(name: str, option: int, seed: int) -> Run:
    subject = SUBJECTS[name]
    opening = Opening(option, PLAN, 30, bytes(range(seed, seed + 32)))
    return live(subject, opening, subject.game.rules.seats, random_actions(seed, LENGTH))


def _variety(run: Run) -> tuple[int, int]:
    taken = [step for step in run.run_steps if isinstance(step.result, Advanced)]
    kinds: set[Any] = {type(step.command) for step in taken}
    for step in taken:
        assert isinstance(step.result, Advanced)
        kinds |= {type(addressed.event) for addressed in step.result.events}
    return len(kinds), len(taken)


class _Writer(JournalWriter):
    """Keeps the room at each version too."""

    def __init__(self, game: str, table: TableRules, options: Any = None) -> None:
        super().__init__(game, options, table)
        self.rooms = [self.room]

    def do(self, actor: Seat, command: Any) -> None:
        super().do(actor, command)
        self.rooms.append(self.room)

    @property
    def history(self) -> History:
        return self.entries, self.rooms


def _host_starts() -> History:
    """Return a room of two chess clients: dice, mines that the host placed, and a second game."""
    writer = _Writer("chess", TableRules(legacy=LegacyTableRules(host_starts=True)))
    for name in ("Ada", "Bo"):
        writer.do(SYSTEM, TakeSeat(Person(name), name, sees_hidden=True))
    plan = ClockPlan((300_000, 200_000), 2_000, first_free=True)
    options = chess.Settings(dice=chess.DiceMode.SEQUENTIAL, mines=3, white=B, legacy_rules=True)
    writer.do(A, StartGame(options, plan, bytes((20, 27, 35))))
    writer.do(B, Play(chess.SetDice("PNB")))
    writer.play_on(12)
    writer.do(A, MakeOffer(OfferKind.DRAW))
    writer.do(B, AnswerOffer(1, yes=True))
    writer.do(A, StartGame(chess.Settings(fog=True, legacy_rules=True), None))
    writer.play_on(6)
    return writer.history


def _unchecked_moves() -> History:
    """Return a room of chess clients with rules of their own."""
    writer = _Writer("chess", TableRules(legacy=LegacyTableRules(host_starts=True)))
    writer.take_seats("Ada", "Bo")
    writer.do(A, StartGame(chess.Settings(legacy_rules=True, unchecked_moves=True), PLAN))
    writer.do(A, Play(chess.Move("a1h8")))
    writer.do(B, Resign())
    writer.do(SYSTEM, Close())
    return writer.history


def _open_seats() -> History:
    """Return a prepared game of mahjong clients: reserved seats, one of them taken with a move."""
    legacy = LegacyTableRules(open_seats=True)
    table = TableRules(
        public=False, clock=ClockPlan(), empty_timeout=600, substitute_bot="normal", legacy=legacy
    )
    writer = _Writer("mahjong", table)
    for number in range(4):
        writer.do(SYSTEM, TakeSeat(Person(f"vacant:{number}"), "", Seat(number), reserved=True))
    seat = writer.acting
    tile = next(
        move for move in writer.game.rules.legal(writer.room.state, seat) if isinstance(move, mahjong.Discard)
    )
    writer.do(SYSTEM, TakeSeat(Person("Ada"), "Ada", seat, move=tile))
    writer.play_on(30)
    return writer.history


def _chat_with_spectators() -> History:
    """Return a room of gomoku clients that is closed in the middle of a game."""
    legacy = LegacyTableRules(chat_with_spectators=True)
    table = TableRules(disconnect_timeout=120, clock=ClockPlan(move=30_000), title="五子棋", legacy=legacy)
    writer = _Writer("gomoku", table)
    writer.take_seats("Ada", "Bo", player_entropy=b"luck")
    writer.play_on(5)
    writer.do(SPECTATOR, Say("nice move", "Cy"))
    writer.do(A, MakeOffer(OfferKind.UNDO))
    writer.do(SYSTEM, Close())
    return writer.history


def _all_commands() -> History:
    """Return a room with the commands that random runs do not have, and every table rule."""
    table = TableRules(
        spectators=True,
        disconnect_timeout=0,
        clock=ClockPlan(main=(60_000,), increment=1_000),
        title="Club night",
        empty_timeout=30,
        spectator_delay=120,
        undo_allowed=False,
        sees_hidden_allowed=True,
        rated=True,
    )
    writer = _Writer("gomoku", table)
    writer.do(SYSTEM, TakeSeat(Person("Ada"), "Ada", A, player_entropy=b"heads", bot_account=True))
    writer.do(SYSTEM, TakeSeat(Person("bot:easy:1"), "Easy", B, "easy"))
    writer.do(A, Say("", phrase=Phrase.GOOD_LUCK))
    writer.do(A, SetPhrasesOnly(on=True))
    writer.do(SYSTEM, Disconnected(A))
    writer.do(SYSTEM, TransferSeat(A, Person("Ada"), Person("Ada's phone")))
    writer.do(SYSTEM, Disconnected(A))
    writer.do(SYSTEM, OutageEnded(Millis(NOON + 8_000), Millis(5_000)))
    writer.do(SYSTEM, Reconnected(A))
    writer.do(writer.acting, Play(gomoku.Place(7, 7)))
    writer.do(A, MakeOffer(OfferKind.DRAW))
    writer.do(A, WithdrawOffer(1))
    writer.play_on(3)
    writer.late(120_000)
    writer.do(SYSTEM, TimeUp())
    return writer.history
