"""What clients say about a game that we know better: it is passed on only where it is true."""

from typing import Final

from qipai.kernel.room import Phase

from . import outgoing_messages
from .incoming_messages import Fields, RequestType
from .room_state import RoomState

CLAIMS: Final = frozenset({RequestType.OVER.value, RequestType.INTERRUPTED.value, RequestType.RESOLVED.value})


def is_result(folio: RoomState, fields: Fields) -> bool:
    """Tell whether a client names the result of a game of which we have told none."""
    return folio.phase is Phase.OVER and not folio.announced and fields.get("result") == folio.result


def about_check(folio: RoomState, ask: str, fields: Fields) -> bytes | None:
    """Return what both players are told of a check in mid-turn, or None if there is none as it is said."""
    game = folio.game
    if folio.phase is not Phase.PLAYING:
        return None
    if ask == RequestType.INTERRUPTED:
        saved = fields.get("savedMovesRemaining")
        if not game.interrupted or type(saved) is not int or saved != game.left:
            return None
        return outgoing_messages.note("diceCheckInterrupted", folio.code, currentPlayer=game.to_move)
    if not game.restored:
        return None
    return outgoing_messages.note(
        "diceCheckRestored", folio.code, currentPlayer=game.to_move, movesRemaining=game.left
    )
