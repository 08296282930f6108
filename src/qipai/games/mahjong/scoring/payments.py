"""Who pays whom how much, and who deals next."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from qipai.kernel.ids import Seat

SEATS: Final = 4
DEALS_PER_GAME: Final = 16
"""Deals of a whole game (一將), without repeated ones."""
_NUMERALS: Final = "零一二三四五六七八九十"


class Stakes(Struct, frozen=True):
    """底 and 台: the base payment of a win, and what each tai adds."""

    base: int = 100
    unit: int = 20


DEFAULT_STAKES: Final = Stakes()


class Deal(Struct, frozen=True):
    """A deal: its number in the game from 0, its dealer, and the dealer streak (連莊)."""

    number: int = 0
    dealer: Seat = Seat(0)
    streak: int = 0

    @property
    def round_wind(self) -> int:
        """Return the prevailing wind, 0 to 3."""
        return self.number // SEATS

    @property
    def label(self) -> str:
        """Return the label, "1-1" to "4-4"."""
        return f"{self.number // SEATS + 1}-{self.number % SEATS + 1}"

    def seat_wind(self, seat: Seat) -> int:
        """Return the wind of a seat; the dealer is East."""
        return (seat - self.dealer) % SEATS


def next_deal(deal: Deal, winners: Mapping[Seat, int]) -> Deal | None:
    """Return the next deal, or None when the game is over.

    The dealer stays after a win of the dealer, alone or with others, and after a drawn hand.
    """
    if not winners or deal.dealer in winners:
        return Deal(deal.number, deal.dealer, deal.streak + 1)
    if deal.number + 1 == DEALS_PER_GAME:
        return None
    return Deal(deal.number + 1, Seat((deal.dealer + 1) % SEATS))


def dealer_patterns(streak: int) -> dict[str, int]:
    """Return 莊家 and 連n拉n, which count between the dealer and the winner or payer."""
    if not streak:
        return {"莊家": 1}
    numeral = _NUMERALS[streak] if streak < len(_NUMERALS) else str(streak)
    return {"莊家": 1, f"連{numeral}拉{numeral}": 2 * streak}


def amount(tai: int, winner: Seat, payer: Seat, deal: Deal, stakes: Stakes, factor: int = 1) -> int:
    """Return the payment of one payer to one winner."""
    dealer = 1 + 2 * deal.streak if deal.dealer in {winner, payer} else 0
    return factor * (stakes.base + stakes.unit * (tai + dealer))


def payments(
    winners: Mapping[Seat, int],
    payer: Seat | None,
    deal: Deal,
    stakes: Stakes = DEFAULT_STAKES,
    *,
    factor: int = 1,
    liable: Seat | None = None,
) -> tuple[int, ...]:
    """Return the gain or loss of each seat; the sum is zero.

    `winners` has the tai of each, without the dealer's; it is empty for a drawn hand. `payer` is the seat of
    the discard, of the robbed kong or of the robbed flower; None if all others pay for a self-drawn win.
    `factor` is 2 after 豹子. `liable` pays instead of all others (包牌).
    """
    if payer is None and len(winners) > 1:
        raise ValueError("only one player can draw the winning tile")
    if payer in winners or liable in winners:
        raise ValueError("a winner does not pay")
    change = [0] * SEATS
    for winner, tai in winners.items():
        payers = [payer] if payer is not None else [Seat(seat) for seat in range(SEATS) if seat != winner]
        for seat in payers:
            payment = amount(tai, winner, seat, deal, stakes, factor)
            change[winner] += payment
            change[seat if liable is None else liable] -= payment
    return tuple(change)
