"""What the requests of operators share: who asks, their body, and the answer to a refused act."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.hall import Hall
from qipai.hall.moderation.moderation_interface import ActRefusal
from qipai.hall.moderation.operator_acts import OperatorActs
from qipai.hall.moderation.operator_log_interface import Actor, Via
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Person
from qipai.server.accounts.account_requests import BadRequest

from .load_samples import LoadSamples

MOST_AT_ONCE: Final = 100
"""Rows of one answer."""
_MOST: Final = 2**53
STATUS: Final = {
    ActRefusal.NOT_ALLOWED: 403,
    ActRefusal.YOURSELF: 403,
    ActRefusal.NO_SUCH_PERSON: 404,
    ActRefusal.NO_SUCH_SANCTION: 404,
    ActRefusal.NO_SUCH_REPORT: 404,
    ActRefusal.NO_SUCH_INVITATION: 404,
    ActRefusal.NO_SUCH_ENTRY: 404,
    ActRefusal.NO_SUCH_TABLE: 404,
    ActRefusal.NAME_TAKEN: 409,
    ActRefusal.LAST_OPERATOR: 409,
    ActRefusal.NOTHING_TO_CHANGE: 409,
    ActRefusal.CANNOT_BE_UNDONE: 409,
    ActRefusal.ALREADY_UNDONE: 409,
    ActRefusal.APPEAL_OPEN: 409,
    ActRefusal.RATE_LIMITED: 429,
}
"""HTTP status of a refused act; 422 for those that are not here."""

Line = Annotated[str, Meta(max_length=500)]
LongText = Annotated[str, Meta(max_length=4_000)]
Time = Annotated[int, Meta(ge=0, lt=_MOST)]


class Caller(NamedTuple):
    """Who sends a request: a person with a role, by a session of the page or by a token."""

    person: Person
    role: Role
    via: Via
    address: str

    @property
    def actor(self) -> Actor:
        """Return who acts, for the log."""
        return Actor(self.person, self.via)


class Bundles(Protocol):
    """Makes problem bundles."""

    async def make(self) -> bytes:
        """Return a bundle as a file, or raise `StoreError`."""


class OperatorServices(NamedTuple):
    """What the requests of operators use."""

    hall: Hall
    accounts: Accounts
    acts: OperatorActs
    limits: ConnectionLimits
    samples: LoadSamples
    bundles: Bundles


Handle = Callable[[OperatorServices, Request, Caller], Awaitable[Response]]


class OperatorRoute(NamedTuple):
    """A request of operators: what it does, which role it needs, and its body if it has one."""

    method: str
    path: str
    handle: Handle
    needs: Role
    summary: str
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()


class ActReason(Struct, forbid_unknown_fields=True):
    """Why something is done."""

    reason: Line = ""


def number_of(request: Request, name: str = "number") -> int:
    """Return a number in the path."""
    number: int = request.path_params[name]
    if number >= _MOST:
        raise BadRequest(404, f"{name}: too large")
    return number


def query_of(request: Request, kind: type[Any]) -> Any:
    """Return the query of a request; unknown parameters are refused, and empty ones are none."""
    given = {name: value for name, value in request.query_params.items() if value}
    try:
        found = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(400, str(error)) from error
    if any("\0" in value for value in given.values()):
        raise BadRequest(400, "not text")
    return found
