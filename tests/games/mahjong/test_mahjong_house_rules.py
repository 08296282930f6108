"""House rules of mahjong that concern play, each against the game without it."""

import pytest
from msgspec.structs import replace

from qipai.games.mahjong.claims import allowed_claims
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import drawable
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import Chow, ClaimWindow, Discard, Flowers, Hu, Kong, Pass, Pong, Stage
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from .mahjong_walls import (
    SEATS,
    SEVEN,
    THREE_WANT_5P,
    WAITS_4_7P,
    added_kong,
    chow,
    drop,
    held,
    idle,
    kind,
    mine,
    named,
    names,
    passes,
    play,
    refused,
    table,
    tiles_are_conserved,
)


def test_a_self_drawn_win_is_not_barred_unless_the_house_is_strict() -> None:
    for rule, allowed in (("until_draw", True), ("free", True), ("until_change", False)):
        state = table(WAITS_4_7P, extra="4p", front="7p", house=HouseRules(passed_hu=rule))  # type: ignore[arg-type] # a word of the list
        state = passes(drop(state, 0, "4p"))
        assert state.turn == 1
        assert (Hu() in RULES.legal(state, SEATS[1])) is allowed


def test_where_a_wait_must_change_a_win_is_barred_until_it_does() -> None:
    state = table(WAITS_4_7P, extra="4p", front="4mB6m9p3m", house=HouseRules(passed_hu="until_change"))
    state = passes(drop(state, 0, "4p"))
    state = passes(drop(state, 1, "4m"))
    assert refused(drop(state, 2, "7p"), 1, Hu()) is Refusal.ILLEGAL
    state = passes(drop(state, 2, "B"))
    state = passes(drop(state, 3, "6m"))
    state = passes(drop(state, 0, "9p"))
    assert state.turn == 1
    # 56p is broken up: no wait at all is another one.
    state = passes(drop(state, 1, "6p"))
    assert not state.seat_tiles[1].passed_win


def test_no_seat_is_barred_if_the_house_rule_is_free() -> None:
    state = passes(
        drop(table(WAITS_4_7P, extra="4p", front="4m", house=HouseRules(passed_hu="free")), 0, "4p")
    )
    state = drop(passes(drop(state, 1, "4m")), 2, "7p")
    state = drop(passes(state), 3, "7p")
    assert Hu() in RULES.legal(state, SEATS[1])


def test_where_flowers_do_not_win_they_are_only_replaced() -> None:
    state = idle(table(SEVEN, extra="5m", front="1p f8", house=HouseRules(flowers_win=False)))
    state = passes(drop(state, 1, "1p"))
    assert (state.stage, state.turn) == (Stage.DISCARDING, 2)


# Kongs


def test_no_kong_without_a_replacement() -> None:
    hands = {0: "1m5m9m258s147pSWNR", 1: "666s19m19p1sESWNR"}
    state = idle(table(hands, extra="N", front="6s", left=1))
    assert drawable(state) == 0
    assert refused(state, 1, Kong(held(state, 1, "6s"))) is Refusal.ILLEGAL
    state = drop(table(hands, extra="6s", left=0, house=HouseRules(last_discard_hu_only=False)), 0, "6s")
    assert refused(state, 1, Kong()) is Refusal.ILLEGAL
    assert Pong() in RULES.legal(state, SEATS[1])


def test_the_last_discard_may_only_be_won_on() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p", left=0), 0, "5p")
    assert RULES.legal(state, SEATS[1]) == [Pass()]
    assert RULES.legal(state, SEATS[2]) == [Pass()]
    assert RULES.legal(state, SEATS[3]) == [Pass(), Hu()]


def test_the_dealer_may_make_a_concealed_kong_first_of_all() -> None:
    state = table({0: "6666s19m19p1sESWN"}, extra="R", back="B")
    state = play(state, 0, Kong(held(state, 0, "6s")))
    assert state.drawn is not None
    assert kind_of(state.drawn) == kind("B")
    assert not state.uninterrupted


def test_a_fourth_tile_may_be_added_later_unless_the_house_forbids_it() -> None:
    for late in (True, False):
        state = added_kong(HouseRules(late_added_kong=late))
        tile = held(state, 1, "6s")
        assert Kong(tile) in RULES.legal(state, SEATS[1])
        state = passes(drop(state, 1, "9m"))
        for _ in range(3):
            state = idle(state)
        assert state.turn == 1
        assert (Kong(tile) in RULES.legal(state, SEATS[1])) is late


