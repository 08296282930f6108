"""A world of accounts for each test."""

from collections.abc import Iterator

import pytest

from tests.hall.relations.relation_world import RelationWorld


@pytest.fixture
def world() -> Iterator[RelationWorld]:
    with RelationWorld() as world:
        yield world
