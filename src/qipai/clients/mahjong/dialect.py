"""The mahjong dialect: one object per socket, which answers one request after the other."""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, assert_never

from qipai.clients.legacy_messages import (
    Anyone,
    Appear,
    As,
    Company,
    Entered,
    Handed,
    Listing,
    Reminded,
    Seen,
    Take,
    Visit,
)
from qipai.games.mahjong.wire_types import AnyMove, Settings
from qipai.kernel.commands import Play
from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, RoomId, Seat
from qipai.kernel.room_events import Closed
from qipai.protocol.intents import (
    Act,
    Bounce,
    Denied,
    Done,
    Happened,
    Heard,
    Leave,
    Left,
    LobbyNews,
    Pong,
    Present,
    Shown,
    Ticket,
    Tidings,
    Watched,
    Welcome,
    Whispered,
    Wish,
)

from . import command_checks, errors, event_names, game_state_json, outgoing_messages, replies
from .client_game import Sitting
from .errors import Wrong
from .incoming_messages import READS, Ask, Request, request_of, seat_of
from .pending_requests import Errand
from .reply_cache import Answers, Memory, nonce_of
from .seat_dialect import Place

GAME: Final = "mahjong"
MAX_GAMES: Final = 16
"""Games that one socket may follow at once."""
MAX_LINE: Final = 200
"""Frames that may wait while one is being answered."""
MAX_TOKEN: Final = 400
_TURN: Final = "turn"
_FULL: Final = "full"
_NEXT: Final = (Bounce(Refusal.MALFORMED, _TURN),)
"""Lets what is to be said be said, and what waits have its turn."""
_TOO_MANY: Final = (Bounce(Refusal.RATE_LIMITED, _FULL),)


