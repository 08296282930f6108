"""Packs a JSON value with many like parts into few bytes: columns instead of rows, then LZMA.

What a thousand steps have in the same place is written together, so that it compresses well: the times of all
steps as differences, the names of members once. A column is an array that begins with its kind:

    [0, value]                            every value is this one
    [1, [value, …]]                       texts, bytes, true and false, numbers
    [2, [first, difference, …]]           integers
    [3, [name, …], [column, …]]           objects with the same members, a column for each
    [4, [name, …], [[place, …], …], which, [column, …]]
                                          the same with different members: for each object `which` is the
                                          index of its list of places of names
    [5, sizes, [column, …]]               short arrays: a column for each place, of the arrays that have it
    [6, sizes, column]                    arrays: the items of all of them
    [7, [part, …], [column, …]]           values of different types: for each the index of its column

`which` and `sizes` are columns of integers. The archive contains columns, so a kind is never changed.
"""

import lzma
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate, chain, islice, pairwise
from typing import Any, Final

import msgspec

Column = list[Any]


class _Kind(IntEnum):
    """What a column contains."""

    SAME = 0
    VALUES = 1
    DIFFERENCES = 2
    OBJECTS = 3
    VARIED_OBJECTS = 4
    SHORT_ARRAYS = 5
    ARRAYS = 6
    MIXED = 7


_SHORT: Final = 8
"""Items of the longest array whose places are columns of their own."""
_MOST: Final = 2**62
"""Integers below it have differences of 64 bits."""
_PACKED: Final = b"\x01"
"""The first byte of a packed value. What zlib compresses begins with another."""
_FILTERS: Final = ({"id": lzma.FILTER_LZMA1, "preset": 4, "dict_size": 2**20, "lc": 0, "lp": 0, "pb": 0},)
"""Takes 12 MB to write and 1 MB to read. A higher preset takes twice the time for a hundredth less."""

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode


class NotPacked(ValueError):
    """The bytes are no packed value."""


def pack_value(value: Any, names: Sequence[str]) -> bytes:
    """Return a value of plain JSON types, which may contain bytes, in few bytes.

    Of these `names` of members only the places are stored: `unpack_value` must get the same ones first.
    """
    places = {name: place for place, name in enumerate(names)}
    packed = _encode(_to_column([value], places))
    return _PACKED + lzma.compress(packed, format=lzma.FORMAT_RAW, filters=_FILTERS)


def is_packed(stored: bytes) -> bool:
    """Tell whether bytes begin like a packed value."""
    return stored.startswith(_PACKED)


def unpack_value(packed: bytes, names: Sequence[str]) -> Any:
    """Return the value that was packed, or raise `NotPacked`."""
    try:
        column = _decode(lzma.decompress(packed[1:], format=lzma.FORMAT_RAW, filters=_FILTERS))
        (value,) = _from_column(column, 1, names)
    except (lzma.LZMAError, msgspec.MsgspecError, TypeError, ValueError, LookupError) as error:
        raise NotPacked(str(error)) from error
    return value


def _to_column(values: list[Any], places: dict[str, int]) -> Column:
    types = list(map(type, values))
    kind = types[0]
    if types.count(kind) != len(types):
        return _mixed(values, types, places)
    if kind is dict:
        return _objects(values, places)
    if kind is list:
        return _arrays(values, places)
    if kind is not float and values.count(values[0]) == len(values):  # 0.0 equals -0.0.
        return [_Kind.SAME, values[0]]
    if kind is int and min(values) > -_MOST and max(values) < _MOST:
        return [_Kind.DIFFERENCES, [values[0], *(after - before for before, after in pairwise(values))]]
    return [_Kind.VALUES, values]


def _mixed(values: list[Any], types: list[type], places: dict[str, int]) -> Column:
    parts: dict[type, list[Any]] = {kind: [] for kind in types}
    for kind, value in zip(types, values, strict=True):
        parts[kind].append(value)
    indexes = {kind: index for index, kind in enumerate(parts)}
    columns = [_to_column(part, places) for part in parts.values()]
    return [_Kind.MIXED, [indexes[kind] for kind in types], columns]


