"""Errors in the code of a game, which may come from another package."""

from traceback import TracebackException
from types import TracebackType
from typing import Final

MAX_LENGTH: Final = 300


class GameCode:
    """A `with` block around code of a game: what it raises becomes an `error` with one line of text.

    A fault of one package must not affect the games of others. An `error` that the block raises stays as it
    is, and so does `KeyboardInterrupt`; `SystemExit` at the import of a package does not end the server.
    """

    __slots__ = ("_error", "_where")

    def __init__(self, error: type[Exception], where: str = "") -> None:
        self._error = error
        self._where = where

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error; its text begins with `where`."""
        if error is not None and not isinstance(error, (self._error, KeyboardInterrupt)):
            raise self._error(one_line(f"{self._where}{error_text(error)}")) from error


def error_text(error: BaseException) -> str:
    """Return the type and the text of an exception in one line; the type alone if it has no text."""
    # Not `str`: the text is made by the code that has failed, and may raise another exception.
    text = str(TracebackException(type(error), error, None))
    name = type(error).__name__
    return one_line(f"{name}: {text}" if text else name)


def one_line(text: str) -> str:
    """Return a text without line breaks, cut at `MAX_LENGTH`."""
    return " ".join(text.split())[:MAX_LENGTH]
