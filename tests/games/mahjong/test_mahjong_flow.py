"""How a hand of mahjong goes: the scenarios of the rules by their names; seat 1 there is seat 0 here."""

import pytest

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import ClaimWindow, Discard, Draw, Form, Hu, Kong, Next, Pass, Pong, Stage
from qipai.kernel.ids import SPECTATOR, Seat
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
    kinds_held,
    mine,
    named,
    names,
    passes,
    play,
    refused,
    table,
    tiles_are_conserved,
    winners,
)


def test_f01_a_win_goes_before_a_pong_and_a_chow_and_no_meld_is_formed() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    state = play(state, 1, chow(state, 1, "46p"))
    state = play(state, 2, Pong())
    assert state.stage is Stage.CLAIMING
    state = play(state, 3, Hu())
    assert state.stage is Stage.HAND_OVER
    assert winners(state) == [3]
    assert state.result is not None
    assert state.result.payer == 0
    assert not any(holding.melds for holding in state.seat_tiles)


def test_a_win_is_settled_at_once_if_no_other_seat_could_win() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    assert play(state, 3, Hu()).stage is Stage.HAND_OVER


def test_f02_a_pong_goes_before_a_chow_and_the_turn_goes_on_from_the_claimant() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    state = play(state, 1, chow(state, 1, "46p"))
    state = play(state, 3, Pass())
    state = play(state, 2, Pong())
    assert (state.stage, state.turn) == (Stage.DISCARDING, 2)
    (pong,) = state.seat_tiles[2].melds
    assert pong.form is Form.PONG
    assert {kind_of(tile) for tile in pong.tiles} == {kind("5p")}
    assert (pong.taken, pong.source) == (state.last_discard, 0)
    assert state.seat_tiles[0].discards[-1].by == 2
    assert state.seat_tiles[1].melds == ()
    state = passes(drop(state, 2, "E"))
    assert (state.stage, state.turn) == (Stage.DISCARDING, 3)
    assert state.drawn is not None
    tiles_are_conserved(state)


def test_f03_only_the_next_player_may_chow() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    assert refused(state, 3, chow(state, 3, "46p")) is Refusal.ILLEGAL
    assert mine(state, 3).chows == ()
    assert len(mine(state, 1).chows) == 1


def test_f04_a_tile_of_a_meld_cannot_be_discarded() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    state = passes(play(state, 2, Pong()))
    for tile in state.seat_tiles[2].melds[0].tiles:
        assert refused(state, 2, Discard(tile)) is Refusal.ILLEGAL


TWO_WIN_ON_5P = {
    1: "46p123m456m123s99s",
    2: "1234m1234sESWNR",
    3: "46p789m456s789s11m",
}


@pytest.mark.parametrize(("several", "expected"), [(False, [3]), (True, [3, 1])])
def test_f05_of_two_wins_the_nearest_or_both_count_in_turn_order(several: bool, expected: list[int]) -> None:
    state = table(TWO_WIN_ON_5P, dealer=2, extra="5p", house=HouseRules(several_winners=several))
    state = drop(state, 2, "5p")
    state = play(state, 1, Hu())
    assert state.stage is Stage.CLAIMING, "the nearer one has not answered, and could win"
    state = play(state, 3, Hu())
    assert state.stage is Stage.HAND_OVER
    assert winners(state) == expected
    assert state.result is not None
    assert state.result.payer == 2
    assert sum(state.result.delta) == 0


def test_with_one_winner_the_nearest_seat_does_not_wait_for_later_ones() -> None:
    state = table(TWO_WIN_ON_5P, dealer=2, extra="5p", house=HouseRules(several_winners=False))
    state = play(drop(state, 2, "5p"), 3, Hu())
    assert winners(state) == [3]


def test_a_second_win_is_waited_for_and_an_answer_can_be_changed_until_then() -> None:
    state = drop(table(TWO_WIN_ON_5P, dealer=2, extra="5p"), 2, "5p")
    state = play(state, 3, Hu())
    assert state.stage is Stage.CLAIMING
    state = play(state, 3, Pass())
    state = play(state, 3, Hu())
    assert winners(play(state, 1, Pass())) == [3]


