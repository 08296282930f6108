"""The mahjong dialect: one object per socket, which answers one request after the other."""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, assert_never

from qipai.clients.legacy_messages import (
    ActAs,
    BecomeGuest,
    JoinOrWatch,
    PlayAnySeat,
    TakeOpenSeat,
)
from qipai.games.mahjong.wire_types import AnyMove, Settings
from qipai.kernel.commands import Play
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, RoomId, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_events import Closed
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    LegacyNotice,
    PlayDecoded,
    RefuseFrame,
    SeatHeld,
)
from qipai.protocol.intents import Leave
from qipai.protocol.notices import (
    FullRoom,
    Left,
    LobbyUpdate,
    Pong,
    Refused,
    RoomEvents,
    SpectatorChat,
    SpectatorCount,
    TransferTicket,
    Unchanged,
    Welcome,
)

from . import command_checks, errors, event_names, game_state_json, outgoing_messages, replies
from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import READS, Request, RequestType, request_of, seat_of
from .pending_requests import PendingRequest
from .reply_cache import ReplyCache, SocketReplies, nonce_of
from .seat_dialect import SeatDialect

GAME: Final = "mahjong"
MAX_GAMES: Final = 16
"""Games that one socket may follow at once."""
MAX_LINE: Final = 200
"""Frames that may wait while one is being answered."""
MAX_TOKEN: Final = 400
_TURN: Final = "turn"
_FULL: Final = "full"
_NEXT: Final = (RefuseFrame(Refusal.MALFORMED, _TURN),)
"""Lets what is to be said be said, and what waits have its turn."""
_TOO_MANY: Final = (RefuseFrame(Refusal.RATE_LIMITED, _FULL),)


