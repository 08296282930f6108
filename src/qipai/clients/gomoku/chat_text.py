"""What people write, as it may stand in pages that print it unescaped."""

import re
from typing import Final

from qipai.kernel.codec import clean_line
from qipai.kernel.commands import MAX_TITLE

MAX_NAME: Final = 20

_TWINS: Final = str.maketrans("<>&\"'", "＜＞＆＂＇")
EMOJI: Final = {
    key: emoji
    for keys, emoji in (
        (":) :-)", "😊"),
        (":( :-(", "😢"),
        (":D :-D", "😄"),
        (";) ;-)", "😉"),
        (":P :-P :p :-p", "😛"),
        (":O :-O :o :-o", "😮"),
        ("<3", "❤️"),
        (":* :-*", "😘"),
        ("XD xD", "😆"),
        (":'( :'-(", "😭"),
        (":/ :-/", "😕"),
        ("O:) O:-)", "😇"),
        (">:( >:-(", "😠"),
        (":@", "😡"),
        ("B) B-)", "😎"),
    )
    for key in keys.split()
}
"""What each shortcut stands for."""
_SHORTCUT: Final = re.compile(
    r"(?P<address>[A-Za-z][A-Za-z0-9+.-]*://\S*)|"
    + "|".join(re.escape(key) for key in sorted(EMOJI, key=len, reverse=True))
)


def neutral(text: str) -> str:
    """Return the text without anything that a page could take for markup."""
    return text.translate(_TWINS)


def with_emoji(text: str) -> str:
    """Return the text with every shortcut replaced, the longest first, except within addresses."""
    return _SHORTCUT.sub(lambda found: found["address"] or EMOJI[found[0]], text)


def line(text: str) -> str:
    """Return a line of chat as it leaves this dialect."""
    return neutral(with_emoji(text))


def name_of(text: str) -> str:
    """Return a nickname as it is kept; empty if nothing of it can be seen."""
    return clean_line(text, MAX_NAME)


def title_of(text: object, nickname: str) -> str:
    """Return the name of a room: what was asked for, or its owner's room."""
    title = clean_line(text, MAX_TITLE) if isinstance(text, str) else ""
    return title or f"{nickname}的房间"[:MAX_TITLE]
