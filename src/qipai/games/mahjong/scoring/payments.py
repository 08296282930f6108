"""Who pays whom how much, and who deals next."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from qipai.kernel.ids import Seat

SEATS: Final = 4
HANDS: Final = 16
"""Deals of a whole game (一將), repeats not counted."""
_NUMERALS: Final = "零一二三四五六七八九十"


class Stakes(Struct, frozen=True):
    """底 and 台: what a win costs at least, and what each tai adds."""

    base: int = 100
    unit: int = 20


USUAL: Final = Stakes()


class Deal(Struct, frozen=True):
    """Which hand of the game is played: its place in the game, its dealer, and how often he stayed."""

    place: int = 0
    dealer: Seat = Seat(0)
    streak: int = 0

    @property
    def round_wind(self) -> int:
        """Return the prevailing wind, 0 to 3."""
        return self.place // SEATS

    @property
    def code(self) -> str:
        """Return the label, "1-1" to "4-4"."""
        return f"{self.place // SEATS + 1}-{self.place % SEATS + 1}"

    def seat_wind(self, seat: Seat) -> int:
        """Return the wind of a seat; the dealer is East."""
        return (seat - self.dealer) % SEATS


def next_deal(deal: Deal, winners: Mapping[Seat, int]) -> Deal | None:
    """Return the deal that follows, or None when the game is over.

    The dealer stays when he has won, alone or with others, and when nobody has.
    """
    if not winners or deal.dealer in winners:
        return Deal(deal.place, deal.dealer, deal.streak + 1)
    if deal.place + 1 == HANDS:
        return None
    return Deal(deal.place + 1, Seat((deal.dealer + 1) % SEATS))


def dealer_patterns(streak: int) -> dict[str, int]:
    """Return 莊家 and 連n拉n, which count between the dealer and whoever wins or pays."""
    if not streak:
        return {"莊家": 1}
    times = _NUMERALS[streak] if streak < len(_NUMERALS) else str(streak)
    return {"莊家": 1, f"連{times}拉{times}": 2 * streak}


def amount(tai: int, winner: Seat, payer: Seat, deal: Deal, stakes: Stakes, factor: int = 1) -> int:
    """Return what one payer owes one winner."""
    dealer = 1 + 2 * deal.streak if deal.dealer in {winner, payer} else 0
    return factor * (stakes.base + stakes.unit * (tai + dealer))


def payments(
    winners: Mapping[Seat, int],
    payer: Seat | None,
    deal: Deal,
    stakes: Stakes = USUAL,
    *,
    factor: int = 1,
    liable: Seat | None = None,
) -> tuple[int, ...]:
    """Return what each seat gains or loses; the sum is zero.

    `winners` says the tai of each, without the dealer's; nobody wins a drawn hand. `payer` is the
    discarder, konger or drawer of the robbed flower; None when all others pay for a self-drawn win.
    `factor` is 2 after 豹子. `liable` pays instead of everybody else (包牌).
    """
    if payer is None and len(winners) > 1:
        raise ValueError("only one player can draw the winning tile")
    if payer in winners or liable in winners:
        raise ValueError("a winner does not pay")
    change = [0] * SEATS
    for winner, tai in winners.items():
        owing = [payer] if payer is not None else [Seat(seat) for seat in range(SEATS) if seat != winner]
        for seat in owing:
            owed = amount(tai, winner, seat, deal, stakes, factor)
            change[winner] += owed
            change[seat if liable is None else liable] -= owed
    return tuple(change)
