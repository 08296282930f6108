"""What the parlours and foyers of several workers tell each other: who has which name, what is called across.

Nothing of it is written down. Who begins, or has been out of reach, asks, and everybody says it all again.
"""

from typing import Final

import msgspec
from msgspec import MsgspecError, Struct

from qipai.kernel.names import Millis
from qipai.kernel.talk import Heard

from .circle import Circle
from .foyer import Foyer
from .parlour import Parlour
from .ports import Bus


class Who(Struct, frozen=True, tag="who", array_like=True):
    """Asks for everybody's names."""


class Names(Struct, frozen=True, tag="names", array_like=True):
    """All names at a worker, by game."""

    worker: str
    names: dict[str, list[str]]


class Named(Struct, frozen=True, tag="named", array_like=True):
    """A name that somebody has got, or has given back."""

    worker: str
    game: str
    name: str
    taken: bool


class Line(Struct, frozen=True, tag="line", array_like=True):
    """What somebody calls across a foyer."""

    foyer: str
    at: Millis
    name: str
    text: str


_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(Who | Names | Named | Line)


class Gossip:
    """Passes on what is said here, and hears what is said elsewhere."""

    def __init__(self, circle: Circle, bus: Bus, parlour: Parlour, foyer: Foyer) -> None:
        self._bus = bus
        self._parlour = parlour
        self._foyer = foyer
        self._crew: frozenset[str] = frozenset()
        parlour.named = self._named
        foyer.called = self._called
        circle.told = self._heard
        circle.crewed.append(self._met)

    def _named(self, game: str, name: str, taken: bool) -> None:
        self._bus.call(_encode(Named(self._bus.worker, game, name, taken)))

    def _called(self, foyer: str, line: Heard) -> None:
        self._bus.call(_encode(Line(foyer, line.at, line.name, line.text)))

    def _met(self, crew: frozenset[str]) -> None:
        """Forget the names of workers that are gone; ask if there is one that was not there."""
        if crew != self._crew:
            new, self._crew = crew - self._crew, crew
            self._parlour.outlive(crew)
            if new - {self._bus.worker}:
                self._bus.call(_encode(Who()))

    def _heard(self, note: bytes) -> None:
        try:
            said = _decoder.decode(note)
        except MsgspecError:
            # Another release says something that this one does not know.
            return
        match said:
            case Who():
                self._bus.call(_encode(Names(self._bus.worker, self._parlour.names())))
            case Names():
                self._parlour.meet(said.worker, said.names)
            case Named():
                self._parlour.note(said.worker, said.game, said.name, taken=said.taken)
            case Line():
                self._foyer.spread(said.foyer, Heard(said.at, said.name, said.text))
