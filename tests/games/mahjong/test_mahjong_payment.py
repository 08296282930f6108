"""Who pays what, and who deals next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.games.mahjong.scoring.payments import Deal, Stakes, dealer_patterns, next_deal, payments
from qipai.kernel.ids import Seat

FIRST, SECOND, THIRD, FOURTH = map(Seat, range(4))


def deal(streak: int = 0, dealer: Seat = FIRST) -> Deal:
    return Deal(0, dealer, streak)


@pytest.mark.parametrize(
    ("winners", "payer", "streak", "change"),
    [
        ({SECOND: 3}, THIRD, 0, (0, 160, -160, 0)),
        ({SECOND: 3}, FIRST, 0, (-180, 180, 0, 0)),
        ({SECOND: 3}, THIRD, 5, (0, 160, -160, 0)),
        ({FIRST: 1}, SECOND, 2, (220, -220, 0, 0)),
        ({FIRST: 0}, FOURTH, 0, (120, 0, 0, -120)),
        ({SECOND: 3}, None, 1, (-220, 540, -160, -160)),
        ({FIRST: 4}, None, 0, (600, -200, -200, -200)),
        ({FIRST: 4}, None, 1, (720, -240, -240, -240)),
        ({SECOND: 1}, None, 3, (-260, 500, -120, -120)),
        ({SECOND: 2, FOURTH: 0}, THIRD, 0, (0, 140, -240, 100)),
        ({FIRST: 1, FOURTH: 2}, SECOND, 1, (180, -320, 0, 140)),
        ({SECOND: 2, FOURTH: 0}, FIRST, 1, (-360, 200, 0, 160)),
        ({SECOND: 0, THIRD: 0, FOURTH: 0}, FIRST, 0, (-360, 120, 120, 120)),
        ({}, None, 3, (0, 0, 0, 0)),
        ({THIRD: 8}, None, 0, (-280, -260, 800, -260)),
        ({THIRD: 8}, FIRST, 0, (-280, 0, 280, 0)),
        ({THIRD: 8}, SECOND, 4, (0, -260, 260, 0)),
        ({SECOND: 0}, FOURTH, 0, (0, 100, 0, -100)),
    ],
)
def test_a_known_win_is_paid(
    winners: dict[Seat, int], payer: Seat | None, streak: int, change: tuple[int, ...]
) -> None:
    assert payments(winners, payer, deal(streak)) == change


def test_stakes_are_the_tables_own() -> None:
    assert payments({SECOND: 3}, None, deal(1), Stakes(30, 10)) == (-90, 210, -60, -60)


def test_three_equal_dice_double_what_is_paid() -> None:
    assert payments({SECOND: 3}, THIRD, deal(), factor=2) == (0, 320, -320, 0)


def test_who_fed_the_last_pung_pays_for_all() -> None:
    assert payments({SECOND: 3}, None, deal(), liable=FOURTH) == (0, 500, 0, -500)
    assert payments({SECOND: 3}, THIRD, deal(), liable=FOURTH) == (0, 160, 0, -160)


@pytest.mark.parametrize(
    ("winners", "payer", "liable"),
    [
        ({FIRST: 1, SECOND: 1}, None, None),
        ({FIRST: 1}, FIRST, None),
        ({FIRST: 1}, SECOND, FIRST),
    ],
)
def test_what_cannot_happen_is_not_paid(
    winners: dict[Seat, int], payer: Seat | None, liable: Seat | None
) -> None:
    with pytest.raises(ValueError, match="win"):
        payments(winners, payer, deal(), liable=liable)


@given(st.data())
def test_nothing_is_made_or_lost(data: st.DataObject) -> None:
    seats = st.integers(0, 3).map(Seat)
    payer = data.draw(st.none() | seats)
    others = [seat for seat in map(Seat, range(4)) if seat != payer]
    most = 1 if payer is None else 3
    winners = data.draw(st.dictionaries(st.sampled_from(others), st.integers(0, 90), max_size=most))
    now = Deal(data.draw(st.integers(0, 15)), data.draw(seats), data.draw(st.integers(0, 12)))
    change = payments(winners, payer, now)
    assert sum(change) == 0
    assert all(change[seat] > 0 for seat in winners)
    assert all(change[seat] <= 0 for seat in range(4) if seat not in winners)
    following = next_deal(now, winners)
    if not winners or now.dealer in winners:
        assert following == Deal(now.number, now.dealer, now.streak + 1)
    elif now.number == 15:
        assert following is None
    else:
        assert following == Deal(now.number + 1, Seat((now.dealer + 1) % 4), 0)


def test_the_dealer_goes_round_four_times_and_so_does_the_label() -> None:
    now: Deal | None = Deal(dealer=THIRD)
    seen = []
    while now is not None:
        seen.append((now.label, now.dealer, now.round_wind))
        now = next_deal(now, {Seat((now.dealer + 1) % 4): 0})
    assert [code for code, _, _ in seen] == [f"{one}-{two}" for one in range(1, 5) for two in range(1, 5)]
    assert [dealer for _, dealer, _ in seen] == [2, 3, 0, 1] * 4
    assert [wind for _, _, wind in seen] == [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4


def test_the_dealer_is_east_and_the_others_follow() -> None:
    assert [Deal(5, THIRD).seat_wind(Seat(seat)) for seat in range(4)] == [2, 3, 0, 1]


def test_the_dealers_tai_have_names() -> None:
    assert dealer_patterns(0) == {"莊家": 1}
    assert dealer_patterns(2) == {"莊家": 1, "連二拉二": 4}
    assert sum(dealer_patterns(13).values()) == 27
