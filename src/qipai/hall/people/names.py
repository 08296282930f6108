"""Names of persons: cleaned, with few combining marks, and unlike those of the server, its staff and bots.

Two names are alike if their skeletons are equal (Unicode TS 39), in any case and with any punctuation.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from confusable_homoglyphs import utils as confusable_data

from qipai.games.game import Game
from qipai.kernel.codec import clean_line, skeleton, with_few_marks

from .reserved_names import AUTHORITY_NAMES, BOT_NAMES, SERVER_NAMES, SYSTEM_PREFIXES

NAME_LENGTH: Final = 20
_LOOKALIKES: Final = str.maketrans({"糸": "系", "l": "i", "1": "i"})
"""Beyond TS 39, which tells i from l and knows few Han characters."""


def _prototypes() -> dict[int, str]:
    """Return the prototype of each confusable character.

    The data has the pairs of TS 39 in both directions: a prototype is listed with everything that looks like
    it, and that with the prototype alone.
    """
    alike: Mapping[str, list[dict[str, str]]] = confusable_data.load("confusables.json")
    found: dict[int, str] = {}
    for text, others in alike.items():
        other = others[0]["c"]
        is_source = len(others) == 1 and (len(alike.get(other, ())) != 1 or (len(other), text) > (1, other))
        if len(text) == 1 and is_source:
            found[ord(text)] = other
    return found


_PROTOTYPES: Final = _prototypes()


class Names:
    """Cleans names and refuses reserved ones; every bot of a game has its name for itself."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        bots = (bot for game in games.values() for bot in game.bots)
        self._reserved = _forms_of((*AUTHORITY_NAMES, *SERVER_NAMES, *BOT_NAMES, *bots))
        self._words = _forms_of(name for name in AUTHORITY_NAMES if name.isascii())
        han = (name for name in AUTHORITY_NAMES if not name.isascii())
        self._contained = _forms_of((*SYSTEM_PREFIXES, *han))

    def clean(self, text: str) -> str | None:
        """Return the name as it is shown, or None if it is empty or reserved."""
        name = with_few_marks(clean_line(text, NAME_LENGTH, "NFKC"))
        return name if name and not self.is_reserved(name) else None

    def is_reserved(self, name: str) -> bool:
        """Tell whether a name looks like a reserved one."""
        return (
            not self._reserved.isdisjoint(_forms(name))
            or any(not self._words.isdisjoint(_forms(word)) for word in name.split())
            or any(part in form for form in _forms(name) for part in self._contained)
        )


def _forms_of(names: Iterable[str]) -> frozenset[str]:
    """Return all forms of these names, which may be written in capitals."""
    return frozenset[str]().union(*(_forms(name) | _forms(name.upper()) for name in names))


def _forms(name: str) -> frozenset[str]:
    """Return the letters and digits of the skeleton of a name, of its capitals and of its small letters."""
    normal = unicodedata.normalize("NFKC", name)
    return frozenset(map(_letters, (normal, normal.casefold()))) - {""}


def _letters(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name).translate(_PROTOTYPES)
    prototype = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    # Modifier letters (ー, ʼ, ˑ) are letters, but look like a dash or a dot.
    letters = "".join(char for char in skeleton(prototype) if unicodedata.category(char) != "Lm")
    return letters.translate(_LOOKALIKES)
