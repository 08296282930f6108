"""How much a program with an API token may do, as the operator sets it."""

from typing import Annotated

from msgspec import Meta, Struct

from qipai.hall.connections.rate_limit import FRAMES_PER_SECOND
from qipai.hall.people.person_quota import ROOMS_PER_PERSON

_Count = Annotated[int, Meta(ge=1, le=1_000_000)]


class ApiTokenSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of API tokens.

    `connections`: of one token, on each worker. `messages`: frames per second that are read of a connection.
    The others are for all tokens of an account together. `tables`: seats at once. `new_tables`: tables opened
    per hour. `requests`: HTTP requests per minute.
    """

    connections: _Count = 5
    messages: Annotated[int, Meta(ge=1, le=FRAMES_PER_SECOND)] = 20
    tables: Annotated[int, Meta(ge=1, le=ROOMS_PER_PERSON)] = 8
    new_tables: _Count = 60
    requests: _Count = 120
