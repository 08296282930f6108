"""Finds persons by what is known of them: accounts, people who are connected, finished games, reports."""

from contextlib import suppress
from typing import Final

from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import GameFilter, search_name
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.operator_acts import OperatorActs
from qipai.kernel.ids import Person

MOST: Final = 50
"""Persons of one answer."""
_GAMES: Final = 50
"""Finished games that are searched for a name."""


class PeopleSearch:
    """Searches everything that this worker and the database know."""

    def __init__(self, hall: Hall, acts: OperatorActs) -> None:
        self._hall = hall
        self._acts = acts

    async def find(self, text: str, address: str) -> dict[Person, list[str]]:
        """Return the persons, the closest first, each with the names under which they were found."""
        found: dict[Person, list[str]] = {}
        services, wanted = self._hall.account_services, search_name(text)
        exact = Person(text.strip())
        if services.directory.account(exact) is not None or exact in self._hall.persons:
            found[exact] = []
        skeleton = services.names.skeleton(text)
        if (owner := services.directory.owner(skeleton)) is not None:
            found.setdefault(owner, [])
        for person in services.directory.with_part(skeleton, MOST):
            found.setdefault(person, [])
        for connection in self._hall.connections:
            if connection.person is not None and search_name(connection.name) == wanted:
                _add(found, connection.person, connection.name)
        for person, name in await self._acts.ask(lambda store: store.moderation.persons_named(text, MOST)):
            _add(found, person, name)
        with suppress(TooManyRequests, StoreError):
            games = await self._hall.finished_games.search(
                GameFilter(player=text, limit=_GAMES), address=address
            )
            for game in games:
                for seated, name, bot in zip(game.seated, game.names, game.bots, strict=False):
                    if seated and not bot and search_name(name) == wanted:
                        _add(found, Person(seated), name)
        return dict(list(found.items())[:MOST])


def _add(found: dict[Person, list[str]], person: Person, name: str) -> None:
    names = found.setdefault(person, [])
    if name not in names:
        names.append(name)
