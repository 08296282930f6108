"""Patches between JSON values: how one position becomes the next.

A patch is a JSON array that begins with its kind:

    [0, value]                      the value is replaced
    [1, {key: patch, …}]            members of an object are patched, added with kind 0, or left as they are
    [1, {key: patch, …}, [key, …]]  the same, and these are the keys of the result, in this order
    [2, [[index, patch], …]]        items of an array are patched; its length stays the same
    [3, start, end, [item, …]]      the first `start` and the last `end` items stay, these are between them

The archive contains patches, so a kind is never changed; a new one gets the next number.
"""

from typing import Any, Final

import msgspec

Patch = list[Any]

_VALUE: Final = 0
_OBJECT: Final = 1
_ITEMS: Final = 2
_SPLICE: Final = 3
_encode: Final = msgspec.json.Encoder().encode


def make_patch(old: Any, new: Any) -> Patch | None:
    """Return the patch that turns one JSON value into another; None if both have the same JSON text."""
    patch = _patch(old, new)
    # Python's `==` ignores the order of members and the difference between 1, 1.0 and true.
    if _encode(old if patch is None else apply_patch(old, patch)) == _encode(new):
        return patch
    return [_VALUE, new]


def apply_patch(old: Any, patch: Patch) -> Any:
    """Return the value that a patch was made for; `old` is not changed."""
    kind = patch[0]
    if kind == _VALUE:
        return patch[1]
    if kind == _OBJECT:
        changed = {key: apply_patch(old.get(key), member_patch) for key, member_patch in patch[1].items()}
        keys = patch[2] if len(patch) > 2 else old
        return {key: changed[key] if key in changed else old[key] for key in keys}
    if kind == _ITEMS:
        items = [*old]
        for index, item_patch in patch[1]:
            items[index] = apply_patch(items[index], item_patch)
        return items
    if kind == _SPLICE:
        _, start, end, items = patch
        return [*old[:start], *items, *old[len(old) - end :]]
    raise ValueError(f"a patch of the unknown kind {kind!r}")


def _patch(old: Any, new: Any) -> Patch | None:
    """Return the patch between two values, None if they are equal in Python."""
    if old == new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _object_patch(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _array_patch(old, new)
    return [_VALUE, new]


def _object_patch(old: dict[str, Any], new: dict[str, Any]) -> Patch:
    changes: dict[str, Patch | None] = {}
    for key, value in new.items():
        if key not in old:
            changes[key] = [_VALUE, value]
        elif old[key] != value:
            changes[key] = _patch(old[key], value)
    # Optional members come and go, and the order of the members is part of the JSON text.
    return [_OBJECT, changes] if list(old) == list(new) else [_OBJECT, changes, list(new)]


def _array_patch(old: list[Any], new: list[Any]) -> Patch:
    if len(old) == len(new):
        changed = [index for index, item in enumerate(old) if item != new[index]]
        if all(_are_containers(old[index], new[index]) for index in changed):
            return [_ITEMS, [[index, _patch(old[index], new[index])] for index in changed]]
    shorter = min(len(old), len(new))
    start = end = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [_SPLICE, start, end, new[start : len(new) - end]]


def _are_containers(old: Any, new: Any) -> bool:
    return isinstance(old, dict | list) and type(old) is type(new)
