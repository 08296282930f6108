"""Open challenges as workers tell each other, and as the two players see them. Nothing of it is stored."""

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel.ids import Person, RoomId
from qipai.protocol.notices import ChallengeMade


class OpenChallenge(Struct, frozen=True, tag="challenge", array_like=True):
    """A challenge that is not answered yet.

    `seen`: the challenged person is shown it. `notice` is what that person sees, with the name of the
    challenger; `challenged_name` is for the challenger.
    """

    challenger: Person
    challenged: Person
    challenged_name: str
    seen: bool
    notice: ChallengeMade

    @property
    def room(self) -> RoomId:
        """Return the room to which the challenged person is invited."""
        return self.notice.room

    @property
    def outgoing(self) -> ChallengeMade:
        """Return what the challenger sees."""
        return replace(self.notice, name=self.challenged_name, outgoing=True)


class ChallengeDeclined(Struct, frozen=True, tag="challenge_declined", array_like=True):
    """The challenged person has declined."""

    room: RoomId


encode_message: Final = msgspec.json.Encoder().encode
decode_message: Final = msgspec.json.Decoder(OpenChallenge | ChallengeDeclined).decode
