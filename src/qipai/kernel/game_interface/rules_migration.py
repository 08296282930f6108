"""How stored values of one rules number become those of the next."""

from collections.abc import Callable
from typing import Any, NamedTuple


def _unchanged(value: Any) -> Any:
    return value


class RulesMigration(NamedTuple):
    """Turns plain JSON values that one rules number stored into those of the next number."""

    options: Callable[[Any], Any] = _unchanged
    move: Callable[[Any], Any] = _unchanged
    state: Callable[[Any], Any] = _unchanged
