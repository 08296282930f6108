"""A patch makes the new value from the old one, byte by byte."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.hall.history.position_patches import apply_patch, make_patch

KEYS = st.sampled_from("abcde")
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from((0.0, -0.0, 1.0, 0.5)),
    st.text("xy", max_size=2),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=20,
)


def text(value: Any) -> bytes:
    return msgspec.json.encode(value)


@settings(max_examples=400)
@given(VALUES, VALUES)
def test_a_patch_gives_the_new_value_and_leaves_the_old_one_unchanged(old: Any, new: Any) -> None:
    before = text(old)
    patch = make_patch(old, new)
    if patch is None:
        assert text(new) == before
    else:
        stored = msgspec.json.decode(text(patch))
        assert text(apply_patch(old, stored)) == text(new)
    assert text(old) == before


@settings(max_examples=200)
@given(VALUES, st.data())
def test_a_value_of_which_a_part_changed_is_patched(old: Any, data: st.DataObject) -> None:
    new = msgspec.json.decode(text(old))
    parts = [part for part in containers(new) if part]
    for _ in range(data.draw(st.integers(1, 3))):
        if not parts:
            break
        part = data.draw(st.sampled_from(parts))
        if isinstance(part, dict):
            part[data.draw(KEYS)] = data.draw(SCALARS)
        else:
            part[data.draw(st.integers(0, len(part) - 1))] = data.draw(SCALARS)
    patch = make_patch(old, new)
    assert text(old if patch is None else apply_patch(old, patch)) == text(new)


def containers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(part for member in value.values() for part in containers(member))]
    return [value, *(part for item in value for part in containers(item))] if isinstance(value, list) else []


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        (1, 2, [0, 2]),
        (None, {"a": 1}, [0, {"a": 1}]),
        (True, 1, [0, 1]),
        (1, 1.0, [0, 1.0]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [1, {"b": [0, 3]}]),
        ({"a": 1}, {"b": 2, "a": 1}, [1, {"b": [0, 2]}, ["b", "a"]]),
        ({"a": 1, "b": 2}, {"b": 2}, [1, {}, ["b"]]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, [0, {"b": 2, "a": 1}]),
        ({"a": [1, True]}, {"a": [1, 1]}, [0, {"a": [1, 1]}]),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 3}], [2, [[1, [1, {"a": [0, 3]}]]]]),
        ([1, 2, 3], [1, 2, 3, 4], [3, 3, 0, [4]]),
        ([1, 2, 3], [1, 3], [3, 1, 1, []]),
        ([1, 2, 3], [1, 9, 3], [3, 1, 1, [9]]),
        ([1, 1], [1, 1, 1], [3, 2, 0, [1]]),
        ([], [1], [3, 0, 0, [1]]),
    ],
)
def test_a_patch_has_only_what_changed(old: Any, new: Any, patch: Any) -> None:
    assert json.dumps(make_patch(old, new)) == json.dumps(patch)
    assert text(apply_patch(old, patch)) == text(new)


def test_a_patch_of_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown kind 9"):
        apply_patch(1, [9])
