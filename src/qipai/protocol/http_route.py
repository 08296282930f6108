"""A route of the HTTP API as the documents describe it; the older clients describe theirs too."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

JSON: Final = "application/json"


class HttpRoute(NamedTuple):
    """A path with a method. `query`: its parameters. `request`: the struct of the JSON body.

    `answer`: the type of a JSON answer, None if it is described by the summary alone. `refusals`: the errors
    by status, besides those that all routes of the same kind have.
    """

    path: str
    summary: str
    media: str = JSON
    method: str = "GET"
    query: tuple[str, ...] = ()
    request: type[Struct] | None = None
    answer: Any = None
    refusals: Mapping[int, tuple[str, ...]] = {}
