"""Chat: a bounded tail, and watchers kept apart while a game runs."""

import pytest

from qipai.kernel.chat import MAX_LINE, MAX_LINES, ChatLine, append_line, visible_lines
from qipai.kernel.commands import Play, Resign, Say
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_events import Said
from qipai.kernel.room_view import view

from .puppet import A, B, Bench, Do


def texts(bench: Bench, viewer: int) -> list[str]:
    shown = view(bench.rules, bench.room, SPECTATOR if viewer < 0 else (A, B)[viewer], Millis(0))
    return [line.text for line in shown.chat]


def test_a_seat_speaks_to_everybody_under_its_own_name() -> None:
    bench = Bench()
    bench.do(A, Say("hello", name="系統"), 700)
    line = ChatLine(Millis(700), "Ann", "hello", A)
    assert bench.room.chat == (line,)
    assert bench.told == (AddressedEvent(Said(line)),)
    for viewer in (A, B, SPECTATOR):
        assert texts(bench, viewer) == ["hello"]


def test_a_watcher_speaks_to_watchers_only_while_a_game_runs() -> None:
    bench = Bench()
    bench.do(SPECTATOR, Say("take the rook!", "Eve"), 0)
    line = ChatLine(Millis(0), "Eve", "take the rook!", spectators_only=True)
    assert bench.room.chat == (line,)
    assert bench.told == (AddressedEvent(Said(line), (SPECTATOR,)),)
    assert texts(bench, SPECTATOR) == ["take the rook!"]
    assert texts(bench, A) == texts(bench, B) == []


def test_what_was_said_aside_stays_aside_after_the_game() -> None:
    bench = Bench()
    bench.do(SPECTATOR, Say("take the rook!", "Eve"), 0)
    bench.do(A, Resign(), 0)
    bench.do(SPECTATOR, Say("well played", "Eve"), 0)
    assert texts(bench, A) == ["well played"]
    assert texts(bench, SPECTATOR) == ["take the rook!", "well played"]
    assert bench.told[0].to is None


def test_before_the_game_everybody_hears_everybody() -> None:
    bench = Bench(seated=1)
    bench.do(SPECTATOR, Say("hi", "Eve"), 0)
    assert bench.told[0].to is None
    assert texts(bench, A) == ["hi"]


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000"])
def test_nothing_said_is_refused(text: str) -> None:
    assert Bench().refuses(A, Say(text), 0) is Refusal.EMPTY
    assert Bench().refuses(SPECTATOR, Say(text, "Eve"), 0) is Refusal.EMPTY


@pytest.mark.parametrize("actor", [SYSTEM, 2, 99, -5])
def test_nobody_else_speaks(actor: int) -> None:
    assert Bench().refuses(actor, Say("boo", "系統"), 0) is Refusal.NOT_SEATED


def test_an_empty_seat_does_not_speak() -> None:
    assert Bench(seated=1).refuses(B, Say("boo"), 0) is Refusal.NOT_SEATED


def test_a_line_is_cut() -> None:
    bench = Bench()
    bench.do(A, Say("x" * 5_000), 0)
    assert bench.room.chat[0].text == "x" * MAX_LINE


def test_only_the_last_lines_are_kept() -> None:
    bench = Bench()
    for number in range(MAX_LINES + 30):
        bench.do((A, B)[number % 2], Say(str(number)), number)
    assert [line.text for line in bench.room.chat] == [str(number) for number in range(30, MAX_LINES + 30)]


def test_talking_changes_nothing_but_the_chat() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    before = bench.room
    bench.do(B, Say("hm"), 0)
    assert bench.room.position_version == before.position_version
    assert bench.state == before.state
    bench.do(B, Play(Do((A,))), 0, at_version=before.version)


def test_the_tail_is_a_function_of_lines() -> None:
    lines = tuple(
        ChatLine(Millis(number), "x", str(number), spectators_only=number % 2 == 0)
        for number in range(MAX_LINES)
    )
    assert append_line((), lines[0]) == lines[:1]
    assert append_line(lines, lines[0]) == (*lines[1:], lines[0])
    assert visible_lines(lines, spectator=True) == lines
    assert visible_lines(lines, spectator=False) == lines[1::2]
