"""Checks results and checks that clients report, before they are relayed."""

from typing import Final

from qipai.kernel.room import Phase

from . import outgoing_messages
from .incoming_messages import Fields, RequestType, relayed_frame
from .room_state import RoomState

CLAIMS: Final = frozenset({RequestType.OVER.value, RequestType.INTERRUPTED.value, RequestType.RESOLVED.value})


def claim_note(room_state: RoomState, action: str, frame: bytes, fields: Fields) -> bytes | None:
    """Return what is relayed of a claim, or None if it is false."""
    if action == RequestType.OVER:
        return relayed_frame(RequestType.OVER, frame, fields) if _is_result(room_state, fields) else None
    return _dice_check_message(room_state, action, fields)


def _is_result(room_state: RoomState, fields: Fields) -> bool:
    """Tell whether a client reports the true result of a game whose result the server has not sent."""
    return (
        room_state.phase is Phase.OVER
        and not room_state.result_sent
        and fields.get("result") == room_state.result
    )


def _dice_check_message(room_state: RoomState, action: str, fields: Fields) -> bytes | None:
    """Return the message to both players about a check in mid-turn, None if the claim is false."""
    game = room_state.game
    if room_state.phase is not Phase.PLAYING:
        return None
    if action == RequestType.INTERRUPTED:
        saved_moves = fields.get("savedMovesRemaining")
        if not game.interrupted or type(saved_moves) is not int or saved_moves != game.dice_left:
            return None
        return outgoing_messages.message("diceCheckInterrupted", room_state.code, currentPlayer=game.to_move)
    if not game.restored:
        return None
    return outgoing_messages.message(
        "diceCheckRestored", room_state.code, currentPlayer=game.to_move, movesRemaining=game.dice_left
    )