def test_f06_an_added_kong_may_be_robbed_and_is_a_pong_again() -> None:
    state = added_kong()
    state = play(state, 1, Kong(held(state, 1, "6s")))
    assert (state.stage, state.claim_window) == (Stage.CLAIMING, ClaimWindow.KONG)
    assert state.seat_tiles[1].melds[0].form is Form.ADDED
    assert RULES.to_act(state) == (2, 3, 0)
    assert set(RULES.legal(state, SEATS[3])) == {Pass(), Hu()}
    assert set(RULES.legal(state, SEATS[2])) == {Pass()}
    tiles_are_conserved(state)
    state = play(state, 3, Hu())
    assert winners(state) == [3]
    assert names(state)["搶槓"] == 1
    assert state.result is not None
    assert state.result.payer == 1
    assert state.seat_tiles[1].melds[0].form is Form.PONG
    assert len(state.seat_tiles[1].melds[0].tiles) == 3
    tiles_are_conserved(state)


def test_an_added_kong_that_is_not_robbed_is_replaced_from_the_back() -> None:
    state = added_kong()
    last = state.wall[state.back - 1]
    state = passes(play(state, 1, Kong(held(state, 1, "6s"))))
    assert (state.stage, state.turn, state.drawn) == (Stage.DISCARDING, 1, last)
    assert state.seat_tiles[1].melds[0].form is Form.ADDED


def test_f07_a_concealed_kong_opens_no_window() -> None:
    hands = {1: "666s19m19p1sESWNR", 3: "78s123m456m789p99p"}
    state = idle(table(hands, extra="N", front="6s"))
    state = play(state, 1, Kong(held(state, 1, "6s")))
    assert (state.stage, state.turn) == (Stage.DISCARDING, 1)
    assert state.seat_tiles[1].melds[0].form is Form.CONCEALED
    for seat in (0, 2, 3, -1):
        assert RULES.view(state, Seat(seat)).players[1].melds[0].tiles == ()
    assert len(RULES.view(state, SEATS[1]).players[1].melds[0].tiles) == 4


def test_f08_an_exposed_kong_is_replaced_from_the_back_and_may_bloom() -> None:
    hands = {0: "1234m1234p1sSWNR", 1: "666s123m456m789p9p"}
    state = drop(table(hands, extra="6s", back="f3 9p"), 0, "6s")
    state = passes(play(state, 1, Kong()))
    assert (state.stage, state.turn) == (Stage.DISCARDING, 1)
    (kong,) = state.seat_tiles[1].melds
    assert kong.form is Form.KONG
    assert len(kong.tiles) == 4
    assert [kind_of(tile) for tile in state.seat_tiles[1].flowers] == named("f3")
    assert state.drawn is not None
    assert kind_of(state.drawn) == kind("9p")
    state = play(state, 1, Hu())
    assert winners(state) == [1]
    assert names(state)["槓上開花"] == 1
    tiles_are_conserved(state)


@pytest.mark.parametrize("size", [13, 16])
@pytest.mark.parametrize("manual", [False, True])
def test_f09_a_hand_is_drawn_when_the_next_draw_would_touch_the_dead_wall(size: int, manual: bool) -> None:
    state = table({}, extra="5m", left=0, size=size, place=2, dealer=1, streak=1, manual_steps=manual)
    assert state.back - state.front == (16 if size == 16 else 0)
    state = passes(drop(state, 1, "5m"))
    if manual:
        assert (state.stage, state.turn) == (Stage.DRAWING, 2)
        state = play(state, 2, Draw())
    assert state.stage is Stage.HAND_OVER
    assert state.result is not None
    assert (state.result.winners, state.result.delta) == ((), (0, 0, 0, 0))
    state = play(state, 3, Next())
    assert state.stage is (Stage.DEALING if manual else Stage.DISCARDING)
    assert (state.deal.dealer, state.deal.streak, state.deal.label) == (1, 2, "1-3")


WINS_AT_ONCE = "123456789m123p9p"


def test_f10_the_deal_passes_when_the_dealer_loses() -> None:
    state = drop(table({3: WINS_AT_ONCE}, dealer=2, extra="9p", streak=2), 2, "9p")
    state = play(play(state, 3, Hu()), 0, Next())
    assert (state.deal.dealer, state.deal.streak, state.deal.label) == (3, 0, "1-2")


@pytest.mark.parametrize("manual", [False, True])
def test_f11_a_dealer_who_wins_at_the_end_stays_and_one_who_loses_ends_the_game(manual: bool) -> None:
    state = table({2: WINS_AT_ONCE}, dealer=2, extra="9p", place=15, manual_steps=manual)
    state = play(state, 2, Hu())
    assert state.stage is Stage.HAND_OVER
    state = play(state, 0, Next())
    assert (state.deal.dealer, state.deal.streak, state.deal.label) == (2, 1, "4-4")
    state = table({3: WINS_AT_ONCE}, dealer=2, extra="9p", place=15, streak=1, manual_steps=manual)
    state = play(drop(state, 2, "9p"), 3, Hu())
    if manual:
        assert state.stage is Stage.HAND_OVER
        state = play(state, 0, Next())
    assert state.stage is Stage.GAME_OVER
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((3,), "finished")
    assert RULES.to_act(state) == ()


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_shorter_game_ends_with_its_last_wind(rounds: int) -> None:
    state = table({3: WINS_AT_ONCE}, dealer=2, extra="9p", place=4 * rounds - 1, rounds=rounds)
    state = play(drop(state, 2, "9p"), 3, Hu())
    assert state.stage is Stage.GAME_OVER


