"""The text of an exception that code of a game raised."""

from typing import Final

MAX_LENGTH: Final = 300


def error_text(error: BaseException) -> str:
    """Return the type and the text of an exception in one line; the type alone if it has no text."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the text is made by the code that has failed
        text = ""
    return one_line(f"{name}: {text}" if text else name)


def one_line(text: str) -> str:
    """Return a text without line breaks, cut at `MAX_LENGTH`."""
    return " ".join(text.split())[:MAX_LENGTH]