def _objects(rows: list[dict[str, Any]], places: dict[str, int]) -> Column:
    shapes: dict[tuple[str, ...], int] = {}
    which = [shapes.setdefault(tuple(row), len(shapes)) for row in rows]
    members: dict[str, list[Any]] = {name: [] for shape in shapes for name in shape}
    for row in rows:
        for name, value in row.items():
            members[name].append(value)
    names = [places.get(name, name) for name in members]
    columns = [_to_column(values, places) for values in members.values()]
    if len(shapes) == 1:
        return [_Kind.OBJECTS, names, columns]
    indexes = {name: index for index, name in enumerate(members)}
    named = [[indexes[name] for name in shape] for shape in shapes]
    return [_Kind.VARIED_OBJECTS, names, named, _to_column(which, places), columns]


def _arrays(rows: list[list[Any]], places: dict[str, int]) -> Column:
    sizes = list(map(len, rows))
    if max(sizes) > _SHORT:
        items = list(chain.from_iterable(rows))
        return [_Kind.ARRAYS, _to_column(sizes, places), _to_column(items, places)]
    columns = [[row[place] for row in rows if len(row) > place] for place in range(max(sizes))]
    return [_Kind.SHORT_ARRAYS, _to_column(sizes, places), [_to_column(column, places) for column in columns]]


def _from_column(column: Column, count: int, names: Sequence[str]) -> list[Any]:
    """Return the values of a column, or raise `NotPacked` if it has not so many."""
    values = _values(column, count, names)
    if len(values) != count:
        raise NotPacked(f"{len(values)} values in a column instead of {count}")
    return values


def _values(column: Column, count: int, names: Sequence[str]) -> list[Any]:
    match column:
        case [_Kind.SAME, value]:
            return [value] * count
        case [_Kind.VALUES, list(values)]:
            return values
        case [_Kind.DIFFERENCES, differences]:
            return list(accumulate(differences))
        case [_Kind.OBJECTS, members, columns]:
            return _same_objects(_names(members, names), columns, count, names)
        case [_Kind.VARIED_OBJECTS, members, shapes, which, columns]:
            rows = _from_column(which, count, names)
            return _varied_objects(_names(members, names), shapes, rows, columns, names)
        case [_Kind.SHORT_ARRAYS, sizes, columns]:
            return _short_arrays(_from_column(sizes, count, names), columns, names)
        case [_Kind.ARRAYS, sizes, items]:
            lengths = _from_column(sizes, count, names)
            rest = iter(_from_column(items, sum(lengths), names))
            return [list(islice(rest, length)) for length in lengths]
        case [_Kind.MIXED, parts, columns]:
            values = [iter(_from_column(each, parts.count(i), names)) for i, each in enumerate(columns)]
            return list(map(next, map(values.__getitem__, parts)))
    raise NotPacked(f"a column of an unknown kind: {column!r:.40}")


def _names(members: list[int | str], names: Sequence[str]) -> list[str]:
    return [names[each] if isinstance(each, int) else each for each in members]


def _same_objects(keys: list[str], columns: list[Column], count: int, names: Sequence[str]) -> list[Any]:
    if not keys:
        return [{} for _ in range(count)]
    rows = zip(*(_from_column(each, count, names) for each in columns), strict=True)
    return [dict(zip(keys, row, strict=True)) for row in rows]


def _varied_objects(
    keys: list[str], shapes: list[list[int]], which: list[int], columns: list[Column], names: Sequence[str]
) -> list[Any]:
    counts = Counter[int]()
    for index, shape in enumerate(shapes):
        counts.update(dict.fromkeys(shape, which.count(index)))
    values = [iter(_from_column(each, counts[index], names)) for index, each in enumerate(columns)]
    members = [([keys[index] for index in shape], [values[index] for index in shape]) for shape in shapes]
    # `map` reads each column where the object before stopped; this is twice as fast as a loop.
    return [
        dict(zip(own_keys, map(next, own_values), strict=True))
        for own_keys, own_values in map(members.__getitem__, which)
    ]


def _short_arrays(sizes: list[int], columns: list[Column], names: Sequence[str]) -> list[Any]:
    lengths = Counter(sizes)
    counts = [sum(lengths[size] for size in lengths if size > place) for place in range(len(columns))]
    values = [iter(_from_column(each, n, names)) for each, n in zip(columns, counts, strict=True)]
    if len(lengths) == 1 and columns:
        return list(map(list, zip(*values, strict=True)))
    first = [values[:size] for size in range(len(columns) + 1)]
    return [[*map(next, own_values)] for own_values in map(first.__getitem__, sizes)]
