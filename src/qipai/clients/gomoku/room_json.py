"""JSON of a gomoku room, kept in parts so that a move re-encodes only two of them."""

from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.lines import SIZE
from qipai.games.gomoku.wire_types import OTHER
from qipai.kernel.chat_lines import MAX_LINES
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from qipai.kernel.view_values import ChatLineView

from . import chat_text, outgoing_messages

EMPTY_BOARD: Final = b",".join([b"[%s]" % b",".join([b"0"] * SIZE)] * SIZE)
_COLUMN_BYTES: Final = 2 * SIZE + 2
"""Bytes from the start of one column to the start of the next."""


class RoomJson:
    """The parts of a room's JSON; after changing a public field, call `invalidate`."""

    __slots__ = (
        "_board",
        "_chat_json",
        "_chat_lines",
        "_head_json",
        "_history_json",
        "_players_json",
        "_prefixes",
        "_spectators",
        "_spectators_json",
        "_status_json",
        "_updated",
        "black",
        "disconnected",
        "ended_by_leaving",
        "ended_by_stone",
        "names",
        "phase",
        "stone_count",
        "winner",
    )  # fmt: skip

    def __init__(self, code: str, name: str) -> None:
        self._head_json = b'"id":%s,"name":%s,"board":[' % (
            outgoing_messages.encode(code),
            outgoing_messages.encode(chat_text.escape_markup(name)),
        )
        self.phase = Phase.WAITING
        self.black = Seat(0)
        self.names: list[str | None] = [None, None]
        self.disconnected = [False, False]
        self.winner = 0
        self.ended_by_stone = False
        """Whether the last stone ended the game; `currentTurn` then stays with the player of that stone."""
        self.ended_by_leaving = False
        """Whether a player left the running game; the room then shows `ended` until somebody sits down."""
        self._spectators: tuple[str, ...] = ()
        self._spectators_json = b"[]"
        self._chat_lines: list[tuple[bytes, ...]] = [(), ()]
        self._chat_json = [b"", b""]
        self._history_json = b""
        self._updated = b""
        self.set_moves(())

    @property
    def board(self) -> bytes:
        """Return the JSON of the fifteen columns."""
        return bytes(self._board)

    @property
    def waits_again(self) -> bool:
        """Tell whether one player has left the finished game, and the other waits for somebody new."""
        return (
            self.phase is Phase.OVER and None in self.names and not self.ended_by_leaving and any(self.names)
        )

    def color_number(self, seat: Seat) -> int:
        """Return the colour of a seat: 1 black, 2 white."""
        return 1 if seat == self.black else 2

    def role(self, seat: Seat | None) -> str:
        """Return the role of a seat, or of a spectator."""
        return "watcher" if seat is None else "black" if seat == self.black else "white"

    def _role_json(self, seat: Seat | None) -> bytes:
        return b"watcher" if seat is None else b"black" if seat == self.black else b"white"

    def room_joined(self, seat: Seat | None) -> bytes:
        """Return the event that tells a client which room it has entered, and its role."""
        role = self._role_json(seat)
        prefix = self._prefix(spectator=seat is None)
        return b'["room-joined",{"room":{%s%s"},"role":"%s"}]' % (prefix, role, role)

    def room_updated(self, seat: Seat | None) -> bytes:
        """Return the event with the whole room; the same bytes object for all spectators."""
        if seat is None and self._updated:
            return self._updated
        prefix, me = self._prefix(spectator=seat is None), self._role_json(seat)
        updated = b"".join((b'["room-updated",{', prefix, me, b'","room":{', prefix, me, b'"}}]'))
        if seat is None:
            # A player receives it once, there may be many spectators.
            self._updated = updated
        return updated

    def _prefix(self, *, spectator: bool) -> bytes:
        """Return the fields of the room up to `myRole`, whose value differs per client."""
        cached = self._prefixes.get(spectator)
        if cached is None:
            cached = b"".join(
                (
                    self._head_json,
                    self._board,
                    b'],"players":',
                    self._players_json or self._encode_players(),
                    b',"watchers":',
                    self._spectators_json,
                    b',"currentTurn":%d,"history":[' % (1 + (self.stone_count - self.ended_by_stone & 1)),
                    self._history_json,
                    b'],"chat":[',
                    self._chat_json[spectator],
                    self._status_json or self._encode_status(),
                )
            )
            self._prefixes[spectator] = cached
            if self._chat_json[0] == self._chat_json[1]:
                self._prefixes[not spectator] = cached
        return cached

    def _encode_status(self) -> bytes:
        over = self.phase is Phase.OVER or self.phase is Phase.CLOSED
        status = outgoing_messages.STATUS[Phase.WAITING if self.waits_again else self.phase]
        winner = b"%d" % self.winner if over else b"null"
        self._status_json = b'],"winner":%s,"status":"%s","myRole":"' % (winner, status)
        return self._status_json

    def _encode_players(self) -> bytes:
        roles = ((b"black", self.black), (b"white", OTHER[self.black]))
        self._players_json = b"{%s}" % b",".join(
            b'"%s":%s' % (role, self._encode_player(seat)) for role, seat in roles
        )
        return self._players_json

    def _encode_player(self, seat: Seat) -> bytes:
        name = self.names[seat]
        if name is None:
            return b"null"
        return outgoing_messages.encode(
            {"nickname": chat_text.escape_markup(name), "connected": not self.disconnected[seat]}
        )

    # Changes

    def invalidate(self) -> None:
        """Drop the cached JSON of the players, of the status and of the whole room."""
        self._players_json = self._status_json = b""
        self._drop_caches()

    def _drop_caches(self) -> None:
        self._prefixes: dict[bool, bytes] = {}
        self._updated = b""

    def place_stone(self, white: int, x: int, y: int) -> bytes:
        """Put a stone on the board; return the event that reports it."""
        cell = x + SIZE * y
        self._board[x * _COLUMN_BYTES + 1 + y * 2] = 0x31 + white
        stone = outgoing_messages.STONES[white][cell]
        self._history_json = self._history_json + b"," + stone if self._history_json else stone
        self.stone_count += 1
        self._drop_caches()
        return outgoing_messages.STONE_PLACED[white][cell]

    def set_moves(self, moves: Sequence[int]) -> None:
        """Replace all stones, black and white in turn."""
        self._board = bytearray(EMPTY_BOARD)
        self.stone_count = len(moves)
        for number, cell in enumerate(moves):
            self._board[cell % SIZE * _COLUMN_BYTES + 1 + cell // SIZE * 2] = 0x31 + (number & 1)
        self._history_json = b",".join(
            [outgoing_messages.STONES[number & 1][cell] for number, cell in enumerate(moves)]
        )
        self.invalidate()

    def set_spectators(self, names: tuple[str, ...]) -> bool:
        """Replace the spectators; tell whether they differ from before."""
        if names == self._spectators:
            return False
        self._spectators = names
        self._spectators_json = outgoing_messages.encode(
            [{"nickname": chat_text.escape_markup(name)} for name in names]
        )
        self._drop_caches()
        return True

    # Chat: index 0 is what players receive, index 1 what spectators receive

    def load_chat(self, lines: tuple[ChatLineView, ...], *, spectator: bool) -> None:
        """Replace the chat by that of a whole view of a player or spectator."""
        if spectator or self._chat_lines[0] == self._chat_lines[1]:
            self._replace_chat(1, lines)
        self._replace_chat(0, tuple(line for line in lines if not line.spectators_only))

    def _replace_chat(self, spectator: int, lines: tuple[ChatLineView, ...]) -> None:
        self._chat_lines[spectator] = tuple(outgoing_messages.chat_line(line) for line in lines[-MAX_LINES:])
        self._chat_json[spectator] = b",".join(self._chat_lines[spectator])
        self._drop_caches()

    def add_chat_line(self, line: ChatLineView) -> bytes:
        """Add a chat line; return the event that reports it."""
        encoded = outgoing_messages.chat_line(line)
        for spectator in (1,) if line.spectators_only else (0, 1):
            self._chat_lines[spectator] = (*self._chat_lines[spectator], encoded)[-MAX_LINES:]
            self._chat_json[spectator] = b",".join(self._chat_lines[spectator])
        self._drop_caches()
        return outgoing_messages.chat_received(encoded)
