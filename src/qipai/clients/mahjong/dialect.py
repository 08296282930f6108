"""The mahjong dialect, one object per socket: frames to intents, notices to frames.

A socket watches each of its games, and holds each of its seats through a `SeatDialect` of its own. A step
is reported when the socket and all its seats have received it. Of the game it knows the moves, events and
views of `games.mahjong.wire_types`, the house rules and the names of tiles.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, assert_never

from qipai.clients.legacy_messages import BecomeGuest, JoinOrWatch, PlayAnySeat
from qipai.clients.sanctions import mahjong_messages
from qipai.games.mahjong.wire_types import Settings
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
    Announcement,
    FullRoom,
    Left,
    LobbyUpdate,
    NativeOnly,
    Pong,
    Refused,
    RoomEvents,
    Sanctions,
    Unchanged,
    Welcome,
)

from . import (
    command_checks,
    errors,
    event_names,
    game_state_json,
    outgoing_messages,
    replies,
)
from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import READ_REQUESTS, Request, RequestType, parse_seat
from .pending_requests import PendingRequest, RequestQueue
from .reply_cache import ReplyCache, request_nonce
from .seat_dialect import act_as

GAME: Final = "mahjong"
MAX_GAMES: Final = 16
"""Games that one socket may watch at once."""
MAX_TOKEN: Final = 400
_FLUSH: Final = "flush"
_FLUSH_FRAMES: Final = (RefuseFrame(Refusal.MALFORMED, _FLUSH),)
"""A refusal whose encoding sends the frames of the queue; intents alone send nothing."""
_QUEUE_FULL: Final = (RefuseFrame(Refusal.RATE_LIMITED, "full"),)


class Mahjong:
    """The dialect of one socket, with its games and the queue of its requests."""

    __slots__ = ("_games", "_nonce_numbers", "_queue", "pending_intents")

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, reply_cache: ReplyCache, nonce_numbers: "count[int]") -> None:
        self.pending_intents: Sequence[AnyIntent] = ()
        self._nonce_numbers = nonce_numbers
        self._games: dict[str, ClientGame] = {}
        self._queue = RequestQueue(reply_cache)

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return no intents: the hall keeps the seats for a while."""
        return ()

    # Frames to intents

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents that can be carried out now; the frame waits while a request is in progress."""
        if self._queue.is_full:
            self._queue.note_rate_limited(frame)
            return _QUEUE_FULL
        self._queue.add(frame)
        self._start_waiting()
        intents, self.pending_intents = self.pending_intents, ()
        return (*intents, *_FLUSH_FRAMES) if self._queue.has_frames or not intents else intents

    def _start_waiting(self) -> None:
        """Start waiting requests until one stays in progress."""
        while (request := self._queue.next_request()) is not None:
            request = command_checks.with_seat(request, self._games.get(request.game))
            try:
                self._start(request)
            except ClientError as error:
                self._queue.refuse(request, self._games.get(request.game), error)

    def _start(self, request: Request) -> None:
        if request.known_type is None:
            raise ClientError(*errors.UNKNOWN)
        if request.invalid_field:
            raise ClientError("bad_payload", f"{errors.FORMAT}: {request.invalid_field}")
        game = self._games.get(request.game)
        if game is not None:
            self._execute(request, game)
        elif not request.game:
            raise ClientError(*errors.NO_GAME)
        elif len(self._games) >= MAX_GAMES:
            raise ClientError("too_many_games", f"a connection follows at most {MAX_GAMES} games")
        else:
            self._queue.current = PendingRequest(request)
            self._add_intents(BecomeGuest(), JoinOrWatch(request.game, GAME, watch=True))

    def _execute(self, request: Request, game: ClientGame) -> None:
        """Answer a request about a game of this socket, or add the intents that carry it out."""
        if request.known_type in READ_REQUESTS:
            self._queue.send(replies.read_reply(request, game))
        elif request.known_type is RequestType.JOIN:
            self._join(request, game)
        elif (reply := self._queue.cached_reply(request, game)) is not None:
            self._queue.send(reply)
        else:
            self._execute_command(request, game)

    def _join(self, request: Request, game: ClientGame) -> None:
        seat, token = parse_seat(request.data), request.data.get("token", "")
        if seat is None or seat in game.seats:
            self._queue.send(replies.join_reply(request, game, seat))
            return
        if game.needs_token:
            if not isinstance(token, str) or not 0 < len(token) <= MAX_TOKEN:
                raise ClientError(*errors.BAD_TOKEN)
        else:
            command_checks.check_seat(game, seat)
            token = ""
        pending = self._queue.current = PendingRequest(request, self._new_nonce(game), seat)
        self._act_as(game, seat, game.take_seat(seat, pending.nonce, token=token))

    def _execute_command(self, request: Request, game: ClientGame) -> None:
        seat, move = command_checks.plan_move(request, game)
        if request.req_id is not None and game.was_vacated(seat):
            # The player who left may have sent this request before: once taken, the seat has its reply.
            move = None
        nonce = None if move is None else request_nonce(request, game, seat)
        pending = self._queue.current = PendingRequest(
            request, nonce or self._new_nonce(game), seat, retry_when_seated=move is None
        )
        if seat is None:
            if request.known_type is RequestType.DEAL and game.has_no_players:
                # A single client plays for all seats without a bot.
                pending.held_events = []
                for free_seat in game.seats_without_bot:
                    self._act_as(game, free_seat, game.take_seat(free_seat, self._new_nonce(game)))
            self._add_intents(PlayAnySeat(game.room, move, pending.nonce))
        elif seat in game.views:
            assert move is not None
            play = PlayDecoded(game.room, Play(move), pending.nonce, game.reported_version)
            self._act_as(game, seat, play)
        else:
            self._act_as(game, seat, game.take_seat(seat, pending.nonce, move))

    def _act_as(self, game: ClientGame, seat: Seat, intent: AnyIntent) -> None:
        self._add_intents(act_as(self, game.room, seat, intent))

    def _new_nonce(self, game: ClientGame) -> Nonce:
        """Return a nonce that no socket uses again; the version keeps it unique after a server restart."""
        return Nonce(f"{game.reported_version}.{next(self._nonce_numbers)}")

    def _add_intents(self, *intents: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *intents)

    # Replies to the request in progress

    def _fail(self, error: ClientError) -> None:
        """Refuse the request in progress."""
        pending = self._queue.finish()
        self._queue.refuse(pending.request, self._games.get(pending.request.game), error)
        self._queue.send(*(pending.held_events or ()))

    def _succeed(self, game: ClientGame, notice: RoomEvents | None) -> None:
        """Reply to the request in progress, which has taken effect; execute it now if the seat was needed."""
        pending = self._queue.finish()
        request = pending.request
        if request.known_type is RequestType.JOIN:
            self._queue.send(replies.join_reply(request, game, pending.seat))
        elif pending.retry_when_seated:
            self._retry(request, game)
        else:
            self._queue.reply(request, game, replies.command_reply(request, game, pending.seat, notice))
            self._queue.send(*(pending.held_events or ()))

    def _retry(self, request: Request, game: ClientGame) -> None:
        """Execute a request now that its game or seat is there."""
        try:
            self._execute(request, game)
        except ClientError as error:
            self._queue.refuse(request, self._games.get(request.game), error)

    # Notices to frames

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames that report a notice to the client."""
        return self.encode_for(SPECTATOR, notice)

    def encode_for(self, viewer: Seat, notice: AnyNotice, room: RoomId | None = None) -> Sequence[bytes]:
        """Return the frames that report a notice which the socket itself, or one of its seats, received."""
        match notice:
            case RoomEvents():
                self._apply_events(viewer, notice)
            case FullRoom():
                self._load_room(notice)
            case Refused():
                self._refused(viewer, notice, room)
            case Unchanged():
                game = self._games.get(notice.room)
                if game is not None and self._queue.is_current(notice.nonce):
                    self._succeed(game, None)
            case Left():
                self._left(viewer, notice.room)
            case Sanctions() | Announcement():
                self._queue.send(*mahjong_messages.frames(notice))
            case Welcome() | LobbyUpdate() | Pong() | SeatHeld() | LegacyNotice():
                pass
            case _:
                if not isinstance(notice, NativeOnly):
                    assert_never(notice)
        self._start_waiting()
        return self._queue.take_frames()

    def _apply_events(self, viewer: Seat, notice: RoomEvents) -> None:
        game = self._games.get(notice.room)
        if game is None or viewer not in game.views or notice.version <= game.reported_version:
            return
        step = game.step_of(notice)
        if viewer not in step.awaited:
            return
        game.apply(viewer, notice)
        if viewer == SPECTATOR:
            step.notice = notice
        step.awaited.discard(viewer)
        self._report_step(game)

    def _report_step(self, game: ClientGame) -> None:
        """Send the event of a step once the socket and all its seats have received it."""
        step = game.step
        if step is None or step.awaited or step.notice is None:
            return
        game.step, game.reported_version = None, step.version
        notice = step.notice
        state = game_state_json.game_state(game)
        event = outgoing_messages.event(game.sequence_number, event_names.describe(notice), state)
        if self._queue.is_current(notice.nonce):
            self._succeed(game, notice)
        self._queue.send_event(event)
        if any(isinstance(each, Closed) for each in notice.events):
            del self._games[game.room]

    def _load_room(self, notice: FullRoom) -> None:
        game, pending = self._games.get(notice.room.id), self._queue.current
        if game is None:
            if notice.you is None:
                self._add_game(notice)
            return
        game.load(notice)
        if notice.you is not None:
            game.requested_seats.pop(notice.you, None)
        if game.step is not None and game.step.version == notice.version:
            game.step.awaited.discard(SPECTATOR if notice.you is None else notice.you)
            self._report_step(game)
        elif notice.version > game.reported_version:
            self._report_missed_steps(game, notice.version)
        elif pending is not None and pending.is_join_of(notice.you):
            # The token's person holds the seat already: no step follows.
            self._succeed(game, None)

    def _add_game(self, notice: FullRoom) -> None:
        """Watch the game that the request in progress names; leave any other room."""
        view, pending = notice.room, self._queue.current
        supported = isinstance(view.options, Settings) and view.options.manual_steps
        if not supported or pending is None or view.id != pending.request.game:
            self._add_intents(Leave(view.id))
            if pending is not None:
                self._fail(ClientError(*errors.NO_GAME))
            return
        game = self._games[view.id] = ClientGame(notice)
        self._queue.current = None
        self._retry(pending.request, game)

    def _report_missed_steps(self, game: ClientGame, version: int) -> None:
        """Send the present state once for each missed step: sequence numbers have no gaps."""
        while game.reported_version < version:
            game.reported_version += 1
            state = game_state_json.game_state(game)
            self._queue.send_event(outgoing_messages.event(game.sequence_number, {"type": "update"}, state))

    def _refused(self, viewer: Seat, notice: Refused, room: RoomId | None) -> None:
        code, nonce = notice.code, notice.nonce
        if nonce == _FLUSH:
            return
        if code is Refusal.RATE_LIMITED:
            self._queue.refuse_rate_limited()
            return
        game, pending = self._games.get(notice.room or room or ""), self._queue.current
        if viewer != SPECTATOR and game is not None:
            game.requested_seats.pop(viewer, None)
        if pending is None or pending.nonce != nonce:
            return
        if not nonce and notice.room not in ("", pending.request.game):
            return
        if game is None or not nonce:
            self._fail(ClientError(*errors.REFUSALS[code]))
        else:
            self._fail(command_checks.refusal_error(pending.request, game, code))

    def _left(self, viewer: Seat, room: RoomId) -> None:
        game = self._games.get(room)
        if game is None:
            return
        if viewer == SPECTATOR:
            del self._games[room]
            return
        game.views.pop(viewer, None)
        if game.step is not None:
            game.step.awaited.discard(viewer)
            self._report_step(game)


def mahjong() -> Callable[[], Mahjong]:
    """Return a factory of dialects; the sockets of one factory share remembered replies."""
    reply_cache, nonce_numbers = ReplyCache(), count(1)
    return lambda: Mahjong(reply_cache, nonce_numbers)
