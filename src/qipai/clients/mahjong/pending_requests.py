"""A request that takes its time."""

from qipai.kernel.ids import Nonce, Seat

from .incoming_messages import Request


class PendingRequest:
    """A request that is being done. Without a `nonce` its game is looked for yet.

    `again`: what it asks for can only be told from the seat, which is being taken. `held` are events that
    are told after the answer, if it takes more than one change to get there.
    """

    __slots__ = ("again", "held", "nonce", "request", "seat")

    def __init__(
        self, request: Request, nonce: str = "", seat: Seat | None = None, *, again: bool = False
    ) -> None:
        self.request = request
        self.nonce = Nonce(nonce)
        self.seat = seat
        self.again = again
        self.held: list[bytes] | None = None
