"""A room as JSON: kept in pieces of which a stone changes two, put together once for each role."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.lines import SIZE
from qipai.games.gomoku.rules import OTHER
from qipai.kernel.chat import MAX_LINES, ChatLine
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase

from . import chat_text, outgoing_messages

EMPTY: Final = b",".join([b"[%s]" % b",".join([b"0"] * SIZE)] * SIZE)
_COLUMN: Final = 2 * SIZE + 2
"""Bytes from the beginning of one column to that of the next."""


class RoomJson:
    """What a room's clients see of it. Whoever changes a field by hand says so with `touch`."""

    __slots__ = (
        "_board", "_chat", "_company", "_head", "_history", "_lines", "_players", "_prefixes", "_updated",
        "_watchers", "away", "black", "decided", "names", "phase", "stones", "winner",
    )  # fmt: skip

    def __init__(self, code: str, name: str) -> None:
        self._head = b'"id":%s,"name":%s,"board":[' % (
            outgoing_messages.encode(code),
            outgoing_messages.encode(chat_text.neutral(name)),
        )
        self.phase = Phase.WAITING
        self.black = Seat(0)
        self.names: list[str | None] = [None, None]
        self.away = [False, False]
        self.winner = 0
        self.decided = False
        """Whether the last stone ended the game; the turn stays where it was then."""
        self._company: tuple[str, ...] = ()
        self._watchers = b"[]"
        self._lines: tuple[deque[bytes], deque[bytes]] = (deque(maxlen=MAX_LINES), deque(maxlen=MAX_LINES))
        self._chat = [b"", b""]
        self._history = b""
        self.lay(())

    @property
    def board(self) -> bytes:
        """Return the fifteen columns."""
        return bytes(self._board)

    def color(self, seat: Seat) -> int:
        """Return the colour of a seat: 1 black, 2 white."""
        return 1 if seat == self.black else 2

    def role(self, seat: Seat | None) -> str:
        """Return what somebody is in this room."""
        return "watcher" if seat is None else "black" if seat == self.black else "white"

    def joined(self, seat: Seat | None) -> bytes:
        """Return that somebody is in this room now, as this."""
        role = self.role(seat).encode()
        prefix = self._prefix(watching=seat is None)
        return b'["room-joined",{"room":{%s%s"},"role":"%s"}]' % (prefix, role, role)

    def updated(self, seat: Seat | None) -> bytes:
        """Return the room as it is now: the same bytes for all of a role."""
        role = self.role(seat)
        known = self._updated.get(role)
        if known is None:
            prefix, me = self._prefix(watching=seat is None), role.encode()
            known = b"".join((b'["room-updated",{', prefix, me, b'","room":{', prefix, me, b'"}}]'))
            self._updated[role] = known
        return known

    def _prefix(self, *, watching: bool) -> bytes:
        """Return the room's fields up to the value of the last, which is one's own role."""
        known = self._prefixes.get(watching)
        if known is None:
            over = self.phase is Phase.OVER or self.phase is Phase.CLOSED
            known = b"".join(
                (
                    self._head,
                    self._board,
                    b'],"players":',
                    self._players or self._seated(),
                    b',"watchers":',
                    self._watchers,
                    b',"currentTurn":%d,"history":[' % (1 + (self.stones - self.decided & 1)),
                    self._history,
                    b'],"chat":[',
                    self._chat[watching],
                    b'],"winner":%d' % self.winner if over else b'],"winner":null',
                    b',"status":"%s","myRole":"' % outgoing_messages.STATUS[self.phase],
                )
            )
            self._prefixes[watching] = known
            if self._chat[0] == self._chat[1]:
                self._prefixes[not watching] = known
        return known

    def _seated(self) -> bytes:
        roles = ((b"black", self.black), (b"white", OTHER[self.black]))
        self._players = b"{%s}" % b",".join(b'"%s":%s' % (role, self._player(seat)) for role, seat in roles)
        return self._players

    def _player(self, seat: Seat) -> bytes:
        name = self.names[seat]
        if name is None:
            return b"null"
        return outgoing_messages.encode(
            {"nickname": chat_text.neutral(name), "connected": not self.away[seat]}
        )

    # Changes

    def touch(self) -> None:
        """Forget what was put together: a field is another."""
        self._players = b""
        self._turn()

    def _turn(self) -> None:
        self._prefixes: dict[bool, bytes] = {}
        self._updated: dict[str, bytes] = {}

    def place(self, white: int, x: int, y: int) -> bytes:
        """Put a stone on the board and return what is told of it."""
        cell = x + SIZE * y
        self._board[x * _COLUMN + 1 + y * 2] = 0x31 + white
        stone = outgoing_messages.STONES[white][cell]
        self._history = self._history + b"," + stone if self._history else stone
        self.stones += 1
        self._turn()
        return outgoing_messages.PLACED[white][cell]

    def lay(self, moves: Sequence[int]) -> None:
        """Lay all stones anew, black and white in turn."""
        self._board = bytearray(EMPTY)
        self.stones = len(moves)
        for number, cell in enumerate(moves):
            self._board[cell % SIZE * _COLUMN + 1 + cell // SIZE * 2] = 0x31 + (number & 1)
        self._history = b",".join(
            [outgoing_messages.STONES[number & 1][cell] for number, cell in enumerate(moves)]
        )
        self.touch()

    def gather(self, watchers: tuple[str, ...]) -> bool:
        """Take over who looks on; tell whether they are others than before."""
        if watchers == self._company:
            return False
        self._company = watchers
        self._watchers = outgoing_messages.encode(
            [{"nickname": chat_text.neutral(name)} for name in watchers]
        )
        self._turn()
        return True

    # Chat: what players hear, and what watchers do

    def recall(self, lines: tuple[ChatLine, ...], *, watching: bool) -> None:
        """Take over all that was said, as a player or a watcher is shown it."""
        if watching or self._lines[0] == self._lines[1]:
            self._refill(1, lines)
        self._refill(0, tuple(line for line in lines if not line.spectators_only))

    def _refill(self, watching: int, lines: tuple[ChatLine, ...]) -> None:
        tail = self._lines[watching]
        tail.clear()
        tail.extend(outgoing_messages.said(line) for line in lines)
        self._chat[watching] = b",".join(tail)
        self._turn()

    def hear(self, line: ChatLine) -> bytes:
        """Take over one more line and return what is told of it."""
        said = outgoing_messages.said(line)
        for watching in (1,) if line.spectators_only else (0, 1):
            self._lines[watching].append(said)
            self._chat[watching] = b",".join(self._lines[watching])
        self._turn()
        return outgoing_messages.received(said)
