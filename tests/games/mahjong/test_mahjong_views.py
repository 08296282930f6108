"""Views and events of mahjong: enough to follow the game, and hints about the own hand."""

from itertools import product
from typing import assert_never

import msgspec
import pytest
from msgspec.structs import astuple, replace

from qipai.games.mahjong.events import (
    ClaimAnswered,
    DiceRolled,
    Discarded,
    Drew,
    GameEvent,
    HandEnded,
    HandStarted,
    Melded,
    PrivateViewChanged,
    TurnChanged,
)
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import (
    AllowedHints,
    DiscardedTile,
    Form,
    Kong,
    Options,
    Player,
    Settings,
    Size,
    Stage,
    View,
)
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random

from .mahjong_walls import (
    SEATS,
    anything,
    drop,
    eager,
    held,
    idle,
    kind,
    mine,
    named,
    passes,
    table,
    turn,
    waiting,
)

VIEWERS = (*SEATS, SPECTATOR)
FROM_HAND = {Form.CHOW: 2, Form.PONG: 2, Form.KONG: 3, Form.CONCEALED: 4, Form.ADDED: 1}


def changed(view: View, seat: int, player: Player) -> View:
    four = [*view.players[:seat], player, *view.players[seat + 1 :]]
    return replace(view, players=(four[0], four[1], four[2], four[3]))


def follow(view: View, event: GameEvent, viewer: Seat) -> View:
    """Return a client's view after an event, from its view before and the event only."""
    match event:
        case HandStarted(position) | HandEnded(position):
            return position
        case DiceRolled(dice, dealer):
            if dealer is None:
                return replace(view, seating=dice)
            view = replace(view, choosing=dice, dealer=dealer)
            for seat in SEATS:
                view = changed(view, seat, replace(view.players[seat], wind=(seat - dealer) % 4))
            return view
        case Drew(seat, _, flowers, empty, pending):
            player = view.players[seat]
            count = player.count + (not empty and not pending)
            return changed(view, seat, replace(player, count=count, flowers=(*player.flowers, *flowers)))
        case Discarded(seat, tile, ready):
            player = view.players[seat]
            put = replace(
                player,
                count=player.count - 1,
                discards=(*player.discards, DiscardedTile(tile)),
                ready=player.ready or ready,
            )
            return replace(changed(view, seat, put), last=tile, discarder=seat)
        case ClaimAnswered(seat, vote):
            view = replace(view, answered=tuple(sorted({*view.answered, seat})))
            if seat == viewer and view.private is not None:
                view = replace(view, private=replace(view.private, answer=vote))
            return view
        case Melded(seat, place, laid):
            player = view.players[seat]
            sets = (*player.melds[:place], laid, *player.melds[place + 1 :])
            view = changed(view, seat, replace(player, melds=sets, count=player.count - FROM_HAND[laid.form]))
            if laid.source is not None and laid.form is not Form.ADDED:
                giver = view.players[laid.source]
                assert giver.discards[-1].tile == laid.taken
                discards = (*giver.discards[:-1], replace(giver.discards[-1], by=seat))
                view = changed(view, laid.source, replace(giver, discards=discards))
            return view
        case TurnChanged(stage, seat, left, drawable, window, tile):
            return replace(
                view,
                stage=stage,
                turn=seat,
                left=left,
                drawable=drawable,
                claim_window=window,
                tile=tile,
                answered=(),
            )
        case PrivateViewChanged(own):
            return replace(view, private=own)
        case _:
            assert_never(event)


@pytest.mark.parametrize(
    "options",
    [
        Settings(rounds=1),
        Settings(tiles=Size.SIXTEEN, manual_steps=True),
        Settings(house=HouseRules(orphans_rob_concealed=True, declare_ting=True)),
    ],
)
def test_the_events_lead_to_the_same_view(options: Settings) -> None:
    dice, choices = Random(b"f" * 32), Random(b"m" * 32)
    state = RULES.deal(options, dice)
    views = {viewer: RULES.view(state, viewer) for viewer in VIEWERS}
    for step in range(700):
        acting = waiting(state)
        if not acting:
            break
        seat = acting[choices.below(len(acting))]
        move = (anything if step % 4 else eager)(state, seat, choices)
        made = RULES.play(state, seat, move, dice)
        state = made.state
        for addressed in made.events:
            assert isinstance(addressed.event, GameEvent)
            for viewer in VIEWERS:
                if addressed.to is None or viewer in addressed.to:
                    views[viewer] = follow(views[viewer], addressed.event, viewer)
        for viewer in VIEWERS:
            assert views[viewer] == RULES.view(state, viewer)


def test_only_its_owner_is_told_the_drawn_tile() -> None:
    state = drop(table({}, extra="5m", front="7s"), 0, "5m")
    for seat in (1, 2):
        state = turn(state, seat, next(iter(RULES.legal(state, Seat(seat))))).state
    last = turn(state, 3, RULES.legal(state, Seat(3))[0])
    drawn = [
        (addressed.event.tile, addressed.to) for addressed in last.events if isinstance(addressed.event, Drew)
    ]
    assert drawn == [(last.state.drawn, (1,)), (None, (0, 2, 3, -1))]


