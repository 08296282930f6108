"""Admission of connections: hello, guests, welcome; how many connections each person has."""

from collections.abc import Callable, Mapping
from functools import partial

from qipai.games.game import Game
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.moderation.enforcement import Enforcement
from qipai.hall.people.address_limits import AddressLimits
from qipai.hall.people.identity import Guest, GuestToken, Identity, generated_name
from qipai.hall.people.seat_index import SeatIndex
from qipai.kernel.ids import Millis, Person
from qipai.kernel.refusals import Refusal
from qipai.protocol import intents
from qipai.protocol.dialect_interface import AnyIntent
from qipai.protocol.notices import BotRatings, GameDescription, Refused, Welcome

from .connection import OVERLOAD, SIGNED_OUT, Connection, Handlers
from .inbox import Inbox


class Admission:
    """Decides which person a connection belongs to; `persons` counts the connections of each."""

    def __init__(
        self,
        games: Mapping[str, Game],
        identity: Identity,
        seat_index: SeatIndex,
        persons: dict[Person, int],
        online_changed: Callable[[], None],
        limits: AddressLimits,
        services: AccountServices,
        inbox: Inbox,
        moderation: Enforcement,
        *,
        engine: bool = False,
    ) -> None:
        self._moderation = moderation
        self._identity = identity
        self._seat_index = seat_index
        self._persons = persons
        self._online_changed = online_changed
        self._limits = limits
        self._names = services.names
        self._accounts = services.accounts
        self._directory = services.directory
        self._online = services.online
        self._welcome_listeners = services.welcome_listeners
        self._api_tokens = services.api_tokens
        self._token_limits = services.token_limits
        self._inbox = inbox
        self._games = tuple(
            GameDescription(
                game.name,
                game.rules.seats,
                tuple(game.bots),
                game.phrases,
                "" if game.web is None else game.web.entry,
                tuple(
                    BotRatings(twist, tuple(map(ratings.get, game.bots)))
                    for twist, ratings in game.shown_bot_ratings(engine=engine).items()
                ),
            )
            for game in games.values()
        )
        self.handlers: Handlers = {intents.Hello: self._hello}

    def admit(self, connection: Connection, guest: Guest) -> bool:
        """Make the connection the guest's; from now on it may send every intent.

        Close it and return False if the person is banned.
        """
        if self._moderation.closes_banned(connection, guest.person):
            return False
        if connection.person != guest.person:
            if connection.person is not None:
                self._count(connection.person, -1)
            self._count(guest.person, 1)
        connection.admitted(guest.person, guest.name)
        self._online.connected(connection)
        return True

    def with_allowed_name(self, guest: Guest) -> Guest:
        """Return the guest of a token or login, with a generated name if its name is reserved by now."""
        return Guest(guest.person, self._names.clean(guest.name) or generated_name(guest.person))

    def admit_new(self, connection: Connection, guest: Guest, now: Millis) -> bool:
        """Make the connection a new guest's; close it if its address has had too many, and return False."""
        if not self.may_create_guest(connection, now):
            return False
        return self.admit(connection, guest)

    def may_create_guest(self, connection: Connection, now: Millis) -> bool:
        """Tell whether the address of a connection may have a new guest; otherwise close the connection."""
        if self._limits.may_create_guest(connection.address, now):
            return True
        connection.send_notice(Refused(Refusal.RATE_LIMITED))
        connection.outbox.close(OVERLOAD, "too many new guests from this address")
        return False

    async def person_of(self, token: str, session: str) -> Person | None:
        """Return the person of a request outside a connection: that of the session, or of the guest token."""
        if self._accounts is not None and (current := await self._accounts.current(session)) is not None:
            return current.account.person
        guest = self._read_token(token)
        return None if guest is None else guest.person

    def _read_token(self, token: str) -> Guest | None:
        """Return the guest of a token; None for a token from the time before the person had an account."""
        found = self._read_guest_token(token)
        return None if found is None else found.guest

    def _read_guest_token(self, token: str) -> GuestToken | None:
        found = self._identity.read_guest_token(token) if token else None
        return found if found is not None and self._directory.accepts_guest(found.guest.person) else None

    def release(self, connection: Connection) -> None:
        """Count a connection no longer that is closed."""
        self._token_limits.release(connection)
        if connection.person is not None:
            self._online.disconnected(connection)
            self._count(connection.person, -1)

    def _count(self, person: Person, change: int) -> None:
        self._persons[person] = self._persons.get(person, 0) + change
        if not self._persons[person]:
            del self._persons[person]
        self._online_changed()

    def _hello(self, connection: Connection, intent: intents.Hello, now: Millis) -> None:
        if intent.v != intents.PROTOCOL:
            connection.send_notice(
                Refused(Refusal.VERSION, about=f"this server speaks version {intents.PROTOCOL}")
            )
        elif intent.api_token:
            self._inbox.run(connection, partial(self._hello_with_api_token, connection, intent, now))
        elif (
            self._accounts is not None and not connection.bot and (intent.session or connection.session_token)
        ):
            work = partial(self._hello_with_session, self._accounts, connection, intent, now)
            self._inbox.run(connection, work)
        elif connection.session_key:
            # The name of an account is not changed here.
            self._welcome(connection, "", now)
        else:
            self._hello_as_guest(connection, intent, now)

    async def _hello_with_session(
        self, accounts: Accounts, connection: Connection, intent: intents.Hello, now: Millis
    ) -> None:
        """Admit the account of a session; a browser that was signed out is a guest again."""
        current = await accounts.current(intent.session or connection.session_token)
        if current is None:
            if connection.session_key:
                connection.outbox.close(SIGNED_OUT, "this device was signed out")
            elif intent.session:
                connection.send_notice(Refused(Refusal.NOT_ALLOWED, about="the session has ended"))
            else:
                self._hello_as_guest(connection, intent, now)
            return
        account = current.account
        if connection.person not in {None, account.person}:
            connection.send_notice(Refused(Refusal.NOT_ALLOWED))
            return
        connection.session_key = current.session.key
        if self.admit(connection, Guest(account.person, account.name)):
            self._welcome(connection, "", now)

    async def _hello_with_api_token(self, connection: Connection, intent: intents.Hello, now: Millis) -> None:
        """Admit the bot account of an API token."""
        try:
            if self._api_tokens is None:
                raise AccountRefused(AccountRefusal.BAD_API_TOKEN)
            token, account = await self._api_tokens.user(intent.api_token, connection.address)
        except AccountRefused as refused:
            if refused.code is AccountRefusal.BAD_API_TOKEN:
                about = "the API token is not valid"
                connection.send_notice(Refused(Refusal.NOT_ALLOWED, about=about))
            else:
                about = "too many wrong API tokens from this address"
                connection.send_notice(Refused(Refusal.RATE_LIMITED, about=about))
                connection.outbox.close(OVERLOAD, about)
            return
        known = connection.person is None or connection.session_key == token.key
        if not known or not account.bot:
            about = "this account is no bot account" if known else "the connection belongs to somebody else"
            connection.send_notice(Refused(Refusal.NOT_ALLOWED, about=about))
        elif not self._token_limits.connect(connection, token):
            about = "too many connections with this API token"
            connection.send_notice(Refused(Refusal.RATE_LIMITED, about=about))
            connection.outbox.close(OVERLOAD, about)
        else:
            connection.session_key, connection.bot = token.key, True
            if self.admit(connection, Guest(account.person, account.name)):
                self._welcome(connection, "", now)

    def _hello_as_guest(self, connection: Connection, intent: intents.Hello, now: Millis) -> None:
        found = self._read_guest_token(intent.token)
        if found is not None:
            guest = self.with_allowed_name(found.guest)
        elif connection.person is not None:
            guest = Guest(connection.person, connection.name)
        else:
            if not self.may_create_guest(connection, now):
                return
            guest = self._identity.guest()
        if intent.name:
            name = self._names.clean(intent.name)
            if name is None:
                connection.send_notice(Refused(Refusal.BAD_NAME))
                if connection.person is not None:
                    return
            else:
                guest = Guest(guest.person, name)
        if connection.person not in {None, guest.person}:
            connection.send_notice(Refused(Refusal.NOT_ALLOWED))
            return
        if not self.admit(connection, guest):
            return
        # To sign a token at each hello would take longer than to read it.
        is_kept = found is not None and guest == found.guest and not found.is_due
        self._welcome(connection, intent.token if is_kept else self._identity.token(guest), now)

    def _welcome(self, connection: Connection, token: str, now: Millis) -> None:
        assert connection.person is not None
        rooms = tuple(sorted(self._seat_index.get(connection.person, ())))
        account = None if token else self._directory.account(connection.person)
        bot = connection.bot or (account is not None and account.bot)
        connection.send_notice(
            Welcome(intents.PROTOCOL, token, connection.name, now, self._games, rooms, not token, bot)
        )
        if not token:
            for listener in self._welcome_listeners:
                listener(connection)
        self._moderation.greet(connection)


def refuse_before_hello(connection: Connection, _intent: AnyIntent, _now: Millis) -> None:
    """Refuse an intent of a connection that has not said hello."""
    connection.send_notice(Refused(Refusal.HELLO_FIRST))
