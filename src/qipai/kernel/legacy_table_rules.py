"""Table rules that only rooms of older clients have, as one struct."""

from typing import Final

from msgspec import Struct


class LegacyTableRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a room of an older client differs from other rooms.

    `host_starts`: the host starts each game; an offer stands until the asked player has moved in reply.
    `open_seats`: anyone may take a reserved seat of a running game, or that of a long absent player.
    `chat_with_spectators`: players read the spectators' chat during a game.
    """

    host_starts: bool = False
    open_seats: bool = False
    chat_with_spectators: bool = False

    @property
    def repeats_offers(self) -> bool:
        """Tell whether a declined offer may be made again at once."""
        return self.host_starts or self.chat_with_spectators


NOT_LEGACY: Final = LegacyTableRules()
