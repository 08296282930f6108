"""Names of persons: cleaned, with few combining marks, and unlike those of the server, its staff and bots.

Two names are alike if their skeletons are equal (Unicode TS 39), in any case and with any punctuation.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from string import ascii_uppercase
from typing import Final

from confusable_homoglyphs import utils as confusable_data

from qipai.games.game import Game
from qipai.kernel.codec import clean_line, skeleton, with_few_marks
from qipai.kernel.ids import Person

from .reserved_names import BOT_NAMES, RESERVED_NAMES, RESERVED_PARTS, RESERVED_WORDS

NAME_LENGTH: Final = 20
MIN_VISIBLE: Final = 2
"""Characters that the name of an account shows at least."""
_LOOKALIKES: Final = str.maketrans({"糸": "系", "l": "i", "1": "i"})
"""Beyond TS 39, which tells i from l and knows few Han characters."""
_RADICALS: Final = frozenset(map(chr, range(0x2E80, 0x2F00)))
"""Those that Unicode does not normalise to characters."""


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
            # A radical (⻓) is no letter: it is replaced by the character.
            is_radical = len(other) == 1 and other in _RADICALS
            found[ord(other if is_radical else text)] = text if is_radical else other
    # TS 39 has few of the small capitals (ᴀ).
    for letter in ascii_uppercase:
        with suppress(KeyError):
            small = unicodedata.lookup(f"LATIN LETTER SMALL CAPITAL {letter}")
            found[ord(small)] = found.get(ord(letter.lower()), letter.lower())
    return found


_PROTOTYPES: Final = _prototypes()


class Names:
    """Cleans names and refuses those that are reserved or belong to others, also to bots."""

    def __init__(self, games: Mapping[str, Game], owner: Callable[[str], Person | None]) -> None:
        self._owner = owner
        """Returns the person whose account has a name with this skeleton."""
        bots = (bot for game in games.values() for bot in game.bots)
        self._reserved = _forms_of((*RESERVED_WORDS, *RESERVED_NAMES, *BOT_NAMES, *bots))
        self._words = _forms_of(RESERVED_WORDS)
        self._parts = _forms_of(RESERVED_PARTS)

    def clean(self, text: str) -> str | None:
        """Return the name of a guest as it is shown; None if it is empty, reserved or that of an account."""
        name = with_few_marks(clean_line(text, NAME_LENGTH, "NFKC"))
        if not name or self.is_reserved(name):
            return None
        return name if self._owner(self.skeleton(name)) is None else None

    def clean_for_account(self, text: str) -> str | None:
        """Return the name of an account as it is shown; None if it is too short or long, or reserved."""
        name = with_few_marks(clean_line(text, NAME_LENGTH + 1, "NFKC"))
        is_fit = len(name) <= NAME_LENGTH and _visible_length(name) >= MIN_VISIBLE
        return name if is_fit and not self.is_reserved(name) else None

    def skeleton(self, name: str) -> str:
        """Return what is compared of a name: two names with the same skeleton look alike."""
        normal = unicodedata.normalize("NFKC", clean_line(name, NAME_LENGTH, "NFKC")).casefold()
        # A name without letters and digits is compared as it is.
        return _letters(normal) or normal

    def is_reserved(self, name: str) -> bool:
        """Tell whether a name looks like a reserved one."""
        normal = unicodedata.normalize("NFKC", name)
        whole = _forms(normal)
        return (
            not self._reserved.isdisjoint(whole | _forms(_without_numbers(normal)))
            or any(not self._words.isdisjoint(_forms(word)) for word in {*_words(normal)})
            or any(part in form for form in whole for part in self._parts)
        )


def _visible_length(name: str) -> int:
    """Return how many characters of a name are seen as such: combining marks and joiners are not."""
    return sum(unicodedata.category(char)[0] not in "MC" for char in name)


def _words(name: str) -> Iterator[str]:
    """Yield the words of a name, which end at all but letters and digits, at digits, or before a capital."""
    for digits_end_words in (False, True):
        spaced = "".join(char if _continues_word(char, digits_end_words) else " " for char in name)
        yield from map(_without_numbers, spaced.split())
    yield from _camel_case_words(spaced)


def _camel_case_words(name: str) -> list[str]:
    ends = (" " if first.islower() and second.isupper() else "" for first, second in pairwise(f"{name} "))
    return "".join(char + end for char, end in zip(name, ends, strict=True)).split()


def _continues_word(char: str, digits_end_words: bool) -> bool:
    category = unicodedata.category(char)
    return category != "Lm" and category[0] in ("LM" if digits_end_words else "LMN")


def _without_numbers(name: str) -> str:
    """Return a name without the numbers, marks and spaces at its ends."""
    letters = [at for at, char in enumerate(name) if unicodedata.category(char)[0] == "L"]
    return name[letters[0] : letters[-1] + 1] if letters else ""


def _forms_of(names: Iterable[str]) -> frozenset[str]:
    """Return all forms of these names, which may be written in capitals."""
    return frozenset[str]().union(*(_forms(name) | _forms(name.upper()) for name in names))


def _forms(name: str) -> frozenset[str]:
    """Return the letters and digits of the skeleton of a name, of its capitals and of its small letters."""
    normal = unicodedata.normalize("NFKC", name)
    return frozenset(map(_letters, (normal, normal.casefold()))) - {""}


def _letters(name: str) -> str:
    # Most names are ASCII, where every character is replaced by itself. Thousands reconnect in one moment.
    return name.translate(_ASCII_LETTERS) if name.isascii() else _letters_of_text(name)


def _letters_of_text(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name).translate(_PROTOTYPES)
    prototype = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    # Modifier letters (ー, ʼ, ˑ) are letters, but look like a dash or a dot.
    letters = "".join(char for char in skeleton(prototype) if unicodedata.category(char) != "Lm")
    return letters.translate(_LOOKALIKES)


_ASCII_LETTERS: Final = {code: _letters_of_text(chr(code)) for code in range(128)}