def test_after_a_claim_there_is_neither_kong_nor_win_unless_the_house_allows_it() -> None:
    hands = {0: "2m5m9m258s147pSWNR", 1: "NN1111m234p567p9s"}
    for allowed in (False, True):
        state = drop(table(hands, extra="N", house=HouseRules(act_after_claim=allowed)), 0, "N")
        state = passes(play(state, 1, Pong()))
        assert (state.stage, state.turn) == (Stage.DISCARDING, 1)
        assert any(isinstance(move, Kong) for move in RULES.legal(state, SEATS[1])) is allowed
        assert Hu() not in RULES.legal(state, SEATS[1])
    complete = {0: "1m5m9m258s147pSWER", 1: "NNN123m234p567p9s"}
    state = drop(table(complete, extra="N", back="9s"), 0, "N")
    state = passes(play(state, 1, Kong()))
    assert Hu() in RULES.legal(state, SEATS[1]), "a kong brings a draw"


def test_every_kong_may_keep_one_tile_more_undrawn() -> None:
    for grows in (False, True):
        state = table({0: "6666s19m19p1sESWN"}, extra="R", house=HouseRules(dead_wall_grows=grows))
        before = drawable(state)
        state = play(state, 0, Kong(held(state, 0, "6s")))
        assert before - drawable(state) == 1 + grows


def test_thirteen_orphans_may_rob_a_concealed_kong_where_the_house_says_so() -> None:
    hands = {1: "NNN1m5m9m258s147pE", 2: "19m19p19sESWRRGB"}
    state = idle(table(hands, extra="5p", front="N", house=HouseRules(orphans_rob_concealed=True)))
    kong = play(state, 1, Kong(held(state, 1, "N")))
    assert (kong.stage, kong.claim_window) == (Stage.CLAIMING, ClaimWindow.KONG)
    assert Hu() in RULES.legal(kong, SEATS[2])
    assert RULES.view(kong, SEATS[3]).tile is None
    assert RULES.view(kong, SEATS[2]).tile is not None
    won = play(kong, 2, Hu())
    assert names(won)["十三么"] == 16
    assert won.result is not None
    assert won.result.payer == 1
    assert won.seat_tiles[1].melds == ()
    tiles_are_conserved(won)
    gone = passes(kong)
    assert (gone.stage, gone.turn) == (Stage.DISCARDING, 1)


# Other house rules of play


def test_the_tile_just_chowed_and_its_other_end_may_be_barred() -> None:
    hands = {0: "1m5m9m258s147pSWNR", 1: "45p3p6p19m19sESWNR"}
    state = drop(table(hands, extra="3p", house=HouseRules(no_swap_call=True)), 0, "3p")
    state = passes(play(state, 1, chow(state, 1, "45p")))
    assert refused(state, 1, Discard(held(state, 1, "3p"))) is Refusal.ILLEGAL
    assert refused(state, 1, Discard(held(state, 1, "6p"))) is Refusal.ILLEGAL
    assert {kind_of(tile) for tile in mine(state, 1).barred} == set(named("36p"))
    state = drop(state, 1, "E")
    assert state.barred_discards == ()


def test_the_lower_end_is_barred_when_the_upper_one_was_chowed() -> None:
    hands = {0: "1m5m9m258s147pSWNR", 1: "45p3p6p19m19sESWNR"}
    state = drop(table(hands, extra="6p", house=HouseRules(no_swap_call=True)), 0, "6p")
    state = passes(play(state, 1, chow(state, 1, "45p")))
    assert {kind_of(tile) for tile in mine(state, 1).barred} == set(named("36p"))


def test_a_chow_that_would_leave_no_discard_cannot_be_made() -> None:
    state = drop(table({0: "3p", 1: "4536p"}, extra="3p", house=HouseRules(no_swap_call=True)), 0, "3p")
    holding = replace(
        state.seat_tiles[1], tiles=tuple(held(state, 1, text) for text in ("3p", "4p", "5p", "6p"))
    )
    bare = replace(state, seat_tiles=(state.seat_tiles[0], holding, *state.seat_tiles[2:]))
    assert (kind("4p"), kind("5p")) not in allowed_claims(bare, SEATS[1]).chows
    assert (kind("4p"), kind("5p")) in allowed_claims(state, SEATS[1]).chows