class Mahjong:
    """Follows some games as a watcher, and holds seats through people of its own, one for each seat."""

    __slots__ = ("_errand", "_games", "_line", "_memory", "_minded", "_numbers", "_said", "wishes")

    grace = Millis(0)
    discreet = True
    seer = False
    foyer = ""
    voice = None

    def __init__(self, answers: Answers, numbers: "count[int]") -> None:
        self.wishes: Sequence[Wish] = ()
        self._memory = Memory(answers)
        self._numbers = numbers
        self._games: dict[str, Sitting] = {}
        self._line: deque[bytes] = deque()
        self._errand: Errand | None = None
        self._said: list[bytes] = []
        self._minded: Request | None = None

    def farewell(self) -> Sequence[Wish]:
        """Wish nothing: seats are kept for a while."""
        return ()

    # In

    def minds(self, frame: bytes) -> bool:
        """Tell that every frame is answered; one too many is answered as what it is."""
        self._minded = request_of(frame)
        return True

    def hear(self, frame: bytes) -> Sequence[Wish]:
        """Return what is done about a frame now; it waits while another one is being answered."""
        if len(self._line) >= MAX_LINE:
            self._minded = request_of(frame)
            return _TOO_MANY
        self._line.append(frame)
        self._work()
        wishes, self.wishes = self.wishes, ()
        return (*wishes, *_NEXT) if self._said or not wishes else wishes

    def _work(self) -> None:
        """Begin with what waits, until something takes its time."""
        while self._errand is None and self._line:
            request = request_of(self._line.popleft())
            if request is None:
                self._said.append(outgoing_messages.MALFORMED)
                continue
            request = command_checks.owned(request, self._games.get(request.game))
            try:
                self._begin(request)
            except Wrong as wrong:
                self._refuse(request, wrong)

    def _begin(self, request: Request) -> None:
        if request.ask is None:
            raise Wrong(*errors.UNKNOWN)
        if request.fault:
            raise Wrong("bad_payload", f"{errors.FORMAT}: {request.fault}")
        sitting = self._games.get(request.game)
        if sitting is not None:
            self._do(request, sitting)
        elif not request.game:
            raise Wrong(*errors.NO_GAME)
        elif len(self._games) >= MAX_GAMES:
            raise Wrong("too_many_games", f"a connection follows at most {MAX_GAMES} games")
        else:
            self._errand = Errand(request)
            self._want(Appear(), Visit(request.game, GAME, watch=True))

    def _do(self, request: Request, sitting: Sitting) -> None:
        """Answer a request about a game that is known, or do it."""
        if request.ask in READS:
            self._said.append(replies.read(request, sitting))
        elif request.ask is Ask.JOIN:
            self._join(request, sitting)
        elif (known := self._memory.known(request, sitting)) is not None:
            self._said.append(known)
        else:
            self._carry_out(request, sitting)

    def _join(self, request: Request, sitting: Sitting) -> None:
        seat, token = seat_of(request.data), request.data.get("token", "")
        if seat is None or seat in sitting.seats:
            self._said.append(replies.joined(request, sitting, seat))
            return
        if sitting.keyed:
            if not isinstance(token, str) or not 0 < len(token) <= MAX_TOKEN:
                raise Wrong(*errors.BAD_TOKEN)
        else:
            command_checks.check_seat(sitting, seat)
            token = ""
        errand = self._errand = Errand(request, self._once(sitting), seat)
        self._take(sitting, seat, errand.nonce, token=token)

    def _carry_out(self, request: Request, sitting: Sitting) -> None:
        seat, move = command_checks.plan(request, sitting)
        if request.req_id is not None and sitting.was_left(seat):
            # Whoever sat there may have done this already: the seat knows, once it is taken.
            move = None
        nonce = None if move is None else nonce_of(request, sitting, seat)
        errand = self._errand = Errand(request, nonce or self._once(sitting), seat, again=move is None)
        if seat is None:
            if request.ask is Ask.DEAL and sitting.deserted:
                errand.held = []
                self._take_all(sitting)
            self._want(Anyone(sitting.room, move, errand.nonce))
        elif seat in sitting.views:
            assert move is not None
            act = Act(sitting.room, Play(move), errand.nonce, sitting.told)
            self._want(As(_key(sitting, seat), Place(self, sitting.room, seat), act))
        else:
            self._take(sitting, seat, errand.nonce, move)

    def _take_all(self, sitting: Sitting) -> None:
        """Take every seat: a single client plays for all who are not bots."""
        for number, holder in enumerate(sitting.holders):
            if not holder.bot:
                self._take(sitting, Seat(number), self._once(sitting))

    def _take(
        self, sitting: Sitting, seat: Seat, nonce: Nonce, move: AnyMove | None = None, token: str = ""
    ) -> None:
        sitting.taking[seat] = nonce
        wish = Take(sitting.room, seat, token, move, nonce)
        self._want(As(_key(sitting, seat), Place(self, sitting.room, seat), wish))

    def _once(self, sitting: Sitting) -> Nonce:
        """Return a nonce that no socket uses again; versions go on when a server begins anew to count."""
        return Nonce(f"{sitting.told}.{next(self._numbers)}")

    def _want(self, *wishes: Wish) -> None:
        self.wishes = (*self.wishes, *wishes)

    # Answers

    def _refuse(self, request: Request, wrong: Wrong) -> None:
        answer = outgoing_messages.refusal(request, wrong)
        sitting = self._games.get(request.game)
        if sitting is not None and request.ask not in READS and wrong.code not in errors.FLEETING:
            self._memory.keep(request, sitting, answer)
        self._said.append(answer)

    def _fail(self, wrong: Wrong) -> None:
        """Refuse the request that was being done."""
        errand, self._errand = self._errand, None
        assert errand is not None
        self._refuse(errand.request, wrong)
        self._said += errand.held or ()

    def _succeed(self, sitting: Sitting, notice: Happened | None) -> None:
        """Answer the request that was being done."""
        errand, self._errand = self._errand, None
        assert errand is not None
        request = errand.request
        if request.ask is Ask.JOIN:
            self._said.append(replies.joined(request, sitting, errand.seat))
        elif errand.again:
            self._resume(request, sitting)
        else:
            answer = replies.done(request, sitting, errand.seat, notice)
            self._memory.keep(request, sitting, answer)
            self._said.append(answer)
            self._said += errand.held or ()

    def _resume(self, request: Request, sitting: Sitting) -> None:
        """Do a request now that what it needs is known."""
        try:
            self._do(request, sitting)
        except Wrong as wrong:
            self._refuse(request, wrong)

    # Out

    def say(self, notice: Tidings) -> Sequence[bytes]:
        """Return what the client is told of this."""
        return self.told(SPECTATOR, notice)

    def told(self, viewer: Seat, notice: Tidings, room: RoomId | None = None) -> Sequence[bytes]:
        """Return what the client is told of what its watcher, or one of its seats, has heard."""
        match notice:
            case Happened():
                self._happened(viewer, notice)
            case Shown():
                self._shown(notice)
            case Denied():
                self._denied(viewer, notice, room)
            case Done():
                self._done(notice)
            case Left():
                self._left(viewer, notice.room)
            case Welcome() | LobbyNews() | Pong() | Present() | Heard() | Company() | Ticket():
                pass
            case Entered() | Listing() | Seen() | Reminded() | Handed() | Whispered() | Watched():
                pass
            case _:
                assert_never(notice)
        self._work()
        said, self._said = self._said, []
        return said

    def _happened(self, viewer: Seat, notice: Happened) -> None:
        sitting = self._games.get(notice.room)
        if sitting is None or viewer not in sitting.views or notice.version <= sitting.told:
            return
        step = sitting.began(notice.version, notice)
        if viewer not in step.needed:
            return
        sitting.follow(viewer, notice)
        if viewer == SPECTATOR:
            step.notice = notice
        step.needed.discard(viewer)
        self._tell(sitting)

    def _tell(self, sitting: Sitting) -> None:
        """Tell of a change once all people of this socket have been told of it."""
        step = sitting.step
        if step is None or step.needed or step.notice is None:
            return
        sitting.step, sitting.told = None, step.version
        notice = step.notice
        event = outgoing_messages.event(
            sitting.number, event_names.news(notice), game_state_json.state(sitting)
        )
        if self._is_mine(notice.nonce):
            self._succeed(sitting, notice)
        self._report(event)
        if any(isinstance(each, Closed) for each in notice.events):
            del self._games[sitting.room]

    def _report(self, event: bytes) -> None:
        """Tell an event, or keep it until the present request has its answer."""
        held = None if self._errand is None else self._errand.held
        (self._said if held is None else held).append(event)

    def _is_mine(self, nonce: str) -> bool:
        """Tell whether this is about the request that is being done."""
        return nonce != "" and self._errand is not None and self._errand.nonce == nonce

    def _shown(self, notice: Shown) -> None:
        view = notice.room
        sitting, errand = self._games.get(view.id), self._errand
        if notice.you is None and sitting is None:
            self._came(notice)
            return
        if sitting is None:
            return
        sitting.refresh(notice)
        if notice.you is not None:
            sitting.taking.pop(notice.you, None)
        if sitting.step is not None and sitting.step.version == notice.version:
            sitting.step.needed.discard(SPECTATOR if notice.you is None else notice.you)
            self._tell(sitting)
        elif notice.version > sitting.told:
            self._catch_up(sitting, notice.version)
        elif errand is not None and errand.request.ask is Ask.JOIN and errand.seat == notice.you:
            # Whoever has the seat's token is back in it; nothing else has changed yet.
            self._succeed(sitting, None)

    def _came(self, notice: Shown) -> None:
        """Take a game over that was asked for, if it is one of ours."""
        view, errand = notice.room, self._errand
        ours = isinstance(view.options, Settings) and view.options.manual
        if not ours or errand is None or view.id != errand.request.game:
            self._want(Leave(view.id))
            if errand is not None:
                self._fail(Wrong(*errors.NO_GAME))
            return
        sitting = self._games[view.id] = Sitting(notice)
        self._errand = None
        self._resume(errand.request, sitting)

    def _catch_up(self, sitting: Sitting, version: int) -> None:
        """Tell what is the case now, after a fault of ours: the numbers go on without holes."""
        while sitting.told < version:
            sitting.told += 1
            self._report(
                outgoing_messages.event(sitting.number, {"type": "update"}, game_state_json.state(sitting))
            )

    def _denied(self, viewer: Seat, notice: Denied, room: RoomId | None) -> None:
        code, nonce = notice.code, notice.nonce
        if nonce == _TURN:
            return
        if code is Refusal.RATE_LIMITED:
            self._too_fast()
            return
        sitting, errand = self._games.get(notice.room or room or ""), self._errand
        if viewer != SPECTATOR and sitting is not None:
            sitting.taking.pop(viewer, None)
        if errand is None or errand.nonce != nonce:
            return
        if not nonce and notice.room not in ("", errand.request.game):
            return
        if sitting is None or not nonce:
            self._fail(Wrong(*errors.REFUSALS[code]))
        else:
            self._fail(command_checks.reason(errand.request, sitting, code))

    def _too_fast(self) -> None:
        """Say that a frame was not looked at, in the words of the command that it was."""
        wrong, request = Wrong(*errors.TOO_FAST), self._minded
        if request is None:
            self._said.append(
                outgoing_messages.encode({"type": "error", "error": wrong.text, "code": wrong.code})
            )
        else:
            self._said.append(outgoing_messages.refusal(request, wrong))

    def _done(self, notice: Done) -> None:
        sitting = self._games.get(notice.room)
        if sitting is not None and self._is_mine(notice.nonce):
            self._succeed(sitting, None)

    def _left(self, viewer: Seat, room: RoomId) -> None:
        sitting = self._games.get(room)
        if sitting is None:
            return
        if viewer == SPECTATOR:
            del self._games[room]
            return
        sitting.views.pop(viewer, None)
        if sitting.step is not None:
            sitting.step.needed.discard(viewer)
            self._tell(sitting)


def mahjong() -> Callable[[], Mahjong]:
    """Return what makes the dialect of a socket; all made by one remember answers together."""
    answers, numbers = Answers(), count(1)
    return lambda: Mahjong(answers, numbers)


def _key(sitting: Sitting, seat: Seat) -> str:
    return f"{sitting.room} {seat}"
