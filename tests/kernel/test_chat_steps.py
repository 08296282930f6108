"""Phrases, the host, and a chat restricted to phrases."""

import pytest
from msgspec.structs import replace

from qipai.kernel.chat_lines import COMMON, ENGLISH, ChatLine, Phrase
from qipai.kernel.commands import LeaveSeat, Say, SetPhrasesOnly, TableRules, TakeSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Unchanged
from qipai.kernel.room_events import HostChanged, PhrasesOnlySet, Said
from qipai.kernel.room_view import view
from qipai.kernel.view_values import chat_line_view

from .scripted_game import A, B, C, RoomDriver, ScriptedRules


def seated(*seats: int) -> RoomDriver:
    """Return a room of three whose seats are taken in this order, one second apart."""
    driver = RoomDriver(ScriptedRules(seats=3), seated=0)
    for number, seat in enumerate(seats, 1):
        command = TakeSeat(Person(f"p{seat}"), f"P{seat}", (A, B, C)[seat])
        driver.do(SYSTEM, command, number * 1000)
    return driver


# Phrases


def test_every_phrase_has_an_english_text() -> None:
    assert set(ENGLISH) == set(Phrase)
    assert all(text.strip() == text != "" for text in ENGLISH.values())
    assert len(COMMON) == 20


def test_a_phrase_has_its_english_text_and_ignores_the_text_sent_with_it() -> None:
    driver = RoomDriver()
    driver.do(A, Say("something else", "", Phrase.GOOD_LUCK), 5)
    line = ChatLine(Millis(5), "Ann", "Good luck!", A, phrase=Phrase.GOOD_LUCK)
    assert driver.addressed_events == (AddressedEvent(Said(chat_line_view(line))),)
    assert driver.room.chat == (line,)


def test_only_spectators_receive_a_spectators_phrase_during_a_game() -> None:
    driver = RoomDriver()
    driver.do(SPECTATOR, Say("", "Eve", Phrase.WOW), 0)
    assert driver.addressed_events[0].to == (SPECTATOR,)
    assert driver.room.chat[0].phrase is Phrase.WOW


# The host


def test_the_player_seated_longest_is_the_host() -> None:
    driver = seated(2, 0)
    assert driver.room.host == C
    assert view(driver.rules, driver.room, SPECTATOR, Millis(0)).host == C
    driver.do(SYSTEM, TakeSeat(Person("p1"), "P1", B), 9_000)
    assert driver.room.host == C
    driver.do(C, LeaveSeat(), 10_000)
    assert driver.room.host == A
    assert HostChanged(A) in driver.events


def test_a_bot_is_never_the_host() -> None:
    driver = RoomDriver(ScriptedRules(seats=3), seated=0)
    driver.room = replace(driver.room, table=TableRules(substitute_bot="easy"))
    driver.do(SYSTEM, TakeSeat(Person("bot"), "Easy", A, "easy"), 0)
    driver.do(SYSTEM, TakeSeat(Person("b"), "Bob", B), 5)
    driver.do(SYSTEM, TakeSeat(Person("c"), "Cyd", C), 6)
    assert driver.room.host == B
    driver.do(B, LeaveSeat(), 7)
    assert driver.room.seats[B] is not None, "a substitute bot plays on"
    assert driver.room.host == C
    assert driver.refuses(A, SetPhrasesOnly(on=True), 8) is Refusal.NOT_HOST


def test_the_host_restricts_the_chat_to_phrases_and_lifts_the_restriction() -> None:
    driver = seated(1, 0, 2)
    driver.do(B, SetPhrasesOnly(on=True), 5_000)
    assert driver.addressed_events == (AddressedEvent(PhrasesOnlySet(B, on=True)),)
    assert view(driver.rules, driver.room, A, Millis(0)).phrases_only
    for actor in (A, B, SPECTATOR):
        assert driver.refuses(actor, Say("hello", "Eve"), 6_000) is Refusal.PHRASES_ONLY
        driver.do(actor, Say("", "Eve", Phrase.HELLO), 6_000)
    driver.do(B, SetPhrasesOnly(on=False), 7_000)
    assert not driver.room.phrases_only
    driver.do(A, Say("hello"), 8_000)


@pytest.mark.parametrize("actor", [A, C, SPECTATOR, SYSTEM, 7, -5])
def test_only_the_host_restricts_the_chat(actor: int) -> None:
    assert seated(1, 0, 2).refuses(actor, SetPhrasesOnly(on=True), 5_000) is Refusal.NOT_HOST


def test_setting_phrases_only_to_the_same_value_changes_nothing() -> None:
    driver = seated(0)
    assert driver.try_(A, SetPhrasesOnly(on=False), 5_000) == Unchanged()


def test_empty_lines_and_missing_seats_are_refused_before_phrases_only() -> None:
    driver = seated(0)
    driver.do(A, SetPhrasesOnly(on=True), 5_000)
    assert driver.refuses(A, Say(" "), 5_000) is Refusal.EMPTY
    assert driver.refuses(B, Say("hello"), 5_000) is Refusal.NOT_SEATED
