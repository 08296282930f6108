"""Tags persons of Socket.IO clients with their browser, so that a page that is loaded again is recognised.

The browser has a random cookie. The tag is a keyed hash of it: part of the private id of a socket, and of the
person made from that id. Nothing is stored, so it holds after a restart and on every worker.
"""

from itertools import islice
from typing import Final

from qipai.hall.people.identity import Identity
from qipai.kernel.ids import Person
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.session_interfaces import Handshake

COOKIE: Final = "qipai_browser"
_SEPARATOR: Final = "."
_MAX_COOKIES: Final = 8
_SAME_ORIGIN: Final = AllowedOrigins()


def browser_tag(identity: Identity, handshake: Handshake) -> str:
    """Return the tag of the browser that sent this handshake from the server's own page; empty for none."""
    if not handshake.cookie or not _SAME_ORIGIN.is_same_origin(handshake.origin, handshake.host):
        return ""
    pairs = (part.partition("=") for part in islice(handshake.cookie.split(";"), _MAX_COOKIES))
    value = next((value.strip() for name, _, value in pairs if name.strip() == COOKIE), "")
    return identity.derived_tag(value) if value else ""


def with_browser(person: Person, tag: str) -> Person:
    """Return the person with the tag of its browser."""
    return Person(f"{person}{_SEPARATOR}{tag}") if tag else person


def browser_of(person: Person | None) -> str:
    """Return the tag in a person, empty for none."""
    return "" if person is None else person.partition(_SEPARATOR)[2]


def pid_suffix(tag: str) -> str:
    """Return the end of the private id of a socket of this browser."""
    return f"{_SEPARATOR}{tag}" if tag else ""


def person_of(identity: Identity, pid: str) -> Person:
    """Return the person of a socket with this private id."""
    return with_browser(identity.derived_guest(pid)[0], pid.partition(_SEPARATOR)[2])
