"""The gomoku dialect: one object per socket; what it knows of its room it shares with all others there."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, assert_never

from qipai.clients.legacy_messages import (
    Company,
    Enter,
    Entered,
    Handed,
    Listing,
    ListTables,
    Look,
    Pair,
    Reminded,
    Seen,
    Visit,
)
from qipai.games.gomoku.rules import View
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Table
from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase
from qipai.kernel.room_view import LobbyRow
from qipai.protocol.intents import (
    Act,
    Bounce,
    Denied,
    Done,
    GiveUp,
    Happened,
    Heard,
    Leave,
    Left,
    LobbyNews,
    OpenTable,
    Pong,
    Present,
    Quit,
    Shown,
    Speak,
    Ticket,
    Tidings,
    Watched,
    Welcome,
    Whispered,
    Wish,
)

from . import chat_text, errors, offer_requests, outgoing_messages
from .errors import FRAMES, Standing, Wrong
from .incoming_messages import TAILS, Ask, Question, opening, question, room_of, stone_of
from .room_state import Folio
from .server_state import Salon

GAME: Final = "gomoku"
GRACE: Final = Millis(120_000)
AWAY: Final = 125
"""Seconds until somebody out of reach forfeits: a little more than the grace, after which he leaves."""
LINGER: Final = 300
TURN: Final = Millis(30_000)
_NO_ROOM: Final = b"\0"
_LIST: Final = ListTables(GAME)


class Gomoku:
    """Remembers one room at most, and its nickname."""

    __slots__ = (
        "_count", "_folio", "_joining", "_leaving", "_list", "_mark", "_nick", "_number", "_opening",
        "_refresh", "_salon", "_seat", "_skip", "_wanted", "_watchers", "sid", "wishes",
    )  # fmt: skip

    grace = GRACE
    seer = False
    discreet = False
    foyer = ""
    voice = None

    def __init__(self, sid: str, salon: Salon, number: int = 0) -> None:
        self.sid = sid
        self._mark = blake2b(sid.encode(), digest_size=6).hexdigest()
        """Goes into nonces, which others may see."""
        self.wishes: Sequence[Wish] = ()
        self._salon = salon
        self._nick: str | None = None
        self._number = number
        self._folio: Folio | None = None
        self._seat: Seat | None = None
        self._opening = _NO_ROOM
        self._skip = 0
        self._watchers: Company | None = None
        self._joining = self._refresh = False
        self._wanted = ""
        """The room that was asked for by its number, if nothing else has been asked for since."""
        self._leaving: RoomId | None = None
        self._count: bytes | None = None
        self._list: bytes | None = None

    def farewell(self) -> Sequence[Wish]:
        """Leave the room: who stays has won, and the room lives on."""
        folio = self._folio
        self._forget()
        return () if folio is None else (Leave(folio.room),)

    # In

    def hear(self, frame: bytes) -> Sequence[Wish]:
        """Return what the event asks for; unknown events ask for nothing."""
        folio = self._folio
        if folio is not None and frame.startswith(self._opening):
            move = TAILS.get(frame[self._skip :])
            if move is not None:
                return (Act(folio.room, move),)
        asked = question(frame)
        if asked is None:
            return ()
        match asked.ask:
            case Ask.LOBBY:
                return self._enter(asked.fields.get("nickname"))
            case Ask.CREATE | Ask.QUICK | Ask.JOIN:
                return (Bounce(Refusal.HELLO_FIRST),) if self._nick is None else self._come(asked, self._nick)
            case Ask.REFRESH:
                self._refresh = True
                return (_LIST,)
            case _:
                return self._about(asked, frame)

    def _enter(self, nickname: object) -> Sequence[Wish]:
        if not isinstance(nickname, str):
            return (Bounce(Refusal.BAD_NAME, Wrong.NICKNAME_NOT_TEXT),)
        trimmed = nickname.strip()
        name = chat_text.name_of(trimmed)
        if not name:
            return (Bounce(Refusal.BAD_NAME, Wrong.NICKNAME_EMPTY),)
        if len(trimmed) > chat_text.MAX_NAME:
            return (Bounce(Refusal.BAD_NAME, Wrong.NICKNAME_TOO_LONG),)
        self._refresh = True
        self._count = None
        return Enter(GAME, name), _LIST

    def _come(self, asked: Question, nick: str) -> Sequence[Wish]:
        """Come into a room: a new one, the one that waits longest, or this one."""
        self._joining = True
        self._wanted = ""
        if asked.ask is Ask.JOIN:
            room = room_of(asked)
            if room is None:
                return (Bounce(Refusal.NO_SUCH_ROOM),)
            self._wanted = room
            return (Visit(room, GAME, watch=asked.fields.get("asWatcher") is True),)
        if asked.ask is Ask.QUICK:
            return (Pair(GAME, _table(chat_text.title_of(None, nick))),)
        timed = asked.fields.get("turnTimer") is True
        table = _table(chat_text.title_of(asked.fields.get("name"), nick), timed=timed)
        return (OpenTable(GAME, self._once(_OPEN), table=table, seat=0),)

    def _about(self, asked: Question, frame: bytes) -> Sequence[Wish]:
        """Return what is done in one's own room; of any other room only how it stands is asked."""
        room = room_of(asked)
        if self._folio is not None and room == self._folio.code and asked.ask is not Ask.SEARCH:
            return self._within(self._folio, asked)
        if room is not None:
            return (Look(room, frame.decode()),)
        match asked.ask:
            case Ask.LEAVE:
                return ()
            case Ask.CHAT:
                return (Bounce(Refusal.NOT_IN_ROOM, Wrong.NOT_IN_ROOM),)
            case Ask.SEARCH:
                return (Look("", frame.decode()),)
            case _:
                return (Bounce(Refusal.NO_SUCH_ROOM, Wrong.ROOM_NOT_FOUND),)

    def _within(self, folio: Folio, asked: Question) -> Sequence[Wish]:
        room, ask = folio.room, asked.ask
        match ask:
            case Ask.PLACE:
                move = stone_of(asked)
                return (Bounce(Refusal.OUT_OF_RANGE, ask) if move is None else Act(room, move),)
            case Ask.LEAVE:
                return self._leave(room)
            case Ask.CHAT:
                message = asked.fields.get("message")
                return (Speak(room, message),) if isinstance(message, str) else ()
        if self._seat is None:
            return (Bounce(Refusal.NOT_SEATED, ask),)
        match ask:
            case Ask.SURRENDER:
                return (GiveUp(room, self._once(ask)),)
            case Ask.UNDO | Ask.SWAP | Ask.REMATCH:
                return (offer_requests.propose(folio, self._seat, ask, self._once(ask)),)
            case Ask.ANSWER_UNDO | Ask.ANSWER_SWAP | Ask.CANCEL:
                yes = ask is not Ask.CANCEL and asked.fields.get("accept") is True
                return (offer_requests.answer(folio, self._seat, ask, self._once(ask), yes=yes),)
        return ()

    def _leave(self, room: RoomId) -> Sequence[Wish]:
        """Leave a room, once: who has gone already is told nothing."""
        if room == self._leaving:
            return ()
        self._leaving = room
        return (Leave(room),)

    def _once(self, ask: str) -> Nonce:
        """Return a nonce that says what it was for, if it comes back with a refusal."""
        self._number += 1
        return Nonce(f"{ask} {self._mark} {self._number}")

    # Out

    def say(self, notice: Tidings) -> Sequence[bytes]:
        """Return what the client is told of this."""
        folio = self._folio
        if isinstance(notice, Happened):
            if folio is None or notice.room != folio.room:
                return ()
            frames = folio.follow(notice, self._seat)
            if len(notice.events) > 1 or folio.offers or folio.phase is Phase.CLOSED:
                self._react(folio, notice)
            return frames
        match notice:
            case Listing():
                return self._listed(notice)
            case Company():
                if folio is None or notice.room != folio.room:
                    self._watchers = notice
                    return ()
                return folio.gather(notice, self._seat)
            case Shown():
                return self._shown(notice)
            case Denied():
                return self._denied(notice)
            case Entered():
                self._nick = notice.name
                return ()
            case Left():
                return self._left(notice)
            case Seen():
                return self._seen(notice)
            case Reminded():
                return self._reminded(notice.about)
            case Present() | Heard() | Handed() | Welcome() | Done() | LobbyNews() | Pong():
                return ()
            case Ticket() | Whispered() | Watched():
                return ()
            case _:
                assert_never(notice)

    def _react(self, folio: Folio, notice: Happened) -> None:
        offer = folio.offers.get(OfferKind.REMATCH)
        if offer is not None and offer.seat == self._seat and notice.nonce and notice.seat == self._seat:
            self._want(offer_requests.wait(offer))
        if folio.phase is Phase.CLOSED:
            self._forget()
            self._want(_LIST)

    def _listed(self, listing: Listing) -> Sequence[bytes]:
        frames = []
        if self._nick is not None:
            count = self._salon.online(listing)
            if count != self._count:
                self._count = count
                frames.append(count)
        rooms = self._salon.rooms(listing)
        if self._refresh or (self._nick is not None and self._folio is None and rooms is not self._list):
            self._refresh = False
            self._list = rooms
            frames.append(rooms)
        return frames

    def _shown(self, notice: Shown) -> Sequence[bytes]:
        view, before = notice.room, self._folio
        if view.game != GAME:
            # Asked for before the socket turned to this game.
            self._want(Quit(view.id))
            return ()
        if before is not None and before.room != view.id:
            if before.code == self._wanted:
                # Asked for earlier, and given later, than the room one is in.
                self._want(Leave(view.id))
                return ()
            self._want(*self._leave(before.room))
        if self._leaving == view.id:
            self._leaving = None
        joining, self._joining = self._joining, False
        folio = self._folio = self._salon.folio(view)
        self._seat = notice.you
        folio.show(view, notice.version, watching=notice.you is None)
        if self._watchers is not None and self._watchers.room == view.id:
            folio.sheet.gather(self._watchers.watchers)
        self._watchers = None
        self._opening = opening(view.code)
        self._skip = len(self._opening)
        if view.phase is Phase.CLOSED:
            self._forget()
            return (folio.sheet.updated(notice.you),)
        if before is folio and not joining:
            return (folio.sheet.updated(notice.you),)
        if notice.version == FRESH and notice.you is not None:
            return (folio.sheet.joined(notice.you),)
        timer = folio.timer(view.clock)
        return (
            folio.sheet.joined(notice.you),
            folio.sheet.updated(notice.you),
            *(() if timer is None else (timer,)),
        )

    def _denied(self, notice: Denied) -> Sequence[bytes]:
        ask, folio = notice.nonce.split(" ")[0], self._folio
        if ask in _COMING and (folio is None or notice.room != folio.room):
            self._joining = False
        if notice.code is Refusal.OFFER_STANDS and folio is not None and ask in _ASKS:
            frames, wishes = offer_requests.again(folio, self._seat, Ask(ask))
            self._want(*wishes)
            return frames
        return _error(self._wrong(notice.code, ask))

    def _wrong(self, code: Refusal, ask: str) -> Wrong | None:
        if ask in _WRONGS:
            return Wrong(ask)
        if not ask and code in errors.MOVES:
            ask = Ask.PLACE
        if ask not in _ASKS or code in errors.PLAIN or self._folio is None:
            return errors.REFUSED[code]
        asked = Ask(ask)
        return errors.first(asked, self._folio.standing(self._seat)) or errors.last(asked, code)

    def _left(self, notice: Left) -> Sequence[bytes]:
        if self._leaving == notice.room:
            self._leaving = None
        if self._folio is None or notice.room != self._folio.room:
            return ()
        self._forget()
        self._refresh = True
        self._want(_LIST)
        return (FRAMES[Wrong.NOT_IN_ROOM],) if notice.replaced else ()

    def _seen(self, notice: Seen) -> Sequence[bytes]:
        """Answer what was asked about a room that was not one's own, or was not yet."""
        asked = question(notice.about.encode())
        view = None if notice.room is None or notice.room.game != GAME else notice.room
        if asked is None:
            return ()
        position: View | None = None if view is None else view.position
        if asked.ask is Ask.SEARCH:
            if view is None:
                return (outgoing_messages.found(None),)
            names = tuple(None if chair is None else chair.name for chair in view.chairs)
            title = view.table.title
            row = LobbyRow(view.id, view.code, GAME, view.phase, names, notice.watchers, title=title)
            return (
                outgoing_messages.found(
                    outgoing_messages.row(row, 0 if position is None else position.black)
                ),
            )
        if view is not None and self._folio is not None and view.id == self._folio.room:
            self._want(*self._within(self._folio, asked))
            return ()
        if asked.ask is Ask.LEAVE:
            return ()
        if view is None and asked.ask is not Ask.CHAT:
            return (FRAMES[Wrong.ROOM_NOT_FOUND],)
        phase = Phase.CLOSED if view is None else view.phase
        stones = 0 if position is None else len(position.moves)
        return _error(errors.first(asked.ask, Standing(phase, stones, None, None, opponent=False)))

    def _reminded(self, about: str) -> Sequence[bytes]:
        offer = None if self._folio is None else self._folio.offers.get(OfferKind.REMATCH)
        waits = offer is not None and offer.seat == self._seat and str(offer.id) == about
        return (outgoing_messages.REMATCH_TIMEOUT,) if waits else ()

    def _forget(self) -> None:
        self._folio = self._seat = None
        self._opening = _NO_ROOM

    def _want(self, *wishes: Wish) -> None:
        self.wishes = (*self.wishes, *wishes)


FRESH: Final = 2
"""The version of a room that its owner has just opened and sat down in."""
_ASKS: Final = frozenset(Ask)
_WRONGS: Final = frozenset(Wrong)
_OPEN: Final = "open"
_COMING: Final = frozenset({"", _OPEN})
"""How a refusal begins that may be about a room one wanted to come into."""


def _table(title: str, *, timed: bool = False) -> Table:
    clock = ClockPlan(move=TURN) if timed else None
    return Table(away=AWAY, clock=clock, title=title, linger=LINGER, relaxed=True)


def _error(wrong: Wrong | None) -> Sequence[bytes]:
    return () if wrong is None else (FRAMES[wrong],)
