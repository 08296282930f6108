"""Rated tables: what their rules must be, and who may take a seat."""

from typing import Any, Final

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.kernel.commands import NOT_LEGACY, TableRules
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom
from qipai.protocol.notices import Refused

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


def may_open(
    sanctions: SanctionChecks,
    connection: Connection,
    game: Game,
    options: Any,
    table: TableRules,
    nonce: str = "",
    *,
    bots: bool = False,
) -> bool:
    """Tell whether the connection may open this table, as far as a rated one asks for more; or refuse."""
    if table.rated and not connection.signed_in:
        connection.send_notice(Refused(Refusal.ACCOUNT_NEEDED, nonce=nonce))
        return False
    if table.rated and sanctions.refuses_unrated(connection, nonce=nonce):
        return False
    if (fault := rated_fault(game, options, table, bots=bots)) is not None:
        connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=nonce, about=fault))
        return False
    return True
