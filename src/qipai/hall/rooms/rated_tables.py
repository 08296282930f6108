"""Rated tables: what their rules must be, and who may take a seat."""

from typing import Any, Final

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection
from qipai.kernel.commands import NOT_LEGACY, TableRules
from qipai.kernel.room import AnyRoom

_DISCONNECT_TIMEOUT: Final = TableRules().disconnect_timeout
"""Quick match seats players there who did not choose it."""


def rated_fault(game: Game, options: Any, table: TableRules, *, bots: bool = False) -> str | None:
    """Return why a table cannot be rated, if it is to be and cannot."""
    if not table.rated:
        return None
    plan = table.clock
    if plan is None:
        return "a rated table has a clock"
    if len({*plan.main}) > 1:
        return "a rated table gives all players the same time"
    if bots or table.substitute_bot:
        return "a rated table has no bots"
    if table.undo_allowed:
        return "a rated table does not allow undo"
    if table.disconnect_timeout != _DISCONNECT_TIMEOUT:
        return f"a disconnected player of a rated table forfeits after {_DISCONNECT_TIMEOUT} seconds"
    if table.sees_hidden_allowed or table.legacy != NOT_LEGACY:
        return "a rated table has no rules of older clients"
    if not game.rateable(options) or not game.rating_category(options, plan):
        return f"{game.name} is not rated with these options"
    return None


def needs_account(room: AnyRoom, connection: Connection) -> bool:
    """Tell whether the connection must sign in before its person may take a seat."""
    return room.table.rated and not connection.signed_in
