"""What a law is, and how it is checked over many random runs."""

from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy

from .subject import Subject

Check = Callable[[Subject], None]
"""Raises `AssertionError` if the law does not hold for a game."""


class Law(NamedTuple):
    """Something that holds for every game to which it applies."""

    name: str
    check: Check
    applies: Callable[[Subject], bool] = lambda subject: True


def over(
    strategy: Callable[[Subject], SearchStrategy[Any]], examples: int
) -> Callable[[Callable[[Any], None]], Check]:
    """Return a decorator that makes a check of one run a check of a game over many runs."""

    def decorate(check_run: Callable[[Any], None]) -> Check:
        def check(subject: Subject) -> None:
            # A test calls this once for each game, so that the database of examples is of no use.
            limits = settings(
                max_examples=examples,
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=[HealthCheck.too_slow],
            )
            limits(given(strategy(subject))(check_run))()

        return check

    return decorate
