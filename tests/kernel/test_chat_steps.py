"""Phrases, and a chat that its host has closed for everything else."""

import pytest
from msgspec.structs import replace

from qipai.kernel.chat import ChatLine
from qipai.kernel.commands import LeaveSeat, Say, SetPhrasesOnly, TableRules, TakeSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person
from qipai.kernel.phrases import COMMON, ENGLISH, Phrase
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Unchanged
from qipai.kernel.room_events import HostChanged, PhrasesOnlySet, Said
from qipai.kernel.room_view import view

from .puppet import A, B, Bench, C, Puppet


def people(*seats: int) -> Bench:
    """Return a table of three where people sit down in this order, one second after another."""
    bench = Bench(Puppet(seats=3), seated=0)
    for number, seat in enumerate(seats, 1):
        sit = TakeSeat(Person(f"p{seat}"), f"P{seat}", (A, B, C)[seat])
        bench.do(SYSTEM, sit, number * 1000)
    return bench


# Phrases


def test_every_phrase_has_words_for_clients_that_know_none() -> None:
    assert set(ENGLISH) == set(Phrase)
    assert all(words.strip() == words != "" for words in ENGLISH.values())
    assert len(COMMON) == 20


def test_a_phrase_is_told_with_its_english_words_whatever_text_comes_with_it() -> None:
    bench = Bench()
    bench.do(A, Say("something else", "", Phrase.GOOD_LUCK), 5)
    line = ChatLine(Millis(5), "Ann", "Good luck!", A, phrase=Phrase.GOOD_LUCK)
    assert bench.told == (AddressedEvent(Said(line)),)
    assert bench.room.chat == (line,)


def test_a_watchers_phrase_is_for_watchers_while_a_game_runs() -> None:
    bench = Bench()
    bench.do(SPECTATOR, Say("", "Eve", Phrase.WOW), 0)
    assert bench.told[0].to == (SPECTATOR,)
    assert bench.room.chat[0].phrase is Phrase.WOW


# The host


def test_the_host_is_whoever_has_sat_longest() -> None:
    bench = people(2, 0)
    assert bench.room.host == C
    assert view(bench.rules, bench.room, SPECTATOR, Millis(0)).host == C
    bench.do(SYSTEM, TakeSeat(Person("p1"), "P1", B), 9_000)
    assert bench.room.host == C
    bench.do(C, LeaveSeat(), 10_000)
    assert bench.room.host == A
    assert HostChanged(A) in bench.events


def test_a_bot_is_never_the_host() -> None:
    bench = Bench(Puppet(seats=3), seated=0)
    bench.room = replace(bench.room, table=TableRules(substitute_bot="easy"))
    bench.do(SYSTEM, TakeSeat(Person("bot"), "Easy", A, "easy"), 0)
    bench.do(SYSTEM, TakeSeat(Person("b"), "Bob", B), 5)
    bench.do(SYSTEM, TakeSeat(Person("c"), "Cyd", C), 6)
    assert bench.room.host == B
    bench.do(B, LeaveSeat(), 7)
    assert bench.room.seats[B] is not None, "a bot goes on for him"
    assert bench.room.host == C
    assert bench.refuses(A, SetPhrasesOnly(on=True), 8) is Refusal.NOT_HOST


def test_the_host_closes_the_chat_for_all_but_phrases_and_opens_it_again() -> None:
    bench = people(1, 0, 2)
    bench.do(B, SetPhrasesOnly(on=True), 5_000)
    assert bench.told == (AddressedEvent(PhrasesOnlySet(B, on=True)),)
    assert view(bench.rules, bench.room, A, Millis(0)).phrases_only
    for actor in (A, B, SPECTATOR):
        assert bench.refuses(actor, Say("hello", "Eve"), 6_000) is Refusal.PHRASES_ONLY
        bench.do(actor, Say("", "Eve", Phrase.HELLO), 6_000)
    bench.do(B, SetPhrasesOnly(on=False), 7_000)
    assert not bench.room.phrases_only
    bench.do(A, Say("hello"), 8_000)


@pytest.mark.parametrize("actor", [A, C, SPECTATOR, SYSTEM, 7, -5])
def test_nobody_else_closes_it(actor: int) -> None:
    assert people(1, 0, 2).refuses(actor, SetPhrasesOnly(on=True), 5_000) is Refusal.NOT_HOST


def test_closing_a_closed_chat_changes_nothing() -> None:
    bench = people(0)
    assert bench.try_(A, SetPhrasesOnly(on=False), 5_000) == Unchanged()


def test_an_empty_line_says_so_and_a_stranger_is_one_even_where_the_chat_is_closed() -> None:
    bench = people(0)
    bench.do(A, SetPhrasesOnly(on=True), 5_000)
    assert bench.refuses(A, Say(" "), 5_000) is Refusal.EMPTY
    assert bench.refuses(B, Say("hello"), 5_000) is Refusal.NOT_SEATED
