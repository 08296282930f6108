"""Enforces the limits of API tokens, and counts what they refuse."""

from collections import Counter
from enum import StrEnum
from typing import Final

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.person_quota import Quota, SlidingWindow
from qipai.kernel.ids import Millis, Person

from .api_token_interface import ApiToken
from .api_token_settings import ApiTokenSettings

HOUR: Final = 3_600_000
MINUTE: Final = 60_000
GUESSES: Final = 20
"""Wrong API tokens of one address per minute, after which a worker reads none of its tokens."""


class ApiTokenLimit(StrEnum):
    """The limits of API tokens."""

    CONNECTIONS = "connections"
    MESSAGES = "messages"
    """Frames that were read later."""
    TABLES = "tables"
    NEW_TABLES = "new_tables"
    REQUESTS = "requests"
    GUESSES = "guesses"


class ApiTokenLimits:
    """Knows the connections of this worker that came with an API token."""

    def __init__(self, settings: ApiTokenSettings, counters: SharedCounters) -> None:
        self._settings = settings
        self._requests = Quota(counters, "api-requests", settings.requests, MINUTE)
        self._new_tables = Quota(counters, "api-tables", settings.new_tables, HOUR)
        self._guesses = SlidingWindow(GUESSES, MINUTE)
        self._open: dict[bytes, set[Connection]] = {}
        """The connections of each token, by its key."""
        self._expiry: dict[bytes, Millis] = {}
        """When those of them expire that do."""
        self._refused: Counter[ApiTokenLimit] = Counter()

    @property
    def refused(self) -> Counter[ApiTokenLimit]:
        """Return how often each limit has refused something."""
        delayed = sum(each.rate_limit.delayed for held in self._open.values() for each in held)
        return self._refused + Counter({ApiTokenLimit.MESSAGES: delayed})

    @property
    def connections(self) -> int:
        """Return the number of connections with an API token."""
        return sum(map(len, self._open.values()))

    # Connections

    def connect(self, connection: Connection, token: ApiToken) -> bool:
        """Count a connection for a token and limit its frames; tell whether the token may have it."""
        held = self._open.get(token.key, set())
        if connection in held:
            return True
        if not self._count(ApiTokenLimit.CONNECTIONS, allowed=len(held) < self._settings.connections):
            return False
        self._open[token.key] = {*held, connection}
        if token.expires is not None:
            self._expiry[token.key] = token.expires
        messages = self._settings.messages
        connection.rate_limit = RateLimit(messages, per_second=messages, slows=True)
        return True

    def release(self, connection: Connection) -> None:
        """Count a connection no longer that is closed."""
        key = connection.session_key
        if not connection.bot or connection not in self._open.get(key, ()):
            return
        self._refused[ApiTokenLimit.MESSAGES] += connection.rate_limit.delayed
        self._open[key].discard(connection)
        if not self._open[key]:
            del self._open[key]
            self._expiry.pop(key, None)

    def expired(self, now: Millis) -> tuple[Connection, ...]:
        """Return the connections whose token has expired."""
        return tuple(
            connection
            for key, expires in self._expiry.items()
            if expires <= now
            for connection in self._open[key]
        )

    # What programs do

    def may_take_seat(self, connection: Connection, held: int) -> bool:
        """Tell whether a person with so many seats may take one more."""
        allowed = not connection.bot or held < self._settings.tables
        return self._count(ApiTokenLimit.TABLES, allowed=allowed)

    async def may_open_table(self, connection: Connection, now: Millis) -> bool:
        """Count a new table; tell whether the person may open it."""
        allowed = not connection.bot or await self._new_tables.spend(connection, now)
        return self._count(ApiTokenLimit.NEW_TABLES, allowed=allowed)

    async def may_request(self, person: Person, now: Millis) -> bool:
        """Count an HTTP request; tell whether the person may make it."""
        return self._count(ApiTokenLimit.REQUESTS, allowed=await self._requests.spend_for(person, now))

    # Wrong tokens

    def may_try(self, address: str, now: Millis) -> bool:
        """Tell whether API tokens of an address are read."""
        allowed = not is_counted(address) or not self._guesses.full(address, now)
        return self._count(ApiTokenLimit.GUESSES, allowed=allowed)

    def count_guess(self, address: str, now: Millis) -> None:
        """Count a wrong API token."""
        if is_counted(address):
            self._guesses.add(address, now)

    def _count(self, limit: ApiTokenLimit, *, allowed: bool) -> bool:
        if not allowed:
            self._refused[limit] += 1
        return allowed
