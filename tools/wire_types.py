"""Describes the types of the protocol for client authors: names, fields, limits, TypeScript."""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import EnumType
from types import UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NewType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import NODEFAULT, Meta, Raw, Struct, UnsetType

from qipai.games.game import Game
from qipai.kernel import room_events, room_view
from qipai.protocol import intents, notices, replay_json
from qipai.server.docs.answers import HttpError
from qipai.server.docs.http_routes import SECTIONS

GAME_TYPES: Final = ("Options", "Move", "Position", "Event")
"""The types that every game defines; their names are prefixed with the name of the game."""

GAME_FIELDS: Final[Mapping[tuple[type, str], str]] = {
    (intents.OpenRoom, "options"): "AnyOptions",
    (intents.QuickMatch, "options"): "AnyOptions",
    (intents.Play, "move"): "AnyMove",
    (intents.StartGame, "options"): "AnyOptions",
    (notices.ChallengeMade, "options"): "AnyOptions",
    (notices.RoomEvents, "events"): "readonly (RoomEvent | AnyEvent)[]",
    (room_view.RoomView, "options"): "AnyOptions",
    (room_view.LobbyRow, "options"): "AnyOptions | null",
    (room_view.RoomView, "position"): "AnyPosition | null",
    (room_events.GameStarted, "position"): "AnyPosition",
    (room_events.OptionsChosen, "options"): "AnyOptions",
    (room_events.MoveUndone, "position"): "AnyPosition",
    (room_events.SidesSwapped, "position"): "AnyPosition",
    (room_events.SecretsRevealed, "position"): "AnyPosition",
    (replay_json.Replay, "options"): "AnyOptions",
    (replay_json.Frame, "events"): "readonly (RoomEvent | AnyEvent)[]",
    (replay_json.Frame, "position"): "AnyPosition",
}
"""Fields whose contents the game of the room defines."""


class Field(NamedTuple):
    """A field of a struct, as a client sees it."""

    name: str
    kind: str
    optional: bool
    note: str


def prefix(game: Game) -> str:
    """Return the prefix of the names of a game's types."""
    return game.name.capitalize()


def game_types(game: Game) -> dict[str, Any]:
    """Return the four types of a game by part."""
    view = get_type_hints(type(game.rules).view)["return"]
    return dict(
        zip(GAME_TYPES, (game.rules.option_type, game.rules.move_type, view, game.events), strict=True)
    )


def type_name(game: Game, part: str) -> str:
    """Return the name of a part; a union with a member of the same name gets the prefix `Any`."""
    types = members(game_types(game)[part])
    ambiguous = len(types) > 1 and part in {one.__name__ for one in types}
    return prefix(game) + "Any" * ambiguous + part


def members(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the one type itself."""
    return get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)


def values(enum: EnumType) -> list[str]:
    """Return the values of an enum."""
    words: dict[str, Any] = dict(enum.__members__)
    return [member.value for member in words.values()]


def tag(kind: Any) -> tuple[str, str] | None:
    """Return the tag field and the tag of a struct, or None."""
    config = getattr(kind, "__struct_config__", None)
    return None if config is None or config.tag_field is None else (config.tag_field, str(config.tag))


def inner(kind: Any) -> Iterator[Any]:
    """Yield a type and its type arguments, recursively, without entering structs."""
    yield kind
    for argument in get_args(kind):
        if argument is not Ellipsis and not isinstance(argument, Meta | str):
            yield from inner(argument)


def reachable(kinds: Iterable[Any]) -> list[Any]:
    """Return every struct, enum and named type reachable from these, each once, in order of discovery."""
    found: list[Any] = []
    waiting = [part for kind in kinds for part in inner(kind)]
    while waiting:
        kind = waiting.pop(0)
        if kind in found:
            continue
        if isinstance(kind, NewType | EnumType):
            found.append(kind)
        elif isinstance(kind, type) and issubclass(kind, Struct):
            found.append(kind)
            waiting += [part for field in msgspec.structs.fields(kind) for part in inner(field.type)]
    return found


def typescript(kind: Any, names: Mapping[Any, str]) -> str:
    """Return a type in TypeScript."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in names:
        return names[kind]
    if origin is Annotated:
        return typescript(arguments[0], names)
    if origin in {Union, UnionType}:
        return " | ".join(typescript(part, names) for part in arguments if part is not UnsetType)
    if origin is Literal:
        return " | ".join(map(json.dumps, arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        item = typescript(arguments[0], names)
        return f"readonly ({item})[]" if "|" in item or " " in item else f"readonly {item}[]"
    if origin is tuple:
        return f"readonly [{', '.join(typescript(part, names) for part in arguments)}]"
    if origin is dict:
        return f"Readonly<Record<{', '.join(typescript(part, names) for part in arguments)}>>"
    plain = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
    if kind in plain:
        return plain[kind]
    if kind in {Any, Raw}:
        return "unknown"
    raise TypeError(f"no TypeScript for {kind!r}")


def bounds(kind: Any) -> str:
    """Return in words the limits that the annotations of a type set."""
    limits: list[str] = []
    for meta in (
        argument for part in inner(kind) for argument in get_args(part) if isinstance(argument, Meta)
    ):
        if meta.ge is not None and meta.le is not None:
            top = "2^53" if meta.le == 2**53 else str(meta.le)
            limits.append(f"{meta.ge} to {top}")
        if meta.max_length is not None:
            limits.append(f"at most {meta.max_length} characters")
        if meta.min_length:
            limits.append("not empty")
        if meta.pattern is not None:
            limits.append(f"matches `{meta.pattern}`")
    return ", ".join(dict.fromkeys(limits))


def fields(struct: type[Struct], names: Mapping[Any, str], client_types: Iterable[Any]) -> list[Field]:
    """Return the fields of a struct; those a client may omit, or the server omits, are optional."""
    may_omit = struct in client_types or struct.__struct_config__.omit_defaults
    rows: list[Field] = []
    for field in msgspec.structs.fields(struct):
        optional = may_omit and not field.required
        note = bounds(field.type)
        if optional and field.default not in (NODEFAULT, msgspec.UNSET):
            note = "; ".join(filter(None, (note, f"default `{msgspec.json.encode(field.default).decode()}`")))
        game_type = GAME_FIELDS.get((struct, field.name))
        rows.append(Field(field.encode_name, game_type or typescript(field.type, names), optional, note))
    return rows


def shared_types() -> dict[Any, str]:
    """Return every type that belongs to no game, with its name."""
    kinds = reachable([intents.Intent, notices.Notice, room_events.RoomEvent, replay_json.Replay])
    return {kind: kind.__name__ for kind in kinds}


def http_types() -> dict[Any, str]:
    """Return every type of the bodies and answers of the HTTP API that no frame contains, with its name."""
    known = shared_types()
    routes = [route for section in SECTIONS.values() for route in section]
    used = [kind for route in routes for kind in (route.request, route.answer) if kind is not None]
    return {kind: kind.__name__ for kind in reachable([*used, HttpError]) if kind not in known}


def own_types(game: Game, common: Mapping[Any, str]) -> dict[Any, str]:
    """Return the types of a game with their names; a part that is a single struct is named after the part."""
    single = {kind: part for part, kind in game_types(game).items() if isinstance(kind, type)}
    kinds = [kind for kind in reachable(game_types(game).values()) if kind not in common]
    return {kind: prefix(game) + single.get(kind, kind.__name__) for kind in kinds}
