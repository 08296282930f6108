"""The names of a person in plain values, such as those of JSON: found beside the person, and replaced."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qipai.kernel.ids import Person

DELETED_PLAYER: Final = "Deleted player"
"""The name of everybody whose account was deleted, where they played; the page has it in three languages."""


def names_of(value: Any, person: Person) -> tuple[str, ...]:
    """Return the names that a person has in a plain value, in their order."""
    return tuple(dict.fromkeys(_names_of(value, person)))


def _names_of(value: Any, person: Person) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("person") == person and value.get("name") and not _is_removed(value["name"]):
            yield value["name"]
        for each in value.values():
            yield from _names_of(each, person)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _names_of(each, person)


def _is_removed(name: str) -> bool:
    return name.startswith(DELETED_PLAYER)


def renamed(value: Any, given: Mapping[str, str]) -> Any:
    """Return a plain value with other names, wherever there are names."""
    if isinstance(value, dict):
        return {
            key: given[each]
            if key == "name" and isinstance(each, str) and each in given
            else renamed(each, given)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [renamed(each, given) for each in value]
    return value