def test_a_ready_hand_is_told_its_waits_what_is_left_of_them_and_what_they_are_worth() -> None:
    # 4p and 7p; one 4p lies among the discards and one 7p in the own hand.
    hands = {0: "1m4m7m258sESWNR19p", 1: "56p123m456m789s77p"}
    state = passes(drop(table(hands, extra="4p", front="N"), 0, "4p"))
    state = passes(drop(state, 1, "N"))
    hints = mine(state, 1).hints
    assert hints is not None
    assert hints.shanten == 0
    found = {wait.kind: (wait.unseen, wait.tai, wait.drawn) for wait in hints.waits}
    # 門清 and 平胡; self-drawn 門清自摸.
    assert found == {kind("4p"): (3, 3, 3), kind("7p"): (2, 3, 3)}


def test_what_lies_in_anothers_concealed_kong_counts_as_unseen() -> None:
    hands = {1: "56p123m456m789s99s", 3: "444p19m19s1pESWNR"}
    state = idle(idle(idle(table(hands, extra="5m", front="GB4p"))))
    state = turn(state, 3, Kong(held(state, 3, "4p"))).state
    hints = mine(state, 1).hints
    assert hints is not None
    assert {wait.kind: wait.unseen for wait in hints.waits} == {kind("4p"): 4, kind("7p"): 4}


def test_a_hand_that_has_drawn_is_told_which_discards_keep_it_ready() -> None:
    state = table({0: "56p123m456m789s99s"}, extra="N")
    hints = mine(state, 0).hints
    assert hints is not None
    assert [keep.kind for keep in hints.ready_discards] == named("N")
    assert [wait.kind for wait in hints.ready_discards[0].waits] == named("47p")


def test_a_hand_far_from_ready_is_told_how_far() -> None:
    state = idle(table({1: "147m258p369sESWN"}, extra="5m", front="G"))
    hints = mine(state, 1).hints
    assert hints is not None
    assert hints.shanten == 6
    assert (hints.waits, hints.ready_discards) == ((), ())


NOTHING_TOLD = AllowedHints(waits=False, ready_discards=False, shanten=False)


@pytest.mark.parametrize("hints", [False, NOTHING_TOLD])
def test_tables_may_be_without_hints(hints: bool | AllowedHints) -> None:
    state = table({0: "56p123m456m789s99s"}, extra="N", hints=hints)
    assert mine(state, 0).hints is None
    state = drop(state, 0, "N")
    assert mine(state, 0).hints is None


@pytest.mark.parametrize(
    "allowed", [AllowedHints(*one) for one in product((True, False), repeat=3) if any(one)]
)
def test_a_table_may_forbid_each_hint_by_itself(allowed: AllowedHints) -> None:
    waits, keeps, shanten = astuple(allowed)
    state = table({0: "56p123m456m789s99s"}, extra="N", hints=allowed)
    events = mine(state, 0).hints
    assert events is not None
    assert events.shanten == (0 if shanten else None)
    assert [keep.kind for keep in events.ready_discards] == (named("N") if keeps else [])
    # What a discard would wait for is a wait as well.
    assert all(
        [wait.kind for wait in keep.waits] == (named("47p") if waits else [])
        for keep in events.ready_discards
    )
    events = mine(drop(state, 0, "N"), 0).hints
    assert events is not None
    assert events.shanten == (0 if shanten else None)
    assert [wait.kind for wait in events.waits] == (named("47p") if waits else [])
    assert events.ready_discards == ()


@pytest.mark.parametrize("hints", [True, False])
def test_tables_of_a_release_with_one_switch_for_all_hints_still_load(hints: bool) -> None:
    kept = msgspec.json.encode({"tiles": 16, "hints": hints})
    options = msgspec.json.decode(kept, type=Settings)
    assert options == Settings(tiles=Size.SIXTEEN, hints=hints)
    assert msgspec.json.decode(msgspec.json.encode(options), type=Settings) == options
    state = table({0: "56p123m456m789s99s"}, extra="N", hints=options.hints)
    assert (mine(state, 0).hints is not None) == hints
    chosen = msgspec.json.decode(b'{"hints":{"ready_discards":false}}', type=Options)
    assert chosen.hints == AllowedHints(ready_discards=False)


def test_the_drawn_tile_is_shown_apart() -> None:
    state = idle(table({1: "147m258p369sESWN"}, extra="5m", front="G"))
    own = mine(state, 1)
    assert own.drawn is not None
    assert kind_of(own.drawn) == kind("G")
    assert own.drawn not in own.tiles
    assert list(own.tiles) == sorted(own.tiles)
    assert state.stage is Stage.DISCARDING
