"""Strict JSON decoding with limits on size, depth, numbers and text."""

import unicodedata
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

import msgspec

MAX_FRAME: Final = 16 * 1024
MAX_DEPTH: Final = 16
_ZWJ: Final = "\u200d"
_JOINERS: Final = _ZWJ + "\ufe0f"
_BREAKS: Final = "\t\r\n"
MOST_MARKS: Final = 2
"""Combining marks in a row in a name: what languages need that Unicode does not compose."""
_MARKS: Final = frozenset({"Mn", "Me"})
_INVISIBLE: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks that are not visible."""
_ALLOWED: Final = _JOINERS + _BREAKS

T = TypeVar("T")


class Malformed(Exception):
    """The frame is not a valid message; the text says why and may be shown to the sender.

    `room` and `nonce` are those of the frame, as far as they could be decoded.
    """

    def __init__(self, reason: str, room: str = "", nonce: str = "") -> None:
        super().__init__(reason)
        self.room = room
        self.nonce = nonce


def decode_frame(decode: Callable[[bytes], T], frame: bytes) -> T:
    """Return the decoded message, or raise `Malformed` and nothing else."""
    if len(frame) > MAX_FRAME:
        raise Malformed(f"longer than {MAX_FRAME} bytes")
    if frame.count(b"[") + frame.count(b"{") > MAX_DEPTH and nesting_depth(frame) > MAX_DEPTH:
        raise Malformed(f"nested deeper than {MAX_DEPTH}")
    try:
        return decode(frame)
    except msgspec.MsgspecError as error:
        raise Malformed(str(error)) from None
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None


def convert(value: Any, kind: type[T]) -> T:
    """Return JSON values converted to `kind`, or raise `Malformed`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.MsgspecError as error:
        raise Malformed(str(error)) from None


def nesting_depth(frame: bytes) -> int:
    """Return the nesting depth of brackets outside strings."""
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


def clean_line(text: str, limit: int, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return one normalised line without control, format or unusual space characters, cut at `limit`."""
    normal = unicodedata.normalize(form, text[: limit * 4])
    if normal.isascii() and normal.isprintable():
        cleaned = normal  # As most lines: nothing to remove.
    else:
        kept = "".join(
            " " if unicodedata.category(char) in {"Zs", "Zl", "Zp"} or char in _BREAKS else char
            for char in normal
            if char in _ALLOWED or (char not in _INVISIBLE and unicodedata.category(char)[0] != "C")
        )
        # A removed character may have separated two that compose.
        cleaned = unicodedata.normalize(form, kept)
    line = " ".join(cleaned.split())
    return line.lstrip(" " + _JOINERS)[:limit].rstrip(" " + _ZWJ)


def with_few_marks(name: str) -> str:
    """Return the name without combining marks at its start, repeated ones, and more than two in a row."""
    kept: list[str] = []
    marks: list[str] = []
    for char in name:
        if unicodedata.category(char) not in _MARKS:
            marks = []
        elif not kept or char in marks or len(marks) >= MOST_MARKS:
            continue
        else:
            marks.append(char)
        kept.append(char)
    return "".join(kept)


def skeleton(name: str) -> str:
    """Return the letters and digits of a name, case-folded, for comparison with reserved names."""
    normal = unicodedata.normalize("NFKC", name).casefold()
    return "".join(
        char for char in normal if unicodedata.category(char)[0] in "LN" and char not in _INVISIBLE
    )
