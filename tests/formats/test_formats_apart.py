"""State, journal and native protocol have structs of their own: none is part of two of them."""

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.journal.record_conversion import (
    clock_plan_of,
    stored_clock_plan,
    stored_table_rules,
    table_rules_of,
)
from qipai.hall.journal.record_format import AnyRecord
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import RoomSnapshot
from qipai.kernel import view_values
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Command, LegacyTableRules, OpenRoom, TableRules
from qipai.kernel.room import Room
from qipai.kernel.room_events import RoomEvent
from qipai.protocol.intents import Intent
from qipai.protocol.notices import Notice, RoomEvents
from qipai.protocol.replay_json import Replay
from tools.wire_types import game_types, reachable

LEGACY = LegacyTableRules(host_starts=True, open_seats=True, chat_with_spectators=True)
PLAN = ClockPlan((1, 2), 3, 4, first_free=True)
RULES = TableRules(False, False, 1, PLAN, "title", 2, "bot", 3, False, LEGACY, True, True)
"""Table rules with no default value."""


def structs(*roots: Any) -> set[type[Struct]]:
    return {kind for kind in reachable(roots) if isinstance(kind, type) and issubclass(kind, Struct)}


STATE = structs(Room, OpenRoom, Command)
JOURNAL = structs(AnyRecord, RoomSnapshot)
WIRE = structs(Intent, Notice, RoomEvent, Replay)


def test_the_walk_finds_what_it_should() -> None:
    names = {kind.__name__ for kind in STATE}
    assert names >= {"Room", "TableRules", "LegacyTableRules", "ClockPlan", "TakenSeat", "Clock", "Offer"}
    assert names >= {"Declined", "ChatLine", "Outcome", "Play", "OpenRoom", "TakeSeat", "StartGame"}
    names = {kind.__name__ for kind in JOURNAL}
    assert names >= {"RoomSnapshot", "StoredSeat", "StoredOffer", "StoredTableRules", "PlayRecord"}
    names = {kind.__name__ for kind in WIRE}
    assert names >= {"OfferView", "ChatLineView", "OutcomeView", "TableRulesView", "ClockPlanView"}


def test_no_struct_is_part_of_two_of_state_journal_and_wire() -> None:
    assert set() == STATE & WIRE
    assert set() == STATE & JOURNAL
    assert set() == JOURNAL & WIRE


def test_the_notice_of_a_move_needs_no_conversion() -> None:
    names = {kind.__name__ for kind in structs(RoomEvents)}
    assert names == {"RoomEvents", "ClockView"}


def test_every_field_of_the_room_and_of_every_command_is_stored() -> None:
    common = {"actor", "nonce", "entropy", "format", "rules"}
    for command in (OpenRoom, *get_args(Command)):
        record = next(kind for kind in get_args(AnyRecord) if kind.__name__ == f"{command.__name__}Record")
        assert set(record.__struct_fields__) == set(command.__struct_fields__) | common
    assert set(RoomSnapshot.__struct_fields__) == set(Room.__struct_fields__) | {"format", "rules"}


def test_table_rules_survive_every_conversion() -> None:
    assert not any(
        getattr(RULES, field.name) == field.default for field in msgspec.structs.fields(TableRules)
    ), "a default value would show nothing"
    assert table_rules_of(stored_table_rules(RULES)) == RULES
    assert clock_plan_of(stored_clock_plan(PLAN)) == PLAN
    assert view_values.table_rules_of(view_values.table_rules_view(RULES)) == RULES
    assert view_values.clock_plan_of(view_values.clock_plan_view(PLAN)) == PLAN


def test_default_values_are_neither_stored_nor_sent() -> None:
    plan = ClockPlan((0,), move=30_000)
    for rules in (TableRules(clock=plan), TableRules(clock=plan, legacy=LegacyTableRules())):
        assert table_rules_of(stored_table_rules(rules)) == rules
        assert encode(stored_table_rules(rules)) == b'{"clock":{"move":30000}}'
        # Clients are told whether lag is compensated: its default depends on the clock.
        sent = b'{"clock":{"move":30000,"lag_compensation":false}}'
        assert encode(view_values.table_rules_view(rules)) == sent


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_is_stored_of_a_game_has_no_struct_of_the_room(game: Game) -> None:
    stored = structs(game.rules.state_type, game.rules.move_type, game.rules.option_type)
    assert stored & STATE == set()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_clients_see_of_a_game_has_no_struct_of_the_room_or_the_journal(game: Game) -> None:
    shown = structs(*game_types(game).values())
    assert shown & (STATE | JOURNAL) == set()
