"""What commands, lobby chats and HTTP routes ask about sanctions before they do something."""

from typing import Protocol

from qipai.hall.connections.connection import Connection

from .sanction_interface import Sanction


class SanctionChecks(Protocol):
    """Answers from memory. A check that refuses tells the client why, and until when."""

    def closes_banned(self, connection: Connection, person: str | None = None) -> bool:
        """Tell whether the person or the address of a connection is banned; then it is closed."""

    def refuses_muted(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        """Tell whether the connection may write nothing; then it is refused."""

    def refuses_unrated(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        """Tell whether the connection may not play at rated tables; then it is refused."""

    def is_muted(self, connection: Connection) -> bool:
        """Tell whether the connection may write nothing."""

    def ban_of_address(self, address: str) -> Sanction | None:
        """Return the ban of an address."""
