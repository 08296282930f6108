"""What a worker knows of the relations of all accounts without asking the database: blocks and privacy."""

from collections.abc import Mapping

from qipai.kernel.ids import Person

from .relation_interface import Known, Privacy

_NOTHING = Known()


class RelationDirectory:
    """Blocks and privacy as of the last change that was read; accounts without any are not listed."""

    def __init__(self) -> None:
        self._known: dict[Person, Known] = {}

    def load(self, known: Mapping[Person, Known]) -> None:
        """Replace everything."""
        self._known = dict(known)

    def put(self, person: Person, known: Known) -> None:
        """Replace what is known of an account."""
        if known == _NOTHING:
            self._known.pop(person, None)
        else:
            self._known[person] = known

    def privacy(self, person: Person) -> Privacy:
        """Return what an account lets others see and do."""
        return self._known.get(person, _NOTHING).privacy

    def blocked(self, person: Person) -> frozenset[Person]:
        """Return whom an account has blocked."""
        return self._known.get(person, _NOTHING).blocked

    def is_blocked(self, person: Person, other: Person) -> bool:
        """Tell whether either of two persons has blocked the other."""
        return other in self.blocked(person) or person in self.blocked(other)
