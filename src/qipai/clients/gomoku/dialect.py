"""The gomoku dialect, one object per socket: events to intents, notices to events.

Of the game it knows the position, the moves and the events of `games.gomoku.wire_types`.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, assert_never

from qipai.clients.legacy_messages import (
    LookUpRoom,
    NicknameSet,
    ReminderDue,
    RoomFound,
    RoomList,
    SpectatorNames,
)
from qipai.clients.sanctions import gomoku_messages
from qipai.games.gomoku.wire_types import Options, View
from qipai.kernel.ids import Nonce, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    CloseRoom,
    LegacyNotice,
    PlayDecoded,
    RefuseFrame,
    SeatHeld,
)
from qipai.protocol.intents import Leave, Resign, Say
from qipai.protocol.notices import (
    FullRoom,
    Left,
    LobbyUpdate,
    NativeOnly,
    OperatorNotice,
    Pong,
    Refused,
    RoomEvents,
    Unchanged,
    Welcome,
)

from . import errors, offer_requests
from .errors import ERROR_FRAMES, REQUEST_TYPES, ClientError, RoomStatus
from .incoming_messages import (
    MOVE_FRAME_ENDS,
    Request,
    RequestType,
    move_frame_start,
    parse_move,
    parse_request,
    room_code,
)
from .room_entry import (
    ENTRY_NONCES,
    GAME,
    LIST_ROOMS,
    RECONNECT_GRACE,
    RoomEntry,
    search_result,
    set_nickname,
)
from .room_state import RoomState
from .server_state import ServerState

FIRST_VERSION: Final = 2
"""Version of a room that its owner has just opened: one step opens it, one takes the seat."""
_NO_ROOM: Final = b"\0"
"""No frame starts with this byte, so that a socket in no room has no fast path for moves."""


class Gomoku:
    """The dialect of one socket, which is in at most one room."""

    __slots__ = (
        "_entry", "_list_requested", "_list_version", "_move_frame_start", "_move_frame_start_length",
        "_nickname", "_nonce_number", "_nonce_word", "_online_count", "_room_state", "_seat",
        "_server_state", "_spectator_names", "pending_intents", "sid",
    )  # fmt: skip

    reconnect_grace = RECONNECT_GRACE
    sees_hidden = False
    hides_disconnects = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, sid: str, server_state: ServerState, nonce_number: int = 0) -> None:
        self.sid = sid
        self._nonce_word = blake2b(sid.encode(), digest_size=6).hexdigest()
        """Distinguishes the nonces of sockets; a hash, because other clients may see nonces."""
        self._nonce_number = nonce_number
        self.pending_intents: Sequence[AnyIntent] = ()
        self._server_state = server_state
        self._nickname: str | None = None
        self._entry = RoomEntry(always_timed=server_state.rules.always_timed)
        self._room_state: RoomState | None = None
        self._seat: Seat | None = None
        self._move_frame_start = _NO_ROOM
        self._move_frame_start_length = 0
        self._spectator_names: SpectatorNames | None = None
        """The spectators of a room whose `FullRoom` has not arrived yet."""
        self._list_requested = False
        self._online_count: bytes | None = None
        """The last `online-count` event sent."""
        self._list_version = 0
        """The last `room-list` event sent; 0 in a room: a recovering client may not have it any more."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intent that leaves the room; a running game is lost."""
        room_state = self._room_state
        self._forget_room()
        return () if room_state is None else (Leave(room_state.room),)

    # Frames to intents

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of an event; none for an unknown event."""
        room_state = self._room_state
        if room_state is not None and frame.startswith(self._move_frame_start):
            move = MOVE_FRAME_ENDS.get(frame[self._move_frame_start_length :])
            if move is not None:
                return (PlayDecoded(room_state.room, move),)
        if (request := parse_request(frame)) is None:
            return ()
        match request.type:
            case RequestType.LOBBY:
                intents = set_nickname(request.fields.get("nickname"))
                if intents[-1] is LIST_ROOMS:
                    self._list_requested = True
                    self._online_count = None
                return intents
            case RequestType.CREATE | RequestType.QUICK | RequestType.JOIN:
                if self._nickname is None:
                    return (RefuseFrame(Refusal.HELLO_FIRST),)
                return self._entry.enter(request, self._nickname, self._nonce)
            case RequestType.REFRESH:
                self._list_requested = True
                return (LIST_ROOMS,)
            case _:
                return self._decode_room_request(request, frame)

    def _decode_room_request(self, request: Request, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of a request about a room; a room the socket is not in is looked up first."""
        code, room_state = room_code(request), self._room_state
        if room_state is not None and code == room_state.code and request.type is not RequestType.SEARCH:
            return self._decode_in_room(room_state, request)
        if code is not None:
            return (LookUpRoom(code, frame.decode()),)
        match request.type:
            case RequestType.LEAVE:
                return ()
            case RequestType.CHAT:
                return (RefuseFrame(Refusal.NOT_IN_ROOM, ClientError.NOT_IN_ROOM),)
            case RequestType.SEARCH:
                return (LookUpRoom("", frame.decode()),)
            case _:
                return (RefuseFrame(Refusal.NO_SUCH_ROOM, ClientError.ROOM_NOT_FOUND),)

    def _decode_in_room(self, room_state: RoomState, request: Request) -> Sequence[AnyIntent]:
        room, request_type = room_state.room, request.type
        match request_type:
            case RequestType.PLACE:
                if (move := parse_move(request)) is None:
                    return (RefuseFrame(Refusal.OUT_OF_RANGE, request_type),)
                return (PlayDecoded(room, move),)
            case RequestType.LEAVE:
                return self._entry.leave(room)
            case RequestType.CHAT:
                message = request.fields.get("message")
                return (Say(room, message),) if isinstance(message, str) else ()
        if self._seat is None:
            return (RefuseFrame(Refusal.NOT_SEATED, request_type),)
        match request_type:
            case RequestType.SURRENDER:
                return (Resign(room, self._nonce(request_type)),)
            case RequestType.UNDO | RequestType.SWAP | RequestType.REMATCH:
                nonce = self._nonce(request_type)
                return (offer_requests.make_offer(room_state, self._seat, request_type, nonce),)
            case RequestType.ANSWER_UNDO | RequestType.ANSWER_SWAP | RequestType.CANCEL:
                accept = request_type is not RequestType.CANCEL and request.fields.get("accept") is True
                nonce, seat = self._nonce(request_type), self._seat
                return (offer_requests.answer_offer(room_state, seat, request_type, nonce, accept=accept),)
        return ()

    def _nonce(self, word: str) -> Nonce:
        """Return a new nonce that starts with `word`, so that a refusal tells which request it answers."""
        self._nonce_number += 1
        return Nonce(f"{word} {self._nonce_word} {self._nonce_number}")

    # Notices to frames

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the events that report a notice to this client."""
        room_state = self._room_state
        if isinstance(notice, RoomEvents):
            if room_state is None or notice.room != room_state.room:
                return ()
            frames = room_state.apply(notice, self._seat)
            if len(notice.events) > 1 or room_state.offers or room_state.phase is Phase.CLOSED:
                self._after_events(room_state, notice)
            return frames
        if isinstance(notice, OperatorNotice):
            return gomoku_messages.frames(notice)
        match notice:
            case RoomList():
                return self._encode_room_list(notice)
            case SpectatorNames():
                if room_state is None or notice.room != room_state.room:
                    self._spectator_names = notice
                    return ()
                return room_state.set_spectators(notice, self._seat)
            case FullRoom():
                return self._encode_full_room(notice)
            case Refused():
                return self._encode_refusal(notice)
            case NicknameSet():
                self._nickname = notice.name
                return ()
            case Left():
                return self._encode_left(notice)
            case RoomFound():
                return self._encode_room_found(notice)
            case ReminderDue():
                return offer_requests.rematch_timeout(room_state, self._seat, notice.about)
            case SeatHeld() | LegacyNotice() | Welcome() | Unchanged() | LobbyUpdate() | Pong():
                return ()
            case _:
                if not isinstance(notice, NativeOnly):
                    assert_never(notice)
                return ()

    def _after_events(self, room_state: RoomState, notice: RoomEvents) -> None:
        """Set the reminder of a rematch request of this client; leave a closed room."""
        offer = room_state.offers.get(OfferKind.REMATCH)
        if offer is not None and offer.seat == self._seat and notice.nonce and notice.seat == self._seat:
            self._add_intents(offer_requests.rematch_reminder(offer))
        if room_state.phase is Phase.CLOSED:
            self._forget_room()
            self._add_intents(LIST_ROOMS)

    def _encode_room_list(self, notice: RoomList) -> Sequence[bytes]:
        frames = []
        if self._nickname is not None:
            online_count = self._server_state.online_count(notice)
            if online_count != self._online_count:
                self._online_count = online_count
                frames.append(online_count)
        room_list = self._server_state.room_list(notice)
        in_lobby = self._nickname is not None and self._room_state is None
        if self._list_requested or (in_lobby and self._list_version != self._server_state.list_version):
            self._list_requested = False
            self._list_version = self._server_state.list_version
            frames.append(room_list)
        return frames

    def _encode_full_room(self, notice: FullRoom) -> Sequence[bytes]:
        view, before, entry = notice.room, self._room_state, self._entry
        if view.game != GAME:
            # Requested by the tic-tac-toe dialect of this socket, before its first gomoku event.
            self._add_intents(CloseRoom(view.id))
            return ()
        if entry.is_outdated(notice, before):
            self._add_intents(Leave(view.id))
            return ()
        if before is not None and before.room != view.id:
            self._add_intents(*entry.leave(before.room))
        joining = entry.on_entered(view.id)
        room_state = self._room_state = self._server_state.room_state(view)
        room_json = room_state.room_json
        self._seat = notice.you
        self._list_version = 0
        room_state.load(view, notice.version, spectator=notice.you is None)
        if self._spectator_names is not None and self._spectator_names.room == view.id:
            room_json.set_spectators(self._spectator_names.names)
        self._spectator_names = None
        self._move_frame_start = move_frame_start(view.code)
        self._move_frame_start_length = len(self._move_frame_start)
        if view.phase is Phase.CLOSED:
            self._forget_room()
        if view.phase is Phase.CLOSED or (before is room_state and not joining):
            return (room_json.room_updated(notice.you),)
        if notice.version == FIRST_VERSION and notice.you is not None:
            return (room_json.room_joined(notice.you),)
        timer = room_state.turn_timer(view.clock)
        return (
            room_json.room_joined(notice.you),
            room_json.room_updated(notice.you),
            *(() if timer is None else (timer,)),
        )

    def _encode_refusal(self, notice: Refused) -> Sequence[bytes]:
        if notice.code is Refusal.MUTED:
            return gomoku_messages.muted(notice)
        word, room_state = notice.nonce.split(" ")[0], self._room_state
        if word in ENTRY_NONCES and (room_state is None or notice.room != room_state.room):
            self._entry.joining = False
        if notice.code is Refusal.OFFER_STANDS and room_state is not None and word in REQUEST_TYPES:
            frames, intents = offer_requests.repeat_offer(room_state, self._seat, RequestType(word))
            self._add_intents(*intents)
            return frames
        status = None if room_state is None else room_state.status(self._seat)
        return self._server_state.error_frames(errors.client_error(notice.code, word, status))

    def _encode_left(self, notice: Left) -> Sequence[bytes]:
        self._entry.on_left(notice.room)
        if self._room_state is None or notice.room != self._room_state.room:
            return ()
        self._forget_room()
        self._list_requested = True
        self._add_intents(LIST_ROOMS)
        return (ERROR_FRAMES[ClientError.NOT_IN_ROOM],) if notice.replaced else ()

    def _encode_room_found(self, notice: RoomFound) -> Sequence[bytes]:
        """Return the answer to a request about a room that the socket was not in when it was decoded."""
        request = parse_request(notice.about.encode())
        if request is None:
            return ()
        view = notice.room
        if view is not None and (view.game != GAME or view.options != Options()):
            # Another game, or an opening rule or a board size that these clients do not know.
            view = None
        if request.type is RequestType.SEARCH:
            return (search_result(notice, view),)
        if view is not None and self._room_state is not None and view.id == self._room_state.room:
            self._add_intents(*self._decode_in_room(self._room_state, request))
            return ()
        if request.type is RequestType.LEAVE:
            return ()
        if view is None and request.type is not RequestType.CHAT:
            return (ERROR_FRAMES[ClientError.ROOM_NOT_FOUND],)
        phase = Phase.CLOSED if view is None else view.phase
        position: View | None = None if view is None else view.position
        stone_count = 0 if position is None else len(position.moves)
        status = RoomStatus(phase, stone_count, turn=None, seat=None, opponent_connected=False)
        return self._server_state.error_frames(errors.status_error(request.type, status))

    def _forget_room(self) -> None:
        self._room_state = self._seat = None
        self._move_frame_start = _NO_ROOM

    def _add_intents(self, *intents: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *intents)