def test_a_pong_let_go_may_bar_the_same_pong_until_the_own_next_draw() -> None:
    hands = {0: "1m5m9m258s147pSWNR", 1: "E2m6m8m258s147pWN", 2: "EE1m5m9m258s147pW", 3: "258m147s369pSWNR"}
    for barred in (False, True):
        state = table(hands, extra="E", front="5m", house=HouseRules(passed_pong=barred))
        state = passes(drop(state, 0, "E"))
        state = drop(state, 1, "E")
        assert (Pong() in RULES.legal(state, SEATS[2])) is not barred
        state = passes(state)
        assert state.turn == 2
        assert state.seat_tiles[2].barred_pongs == ()


def test_flowers_that_are_kept_may_be_discarded_and_are_never_claimed() -> None:
    state = table({0: "f12", 1: "f34", 2: "123456789m12p f58"}, extra="3p", flowers=Flowers.KEEP)
    assert not any(holding.flowers for holding in state.seat_tiles)
    tiles = state.seat_tiles[0].tiles
    flower = next(tile for tile in tiles if kind_of(tile) >= 34)
    state = play(state, 0, Discard(flower))
    for seat in (1, 2, 3):
        assert RULES.legal(state, Seat(seat)) == [Pass()]
    assert passes(state).turn == 1


def test_a_ready_hand_may_be_announced_and_then_stays_as_it_is() -> None:
    house = HouseRules(declare_ting=True)
    hands = {0: "123456789m123pN", 1: "147m258s369pESWN"}
    state = table(hands, extra="9p", front="1s2sEE", house=house)
    assert {kind_of(tile) for tile in mine(state, 0).readies} == set(named("N9p"))
    state = passes(play(state, 0, Discard(held(state, 0, "N"), ready=True)))
    assert RULES.view(state, SEATS[3]).players[0].ready
    for _ in range(3):
        state = idle(state)
    assert state.turn == 0
    assert state.drawn is not None
    assert RULES.legal(state, SEATS[0]) == [Discard(state.drawn)]
    plain = table(hands, extra="9p")
    assert refused(plain, 0, Discard(held(plain, 0, "N"), ready=True)) is Refusal.ILLEGAL


def test_an_announced_hand_claims_nothing_and_makes_no_kong() -> None:
    hands = {0: "555m123s456s789s9p", 1: "147m258s369pESWN"}
    state = table(hands, extra="N", front="5mRGB", house=HouseRules(declare_ting=True))
    state = passes(play(state, 0, Discard(held(state, 0, "N"), ready=True)))
    state = drop(state, 1, "5m")
    assert RULES.legal(state, SEATS[0]) == [Pass()]
    state = table(hands, extra="N", front="RGB5m", house=HouseRules(declare_ting=True))
    state = passes(play(state, 0, Discard(held(state, 0, "N"), ready=True)))
    for _ in range(3):
        state = idle(state)
    assert state.drawn is not None
    assert RULES.legal(state, SEATS[0]) == [Discard(state.drawn)]


@pytest.mark.parametrize(("dropped", "pattern"), [("N", "天聽"), ("E", "地聽")])
def test_a_hand_ready_as_dealt_scores_more_than_one_that_became_ready(dropped: str, pattern: str) -> None:
    # With N drawn the hand stays as dealt, or waits for N instead of E.
    hands = {0: "147m258p369sSWRG", 1: "123456789m123pE"}
    state = idle(table(hands, extra="B", front="N579mEN", house=HouseRules(declare_ting=True)))
    state = passes(play(state, 1, Discard(held(state, 1, dropped), ready=True)))
    for _ in range(3):
        state = idle(state)
    if dropped == "E":
        state = idle(state)
        assert state.turn == 2
        state = drop(state, 2, "N")
    assert pattern in names(play(state, 1, Hu()))


def test_the_replacement_of_a_flower_after_a_kong_blooms_at_every_house() -> None:
    hands = {0: "1234m1234p1sSWNR", 1: "666s123m456m789p9p"}
    state = table(hands, extra="6s", back="f3 9p", house=HouseRules(flower_bloom=False))
    state = passes(play(drop(state, 0, "6s"), 1, Kong()))
    assert names(play(state, 1, Hu()))["槓上開花"] == 1
    state = table(
        {1: "123456789m123p9p"}, extra="N", front="f1", back="9p", house=HouseRules(flower_bloom=False)
    )
    assert "槓上開花" not in names(play(idle(state), 1, Hu()))


