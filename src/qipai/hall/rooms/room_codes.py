"""Short names of tables: numbers for those in the list, letters that nobody guesses for the others."""

from collections.abc import Container
from typing import Final

from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.ids import Code

_FEWEST: Final = 1_000
"""The first number that a public table may have."""
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def fresh(entropy: Entropy, taken: Container[str], *, public: bool) -> Code:
    """Return a code that no table has."""
    raw = int.from_bytes(entropy(8), "little")
    if not public:
        code = "".join(_LETTERS[(raw >> 5 * i) % len(_LETTERS)] for i in range(8))
        return fresh(entropy, taken, public=False) if code in taken else Code(code)
    low = _FEWEST
    while True:
        # The next free number after a drawn one: older clients know four digits only.
        for number in range(9 * low):
            code = str(low + (raw + number) % (9 * low))
            if code not in taken:
                return Code(code)
        low *= 10
