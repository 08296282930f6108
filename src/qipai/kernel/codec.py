"""Strict readers: nothing enters unless its size, depth, numbers and text are bounded."""

import unicodedata
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

import msgspec

MAX_FRAME: Final = 16 * 1024
MAX_DEPTH: Final = 16
_ZWJ: Final = "\u200d"
_JOINERS: Final = _ZWJ + "\ufe0f"
_BREAKS: Final = "\t\r\n"
_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks that show nothing."""
_KEPT: Final = _JOINERS + _BREAKS

T = TypeVar("T")


class Malformed(Exception):
    """The bytes are not a message; the text says why and may be shown to the sender.

    `room` and `nonce` are what the sender meant, as far as that could be read.
    """

    def __init__(self, why: str, room: str = "", nonce: str = "") -> None:
        super().__init__(why)
        self.room = room
        self.nonce = nonce


def read(decode: Callable[[bytes], T], frame: bytes) -> T:
    """Return the decoded message, or raise `Malformed`; nothing else is ever raised."""
    if len(frame) > MAX_FRAME:
        raise Malformed(f"longer than {MAX_FRAME} bytes")
    if frame.count(b"[") + frame.count(b"{") > MAX_DEPTH and depth(frame) > MAX_DEPTH:
        raise Malformed(f"nested deeper than {MAX_DEPTH}")
    try:
        return decode(frame)
    except msgspec.MsgspecError as error:
        raise Malformed(str(error)) from None
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None


def convert(value: Any, kind: type[T]) -> T:
    """Return plain JSON values as `kind`, or raise `Malformed`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.MsgspecError as error:
        raise Malformed(str(error)) from None


def depth(frame: bytes) -> int:
    """Return how deep the brackets outside strings nest."""
    deepest = level = 0
    quoted = escaped = False
    for byte in frame:
        if quoted:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                quoted = False
        elif byte == 0x22:
            quoted = True
        elif byte in b"[{":
            level += 1
            deepest = max(deepest, level)
        elif byte in b"]}":
            level -= 1
    return deepest


def tidy(text: str, limit: int, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return one line of normal text: no control or format characters, no odd spaces, cut at `limit`."""
    normal = unicodedata.normalize(form, text[: limit * 4])
    kept = "".join(
        " " if unicodedata.category(char) in {"Zs", "Zl", "Zp"} or char in _BREAKS else char
        for char in normal
        if char in _KEPT or (char not in _BLANK and unicodedata.category(char)[0] != "C")
    )
    # What stood between two characters may have kept them from being composed.
    line = " ".join(unicodedata.normalize(form, kept).split())
    return line.lstrip(" " + _JOINERS)[:limit].rstrip(" " + _ZWJ)


def skeleton(name: str) -> str:
    """Return what a name looks like at a glance, for comparing with reserved ones."""
    normal = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in normal if unicodedata.category(char)[0] in "LN" and char not in _BLANK)