def test_concealed_dragons_make_no_seat_liable() -> None:
    hands = {0: "R147m258s369pSWN", 1: "RRGGGBBB123m9p1s"}
    state = table(hands, extra="5m", front="NN5m9p", house=HouseRules(feeder_pays=True))
    state = passes(play(drop(state, 0, "R"), 1, Pong()))
    state = passes(drop(state, 1, "1s"))
    for _ in range(3):
        state = idle(state)
    state = play(state, 1, Hu())
    assert names(state)["大三元"] == 8
    assert state.result is not None
    assert all(change < 0 for seat, change in enumerate(state.result.delta) if seat != 1)


def test_the_feeder_of_the_third_dragon_may_pay_for_all() -> None:
    hands = {
        0: "R147m258s369pSWN",
        1: "RRGGBB123m9p147s",
        2: "G147m258s369pESW",
        3: "B258m369s147pESW",
    }
    for pays in (False, True):
        state = table(hands, extra="5m", front="NN5m5m4p8p9p", house=HouseRules(feeder_pays=pays))
        state = passes(play(drop(state, 0, "R"), 1, Pong()))
        state = passes(drop(state, 1, "1s"))
        state = passes(play(drop(state, 2, "G"), 1, Pong()))
        state = idle(passes(drop(state, 1, "4s")))
        state = passes(play(drop(state, 3, "B"), 1, Pong()))
        state = passes(drop(state, 1, "7s"))
        for _ in range(3):
            state = idle(state)
        state = play(state, 1, Hu())
        assert names(state)["大三元"] == 8
        assert state.result is not None
        tai = state.result.winners[0].tai
        each = 100 + 20 * tai
        assert state.result.delta[1] == 3 * each + 20, "the dealer owes one tai more"
        others = (state.result.delta[0], state.result.delta[2], state.result.delta[3])
        assert others == ((0, 0, -3 * each - 20) if pays else (-each - 20, -each, -each))


def test_equal_dice_may_double_what_is_paid() -> None:
    for dice, factor in (((2, 2, 2), 2), ((2, 2, 3), 1)):
        house = HouseRules(triple_dice_double=True)
        hands = {1: "123456789m123456p9s"}
        state = table(hands, extra="9s", size=16, opening=dice, house=house)
        state = play(drop(state, 0, "9s"), 1, Hu())
        assert state.result is not None
        (winner,) = state.result.winners
        assert state.result.delta[1] == factor * (100 + 20 * (winner.tai + 1))


def test_east_is_the_dealer_or_where_the_wall_was_opened() -> None:
    state = table({}, dealer=1, opening=(2, 4), house=HouseRules())
    assert [player.wind for player in RULES.view(state, SEATS[0]).players] == [3, 0, 1, 2]
    state = table({}, dealer=1, opening=(2, 4), house=HouseRules(seat_winds="opening"))
    # Six, counted from the dealer: the seat after the dealer.
    assert [player.wind for player in RULES.view(state, SEATS[0]).players] == [2, 3, 0, 1]


def test_a_chow_by_other_copies_of_the_same_tiles_is_as_good() -> None:
    hands = {0: "1m5m9m258s147pSWNR", 1: "44p66p19m19sESWNR"}
    state = drop(table(hands, extra="5p"), 0, "5p")
    legal = [move for move in RULES.legal(state, SEATS[1]) if isinstance(move, Chow)]
    assert len(legal) == 4
    assert len(mine(state, 1).chows) == 1
    one, other = legal[-1].tiles
    assert play(state, 1, Chow((one, other))).answers[1] == legal[-1]
    assert refused(state, 1, Chow((other, one))) is Refusal.BAD_MOVE


def test_a_bar_is_visible_to_no_other_seat() -> None:
    state = passes(drop(table(WAITS_4_7P, extra="4p", dealer=0, front="4m"), 0, "4p"))
    state = passes(drop(passes(drop(state, 1, "4m")), 2, "7p"))
    assert mine(state, 1).passed
    for seat in (0, 2, 3):
        assert not mine(state, seat).passed


def test_a_claim_lifts_the_bar() -> None:
    hands = {
        0: "1m4m7m2s5s8sEESWNR9p",
        1: "6799p123m456m789s",
        2: "5p258m258sESWNGG",
        3: "2m5m8m14s7sSWNGB59p",
    }
    state = table(hands, extra="8p", front="3p")
    state = passes(drop(state, 0, "8p"))
    assert state.turn == 1
    state = passes(drop(state, 1, "3p"))
    state = passes(drop(state, 2, "5p"))
    assert mine(state, 1).passed
    state = drop(state, 3, "9p")
    state = passes(play(state, 1, Pong()))
    assert state.turn == 1
    assert not mine(state, 1).passed