class Mahjong:
    """Follows some games as a watcher, and holds seats through people of its own, one for each seat."""

    __slots__ = ("_errand", "_games", "_line", "_memory", "_minded", "_numbers", "_said", "pending_intents")

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, answers: ReplyCache, numbers: "count[int]") -> None:
        self.pending_intents: Sequence[AnyIntent] = ()
        self._memory = SocketReplies(answers)
        self._numbers = numbers
        self._games: dict[str, ClientGame] = {}
        self._line: deque[bytes] = deque()
        self._errand: PendingRequest | None = None
        self._said: list[bytes] = []
        self._minded: Request | None = None

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Wish nothing: seats are kept for a while."""
        return ()

    # In

    def minds(self, frame: bytes) -> bool:
        """Tell that every frame is answered; one too many is answered as what it is."""
        self._minded = request_of(frame)
        return True

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what is done about a frame now; it waits while another one is being answered."""
        if len(self._line) >= MAX_LINE:
            self._minded = request_of(frame)
            return _TOO_MANY
        self._line.append(frame)
        self._work()
        wishes, self.pending_intents = self.pending_intents, ()
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
            except ClientError as wrong:
                self._refuse(request, wrong)

    def _begin(self, request: Request) -> None:
        if request.ask is None:
            raise ClientError(*errors.UNKNOWN)
        if request.fault:
            raise ClientError("bad_payload", f"{errors.FORMAT}: {request.fault}")
        sitting = self._games.get(request.game)
        if sitting is not None:
            self._do(request, sitting)
        elif not request.game:
            raise ClientError(*errors.NO_GAME)
        elif len(self._games) >= MAX_GAMES:
            raise ClientError("too_many_games", f"a connection follows at most {MAX_GAMES} games")
        else:
            self._errand = PendingRequest(request)
            self._want(BecomeGuest(), JoinOrWatch(request.game, GAME, watch=True))

    def _do(self, request: Request, sitting: ClientGame) -> None:
        """Answer a request about a game that is known, or do it."""
        if request.ask in READS:
            self._said.append(replies.read(request, sitting))
        elif request.ask is RequestType.JOIN:
            self._join(request, sitting)
        elif (known := self._memory.known(request, sitting)) is not None:
            self._said.append(known)
        else:
            self._carry_out(request, sitting)

    def _join(self, request: Request, sitting: ClientGame) -> None:
        seat, token = seat_of(request.data), request.data.get("token", "")
        if seat is None or seat in sitting.seats:
            self._said.append(replies.joined(request, sitting, seat))
            return
        if sitting.keyed:
            if not isinstance(token, str) or not 0 < len(token) <= MAX_TOKEN:
                raise ClientError(*errors.BAD_TOKEN)
        else:
            command_checks.check_seat(sitting, seat)
            token = ""
        errand = self._errand = PendingRequest(request, self._once(sitting), seat)
        self._take(sitting, seat, errand.nonce, token=token)

    def _carry_out(self, request: Request, sitting: ClientGame) -> None:
        seat, move = command_checks.plan(request, sitting)
        if request.req_id is not None and sitting.was_left(seat):
            # Whoever sat there may have done this already: the seat knows, once it is taken.
            move = None
        nonce = None if move is None else nonce_of(request, sitting, seat)
        errand = self._errand = PendingRequest(
            request, nonce or self._once(sitting), seat, again=move is None
        )
        if seat is None:
            if request.ask is RequestType.DEAL and sitting.deserted:
                errand.held = []
                self._take_all(sitting)
            self._want(PlayAnySeat(sitting.room, move, errand.nonce))
        elif seat in sitting.views:
            assert move is not None
            act = PlayDecoded(sitting.room, Play(move), errand.nonce, sitting.told)
            self._want(ActAs(_key(sitting, seat), SeatDialect(self, sitting.room, seat), act))
        else:
            self._take(sitting, seat, errand.nonce, move)

    def _take_all(self, sitting: ClientGame) -> None:
        """Take every seat: a single client plays for all who are not bots."""
        for number, holder in enumerate(sitting.holders):
            if not holder.bot:
                self._take(sitting, Seat(number), self._once(sitting))

    def _take(
        self, sitting: ClientGame, seat: Seat, nonce: Nonce, move: AnyMove | None = None, token: str = ""
    ) -> None:
        sitting.taking[seat] = nonce
        wish = TakeOpenSeat(sitting.room, seat, token, move, nonce)
        self._want(ActAs(_key(sitting, seat), SeatDialect(self, sitting.room, seat), wish))

    def _once(self, sitting: ClientGame) -> Nonce:
        """Return a nonce that no socket uses again; versions go on when a server begins anew to count."""
        return Nonce(f"{sitting.told}.{next(self._numbers)}")

    def _want(self, *wishes: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *wishes)

    # Answers

    def _refuse(self, request: Request, wrong: ClientError) -> None:
        answer = outgoing_messages.refusal(request, wrong)
        sitting = self._games.get(request.game)
        if sitting is not None and request.ask not in READS and wrong.code not in errors.FLEETING:
            self._memory.keep(request, sitting, answer)
        self._said.append(answer)

    def _fail(self, wrong: ClientError) -> None:
        """Refuse the request that was being done."""
        errand, self._errand = self._errand, None
        assert errand is not None
        self._refuse(errand.request, wrong)
        self._said += errand.held or ()

    def _succeed(self, sitting: ClientGame, notice: RoomEvents | None) -> None:
        """Answer the request that was being done."""
        errand, self._errand = self._errand, None
        assert errand is not None
        request = errand.request
        if request.ask is RequestType.JOIN:
            self._said.append(replies.joined(request, sitting, errand.seat))
        elif errand.again:
            self._resume(request, sitting)
        else:
            answer = replies.done(request, sitting, errand.seat, notice)
            self._memory.keep(request, sitting, answer)
            self._said.append(answer)
            self._said += errand.held or ()

    def _resume(self, request: Request, sitting: ClientGame) -> None:
        """Do a request now that what it needs is known."""
        try:
            self._do(request, sitting)
        except ClientError as wrong:
            self._refuse(request, wrong)

    # Out

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return what the client is told of this."""
        return self.told(SPECTATOR, notice)

    def told(self, viewer: Seat, notice: AnyNotice, room: RoomId | None = None) -> Sequence[bytes]:
        """Return what the client is told of what its watcher, or one of its seats, has heard."""
        match notice:
            case RoomEvents():
                self._happened(viewer, notice)
            case FullRoom():
                self._shown(notice)
            case Refused():
                self._denied(viewer, notice, room)
            case Unchanged():
                self._done(notice)
            case Left():
                self._left(viewer, notice.room)
            case (
                Welcome()
                | LobbyUpdate()
                | Pong()
                | SeatHeld()
                | TransferTicket()
                | SpectatorChat()
                | SpectatorCount()
                | LegacyNotice()
            ):
                pass
            case _:
                assert_never(notice)
        self._work()
        said, self._said = self._said, []
        return said

    def _happened(self, viewer: Seat, notice: RoomEvents) -> None:
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

    def _tell(self, sitting: ClientGame) -> None:
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

    def _shown(self, notice: FullRoom) -> None:
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
        elif errand is not None and errand.request.ask is RequestType.JOIN and errand.seat == notice.you:
            # Whoever has the seat's token is back in it; nothing else has changed yet.
            self._succeed(sitting, None)

    def _came(self, notice: FullRoom) -> None:
        """Take a game over that was asked for, if it is one of ours."""
        view, errand = notice.room, self._errand
        ours = isinstance(view.options, Settings) and view.options.manual
        if not ours or errand is None or view.id != errand.request.game:
            self._want(Leave(view.id))
            if errand is not None:
                self._fail(ClientError(*errors.NO_GAME))
            return
        sitting = self._games[view.id] = ClientGame(notice)
        self._errand = None
        self._resume(errand.request, sitting)

    def _catch_up(self, sitting: ClientGame, version: int) -> None:
        """Tell what is the case now, after a fault of ours: the numbers go on without holes."""
        while sitting.told < version:
            sitting.told += 1
            self._report(
                outgoing_messages.event(sitting.number, {"type": "update"}, game_state_json.state(sitting))
            )

    def _denied(self, viewer: Seat, notice: Refused, room: RoomId | None) -> None:
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
            self._fail(ClientError(*errors.REFUSALS[code]))
        else:
            self._fail(command_checks.reason(errand.request, sitting, code))

    def _too_fast(self) -> None:
        """Say that a frame was not looked at, in the words of the command that it was."""
        wrong, request = ClientError(*errors.TOO_FAST), self._minded
        if request is None:
            self._said.append(
                outgoing_messages.encode({"type": "error", "error": wrong.text, "code": wrong.code})
            )
        else:
            self._said.append(outgoing_messages.refusal(request, wrong))

    def _done(self, notice: Unchanged) -> None:
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
    answers, numbers = ReplyCache(), count(1)
    return lambda: Mahjong(answers, numbers)


def _key(sitting: ClientGame, seat: Seat) -> str:
    return f"{sitting.room} {seat}"