def test_f12_a_win_let_go_bars_another_one_until_the_own_next_draw() -> None:
    state = drop(table(WAITS_4_7P, extra="4p", front="4m7s6m4p"), 0, "4p")
    assert Hu() in RULES.legal(state, SEATS[1])
    state = passes(state)
    # The own draw lifts the bar; the discards of the next go-round are passed too.
    assert state.turn == 1
    assert not mine(state, 1).passed
    state = passes(drop(state, 1, "4m"))
    state = drop(state, 2, "7p")
    assert Hu() in RULES.legal(state, SEATS[1])
    state = passes(state)
    state = drop(state, 3, "7p")
    assert mine(state, 1).passed
    assert refused(state, 1, Hu()) is Refusal.ILLEGAL
    state = passes(state)
    state = drop(state, 0, "7p")
    assert refused(state, 1, Hu()) is Refusal.ILLEGAL
    state = passes(state)
    assert state.turn == 1
    assert not mine(state, 1).passed


def test_f13_a_flower_as_the_dealers_last_tile_is_replaced_before_the_first_discard() -> None:
    for size in (13, 16):
        state = table({}, extra="f1", back="5m", size=size)
        tiles = state.seat_tiles[0].tiles
        assert len(tiles) == size + 1
        assert all(kind_of(tile) < 34 for tile in tiles)
        assert [kind_of(tile) for tile in state.seat_tiles[0].flowers] == named("f1")
        assert state.drawn is not None
        assert kind_of(state.drawn) == kind("5m")
        tiles_are_conserved(state)


def test_flowers_are_replaced_in_turn_order_until_no_hand_has_any() -> None:
    # The dealer lays two and takes 1m and a flower, the next one lays one and takes 2m; in the second
    # round the dealer takes 3m for the drawn flower.
    state = table({0: "f12", 1: "f3"}, back="1m f4 2m3m")
    assert [kind_of(tile) for tile in state.seat_tiles[0].flowers] == named("f124")
    assert {kind("1m"), kind("3m")} <= set(kinds_held(state, 0))
    assert kind("2m") in kinds_held(state, 1)
    assert state.back == 144 - 4
    assert state.turn == 0


def test_f14_the_eighth_flower_may_be_robbed_before_it_is_replaced() -> None:
    state = table(SEVEN, extra="5m", front="1p f8")
    assert len(state.seat_tiles[1].flowers) == 7
    state = idle(state)
    state = passes(drop(state, 1, "1p"))
    assert (state.stage, state.claim_window, state.turn) == (Stage.CLAIMING, ClaimWindow.FLOWER, 2)
    assert RULES.to_act(state) == (1,)
    assert set(RULES.legal(state, SEATS[1])) == {Pass(), Hu()}
    back = state.back
    tiles_are_conserved(state)
    won = play(state, 1, Hu())
    assert winners(won) == [1]
    assert names(won) == {"七搶一": 8}
    assert won.result is not None
    # 100 and 20 a tai; neither of them deals.
    assert won.result.delta == (0, 260, -260, 0)
    tiles_are_conserved(won)
    passed = play(state, 1, Pass())
    assert (passed.stage, passed.turn) == (Stage.DISCARDING, 2)
    assert passed.back == back - 1
    assert [kind_of(tile) for tile in passed.seat_tiles[2].flowers] == named("f8")


def test_a_flower_may_be_robbed_during_the_deal_already() -> None:
    state = table({0: "123456m f1234567", 2: "f8"}, extra="5m")
    assert (state.stage, state.claim_window, state.turn) == (Stage.CLAIMING, ClaimWindow.FLOWER, 2)
    assert names(play(state, 0, Hu())) == {"七搶一": 8}
    state = play(state, 0, Pass())
    assert (state.stage, state.turn) == (Stage.DISCARDING, 0)
    assert [len(holding.tiles) for holding in state.seat_tiles] == [14, 13, 13, 13]
    tiles_are_conserved(state)


