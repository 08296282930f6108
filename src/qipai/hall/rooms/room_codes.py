"""Short room codes: digits for public rooms, letters for private ones."""

from collections.abc import Container
from typing import Final

from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.ids import Code

_LOWEST: Final = 1_000
"""The lowest code of a public room."""
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def unused_code(entropy: Entropy, used: Container[str], *, public: bool) -> Code:
    """Return a code that no room has; a private one cannot be guessed."""
    raw = int.from_bytes(entropy(8), "little")
    if not public:
        code = "".join(_LETTERS[(raw >> 5 * i) % len(_LETTERS)] for i in range(8))
        return unused_code(entropy, used, public=False) if code in used else Code(code)
    low = _LOWEST
    while True:
        # The next free number after a drawn one: older clients accept four digits only.
        for number in range(9 * low):
            code = str(low + (raw + number) % (9 * low))
            if code not in used:
                return Code(code)
        low *= 10
