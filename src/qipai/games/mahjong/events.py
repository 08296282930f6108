"""What a hand has changed, for whoever keeps the score of many."""

from qipai.kernel.game_interface.rules_interface import Event

from .wire_types import HandEnded, Stage


def points(event: Event) -> tuple[int, ...] | None:
    """Return what each seat gained by the hand that this event ends, or None for any other event."""
    match event:
        case HandEnded(position) if position.stage is Stage.HAND_OVER and position.result is not None:
            return position.result.delta
        case _:
            return None
