"""Chat: a limited number of lines, and spectators separated from players during a game."""

import pytest

from qipai.kernel.chat_lines import MAX_LINE, MAX_LINES, ChatLine, append_line, visible_lines
from qipai.kernel.commands import Play, Resign, Say
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_events import Said
from qipai.kernel.room_view import view
from qipai.kernel.view_values import chat_line_view

from .scripted_game import A, B, Do, RoomDriver


def texts(driver: RoomDriver, viewer: int) -> list[str]:
    shown = view(driver.rules, driver.room, SPECTATOR if viewer < 0 else (A, B)[viewer], Millis(0))
    return [line.text for line in shown.chat]


def test_all_viewers_read_a_players_line_with_the_name_of_the_seat() -> None:
    driver = RoomDriver()
    driver.do(A, Say("hello", name="系統"), 700)
    line = ChatLine(Millis(700), "Ann", "hello", A)
    assert driver.room.chat == (line,)
    assert driver.addressed_events == (AddressedEvent(Said(chat_line_view(line))),)
    for viewer in (A, B, SPECTATOR):
        assert texts(driver, viewer) == ["hello"]


def test_only_spectators_read_a_spectators_line_during_a_game() -> None:
    driver = RoomDriver()
    driver.do(SPECTATOR, Say("take the rook!", "Eve"), 0)
    line = ChatLine(Millis(0), "Eve", "take the rook!", spectators_only=True)
    assert driver.room.chat == (line,)
    assert driver.addressed_events == (AddressedEvent(Said(chat_line_view(line)), (SPECTATOR,)),)
    assert texts(driver, SPECTATOR) == ["take the rook!"]
    assert texts(driver, A) == texts(driver, B) == []


def test_a_line_for_spectators_stays_hidden_from_players_after_the_game() -> None:
    driver = RoomDriver()
    driver.do(SPECTATOR, Say("take the rook!", "Eve"), 0)
    driver.do(A, Resign(), 0)
    driver.do(SPECTATOR, Say("well played", "Eve"), 0)
    assert texts(driver, A) == ["well played"]
    assert texts(driver, SPECTATOR) == ["take the rook!", "well played"]
    assert driver.addressed_events[0].to is None


def test_players_read_the_lines_of_spectators_before_a_game() -> None:
    driver = RoomDriver(seated=1)
    driver.do(SPECTATOR, Say("hi", "Eve"), 0)
    assert driver.addressed_events[0].to is None
    assert texts(driver, A) == ["hi"]


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000"])
def test_an_empty_line_is_refused(text: str) -> None:
    assert RoomDriver().refuses(A, Say(text), 0) is Refusal.EMPTY
    assert RoomDriver().refuses(SPECTATOR, Say(text, "Eve"), 0) is Refusal.EMPTY


@pytest.mark.parametrize("actor", [SYSTEM, 2, 99, -5])
def test_an_actor_without_a_seat_cannot_write(actor: int) -> None:
    assert RoomDriver().refuses(actor, Say("boo", "系統"), 0) is Refusal.NOT_SEATED


def test_an_empty_seat_cannot_write() -> None:
    assert RoomDriver(seated=1).refuses(B, Say("boo"), 0) is Refusal.NOT_SEATED


def test_a_long_line_is_cut() -> None:
    driver = RoomDriver()
    driver.do(A, Say("x" * 5_000), 0)
    assert driver.room.chat[0].text == "x" * MAX_LINE


def test_only_the_last_lines_are_stored() -> None:
    driver = RoomDriver()
    for number in range(MAX_LINES + 30):
        driver.do((A, B)[number % 2], Say(str(number)), number)
    assert [line.text for line in driver.room.chat] == [str(number) for number in range(30, MAX_LINES + 30)]


def test_a_chat_line_changes_only_the_chat() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    before = driver.room
    driver.do(B, Say("hm"), 0)
    assert driver.room.position_version == before.position_version
    assert driver.state == before.state
    driver.do(B, Play(Do((A,))), 0, at_version=before.version)


def test_lines_are_appended_and_filtered() -> None:
    lines = tuple(
        ChatLine(Millis(number), "x", str(number), spectators_only=number % 2 == 0)
        for number in range(MAX_LINES)
    )
    assert append_line((), lines[0]) == lines[:1]
    assert append_line(lines, lines[0]) == (*lines[1:], lines[0])
    assert visible_lines(lines, spectator=True) == lines
    assert visible_lines(lines, spectator=False) == lines[1::2]
