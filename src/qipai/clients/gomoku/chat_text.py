"""Makes names and chat safe for pages that do not escape HTML; expands emoji shortcuts."""

import re
from typing import Final

from qipai.kernel.codec import clean_line, with_few_marks
from qipai.kernel.commands import MAX_TITLE

MAX_NICKNAME: Final = 20

_FULL_WIDTH: Final = str.maketrans("<>&\"'", "＜＞＆＂＇")
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
"""Emoji by shortcut."""
_SHORTCUT: Final = re.compile(
    r"(?P<address>[A-Za-z][A-Za-z0-9+.-]*://\S*)|"
    + "|".join(re.escape(key) for key in sorted(EMOJI, key=len, reverse=True))
)


def escape_markup(text: str) -> str:
    """Return the text with every character that could be markup replaced by its full-width form."""
    return text.translate(_FULL_WIDTH)


def with_emoji(text: str) -> str:
    """Return the text with every shortcut replaced, the longest first, except within URLs."""
    return _SHORTCUT.sub(lambda match: match["address"] or EMOJI[match[0]], text)


def chat_message(text: str) -> str:
    """Return the text of a chat line as clients receive it."""
    return escape_markup(with_emoji(text))


def clean_nickname(text: str) -> str:
    """Return a nickname without invisible characters and stacked marks; empty if nothing is left."""
    return with_few_marks(clean_line(text, MAX_NICKNAME))


def room_title(text: object, nickname: str) -> str:
    """Return the requested title of a room, or the default title with the owner's nickname."""
    title = clean_line(text, MAX_TITLE) if isinstance(text, str) else ""
    return title or f"{nickname}的房间"[:MAX_TITLE]