def test_all_eight_flowers_win_at_once() -> None:
    state = table({1: "123456m f1234567"}, extra="5m", front="f8")
    state = idle(state)
    assert state.stage is Stage.HAND_OVER
    assert names(state) == {"八仙過海": 8}
    assert state.result is not None
    # The dealer pays the dealer's tai too.
    assert state.result.delta == (-280, 800, -260, -260)
    state = table({3: "12345m f12345678"})
    assert winners(state) == [3]


def test_f15_a_last_tile_that_is_a_flower_draws_the_hand() -> None:
    state = idle(table({}, extra="5m", front="f5", left=1))
    assert state.stage is Stage.HAND_OVER
    assert state.result is not None
    assert state.result.winners == ()
    assert [kind_of(tile) for tile in state.seat_tiles[1].flowers] == named("f5")
    tiles_are_conserved(state)


# Situations that only the course of play tells


def test_the_dealer_may_win_on_the_deal() -> None:
    state = play(table({0: WINS_AT_ONCE}, extra="9p"), 0, Hu())
    assert names(state)["天胡"] == 24
    assert "自摸" not in names(state)


def test_a_player_may_win_on_the_first_draw_or_before_it() -> None:
    state = idle(table({1: WINS_AT_ONCE}, extra="N", front="9p"))
    assert names(play(state, 1, Hu()))["地胡"] == 16
    state = drop(table({2: WINS_AT_ONCE}, extra="9p"), 0, "9p")
    assert names(play(state, 2, Hu()))["人胡"] == 8


def test_after_a_claim_no_seat_wins_as_on_its_first_draw() -> None:
    hands = {0: "1m5m9m258sESWNRGB", 1: "NN1m5m9m258sESWRG", 2: WINS_AT_ONCE}
    state = drop(table(hands, extra="N", front="9p"), 0, "N")
    state = passes(play(state, 1, Pong()))
    state = passes(drop(state, 1, "5m"))
    assert "地胡" not in names(play(state, 2, Hu()))


def test_the_dealer_and_a_seat_after_a_claim_win_as_on_any_other_turn() -> None:
    state = table({0: "123456789m123p9p", 1: "258s147pESWNRGB"}, extra="5s", front="EWN9p")
    for _ in range(4):
        state = idle(state)
    assert state.turn == 0
    assert names(play(state, 0, Hu())).keys() == {"門清自摸", "獨聽"}
    state = drop(idle(table({0: "123456789m123p9p"}, extra="5s", front="9p")), 1, "9p")
    assert "人胡" not in names(play(state, 0, Hu()))
    hands = {0: "1m5m9m258sESWNRGB", 1: "NN9p1m5m9m258sESWR", 2: "123456789m123p9p"}
    state = passes(play(drop(table(hands, extra="N"), 0, "N"), 1, Pong()))
    assert "人胡" not in names(play(drop(state, 1, "9p"), 2, Hu()))


def test_the_last_tile_and_the_discard_after_it() -> None:
    hands = {0: "147m258sESWNRGG", 1: WINS_AT_ONCE}
    state = idle(table(hands, extra="B", front="9p", left=1))
    assert names(play(state, 1, Hu()))["海底撈月"] == 1
    hands = {0: "147m258sESWNRGG", 2: WINS_AT_ONCE}
    state = idle(table(hands, extra="B", front="9p", left=1))
    state = drop(state, 1, "9p")
    assert names(play(state, 2, Hu()))["河底撈魚"] == 1


def test_a_replacement_of_a_flower_may_bloom() -> None:
    state = idle(table({1: WINS_AT_ONCE}, extra="N", front="f1", back="9p"))
    assert names(play(state, 1, Hu()))["槓上開花"] == 1


def test_the_hands_of_a_match_and_the_best_of_them_are_shown_whenever_a_hand_is_over() -> None:
    state = play(play(drop(table(TWO_WIN_ON_5P, dealer=2, extra="5p"), 2, "5p"), 1, Hu()), 3, Hu())
    result = state.result
    assert result is not None
    shown = RULES.view(state, SPECTATOR)
    assert [(hand.place, hand.streak, hand.delta) for hand in shown.hands] == [(0, 0, result.delta)]
    assert (shown.hands[0].winners, shown.hands[0].payer) == ((3, 1), 2)
    assert shown.best is not None
    assert shown.best.winner == max(result.winners, key=lambda winner: winner.tai)
    assert shown.best.flowers == state.seat_tiles[shown.best.winner.seat].flowers
    going_on = play(state, 0, Next())
    assert RULES.view(going_on, SPECTATOR).hands == ()
    assert RULES.view(going_on, SPECTATOR, over=True).hands == shown.hands
