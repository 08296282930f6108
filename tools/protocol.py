"""Generates the JSON Schema, the TypeScript types and the protocol page from the server's types.

`python -m tools.protocol` writes the files; with `--check` it only names those that are stale.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import EnumType
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, NewType

import msgspec

from qipai.games.game_registry import GAMES, Game
from qipai.kernel import chat, room_events, seats
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.protocol import intents, notices, replay_json
from tools.wire_types import (
    GAME_FIELDS,
    GAME_TYPES,
    fields,
    game_types,
    members,
    own_types,
    reachable,
    shared_types,
    tag,
    type_name,
    typescript,
    values,
)

ROOT: Final = Path(__file__).resolve().parent.parent
SCHEMA: Final = "docs/protocol/native.schema.json"
TYPES: Final = "web/src/net/protocol.ts"
PAGE: Final = "docs/protocol/native.md"
PREFACE: Final = "docs/protocol/preface.md"
EXAMPLES: Final = "docs/protocol/examples.jsonl"
MOST_MOVES: Final = 400
"""Most moves played per example game."""


# The schema


def schema() -> str:
    """Return the JSON Schema of every message, including the types of each game."""
    defs: dict[str, Any] = {}
    unions = {"Intent": intents.Intent, "Notice": notices.Notice, "RoomEvent": room_events.RoomEvent}
    _add(defs, {**unions, "Replay": replay_json.Replay}, shared_types())
    for game in GAMES.values():
        names = own_types(game, shared_types())
        _add(defs, {type_name(game, part): kind for part, kind in game_types(game).items()}, names)
    for part in GAME_TYPES:
        defs[f"Any{part}"] = {"anyOf": [_ref(type_name(game, part)) for game in GAMES.values()]}
    for (struct, field), kind in GAME_FIELDS.items():
        references = [_ref(name) for name in re.findall(r"RoomEvent|Any\w+", kind)]
        references += [{"type": "null"}] * ("null" in kind)
        inside: dict[str, Any] = {"anyOf": references} if len(references) > 1 else references[0]
        schema_field = defs[struct.__name__]["properties"][field]
        schema_field.pop("items", None)
        schema_field.update({"items": inside} if kind.startswith("readonly") else inside)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Qipai's native protocol",
        "description": f"Version {intents.PROTOCOL}. A client sends an Intent per frame, a server a Notice.",
        "anyOf": [_ref("Intent"), _ref("Notice")],
        "$defs": defs,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _add(defs: dict[str, Any], roots: Mapping[str, Any], names: Mapping[Any, str]) -> None:
    tops, components = msgspec.json.schema_components(roots.values(), ref_template="#/$defs/{name}")
    ours = {kind.__name__: name for kind, name in names.items()}
    raw = json.dumps([list(tops), {ours.get(name, name): part for name, part in components.items()}])
    raw = re.sub(
        r'("title": "|#/\$defs/)(\w+)"', lambda match: f'{match[1]}{ours.get(match[2], match[2])}"', raw
    )
    tops, components = json.loads(raw)
    for part in (*tops, *components.values()):
        if "description" in part:  # Python 3.13 and later take the indent off docstrings by themselves.
            part["description"] = cleandoc(part["description"])
    defs |= components
    defs |= {name: top for name, top in zip(roots, tops, strict=True) if top != _ref(name)}


# The TypeScript types


def types() -> str:
    """Return TypeScript types of every message."""
    common = shared_types()
    client_types = reachable([intents.Intent])
    lines = [
        "// Types of the native protocol; written by tools/protocol.py from the server's types, do not edit.",
        "",
        f"export const PROTOCOL = {intents.PROTOCOL};",
        f"export const CHAT_TAIL = {chat.MAX_LINES};",
        f"export const CHAT_LINE = {chat.MAX_LINE};",
        f"export const ABSENCE = {seats.SEAT_OPEN_AFTER};",
    ]
    for kind in common:
        lines += _declaration(kind, common, client_types)
    lines += _union("Intent", intents.Intent, common, "What a client may send.")
    lines += _union("Notice", notices.Notice, common, "What the server may send.")
    lines += _union("RoomEvent", room_events.RoomEvent, common, "Events of a room of any game.")
    for game in GAMES.values():
        names = common | own_types(game, common)
        for kind in own_types(game, common):
            lines += _declaration(kind, names, client_types)
        for part, kind in game_types(game).items():
            if not isinstance(kind, type):
                lines += _union(type_name(game, part), kind, names)
    lines += ["", "/** The types of each game. */", "export interface Games {"]
    for game in GAMES.values():
        entries = " ".join(f"{part.lower()}: {type_name(game, part)};" for part in GAME_TYPES)
        lines.append(f"  {game.name}: {{ {entries} }};")
    lines += ["}", "", "export type GameName = keyof Games;"]
    lines += [f'export type Any{part} = Games[GameName]["{part.lower()}"];' for part in GAME_TYPES]
    return "\n".join(lines) + "\n"


def _declaration(kind: Any, names: Mapping[Any, str], client_types: Iterable[Any]) -> list[str]:
    if isinstance(kind, NewType):
        return ["", f"export type {names[kind]} = {typescript(kind.__supertype__, names)};"]
    lines = ["", f"/** {_docstring(kind)} */"]
    if isinstance(kind, EnumType):
        return [*lines, f"export type {names[kind]} = {' | '.join(map(json.dumps, values(kind)))};"]
    kind_tag = tag(kind)
    rows = [f"  {kind_tag[0]}: {json.dumps(kind_tag[1])};"] if kind_tag else []
    rows += [f"  {f.name}{'?' * f.optional}: {f.kind};" for f in fields(kind, names, client_types)]
    if not rows:
        return [*lines, f"export type {names[kind]} = Record<string, never>;"]
    return [*lines, f"export interface {names[kind]} {{", *rows, "}"]


def _union(name: str, kind: Any, names: Mapping[Any, str], comment: str = "") -> list[str]:
    union_members = "".join(f"\n  | {names[member]}" for member in members(kind))
    return ["", *([f"/** {comment} */"] if comment else []), f"export type {name} ={union_members};"]


def _docstring(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").split())


# Examples


def example_messages() -> dict[type, Any]:
    """Return an example of every message and room event, validated with the server's types."""
    readers = [msgspec.json.Decoder(kind) for kind in (intents.Intent, notices.Notice, room_events.RoomEvent)]
    found: dict[type, Any] = {}
    for line in (ROOT / EXAMPLES).read_text(encoding="utf-8").splitlines():
        for reader in readers:
            try:
                found.setdefault(type(reader.decode(line)), json.loads(line))
            except msgspec.ValidationError:
                continue
    expected = {*members(intents.Intent), *members(notices.Notice), *members(room_events.RoomEvent)}
    if expected != set(found):
        raise ValueError(
            f"{EXAMPLES}: no valid example of {[kind.__name__ for kind in expected - set(found)]}"
        )
    return found


def example_values(game: Game) -> dict[type, Any]:
    """Return one of each type of position, move and event, from eight games with a fixed seed."""
    rules, random = game.rules, Random(bytes(SEED_BYTES))
    examples: dict[type, Any] = {}
    for _ in range(8):
        state = rules.deal(game.options(None), random)
        examples.setdefault(game_types(game)["Position"], rules.view(state, Seat(0)))
        for _ in range(MOST_MOVES):
            if not (acting := rules.to_act(state)):
                break
            seat = acting[random.below(len(acting))] if len(acting) > 1 else acting[0]
            legal = rules.legal(state, seat)
            move = legal[random.below(len(legal))]
            result = rules.play(state, seat, move, random)
            state = result.state
            for one in (move, *(addressed.event for addressed in result.events)):
                examples.setdefault(type(one), one)
    return examples


# The page


def page() -> str:
    """Return the protocol page."""
    common, client_types, examples = shared_types(), reachable([intents.Intent]), example_messages()
    sections = {
        "Intents: what you send": members(intents.Intent),
        "Notices: what the server sends": members(notices.Notice),
        "Events of a room": members(room_events.RoomEvent),
    }
    described = {kind for kinds in sections.values() for kind in kinds}
    sections["Types used in these"] = tuple(kind for kind in common if kind not in described)
    text = [(ROOT / PREFACE).read_text(encoding="utf-8").rstrip()]
    for title, kinds in sections.items():
        text += [f"## {title}", *(_entry(kind, common, client_types, examples) for kind in kinds)]
    for game in GAMES.values():
        game_names, game_examples = own_types(game, common), example_values(game)
        bots = ", ".join(f"`{bot}`" for bot in game.bots) or "none"
        text += [f"## The game `{game.name}`", f"Seats: {game.rules.seats}. Bots: {bots}."]
        for part, kind in game_types(game).items():
            if members(kind) != (kind,):
                text.append(f"`{type_name(game, part)}` is one of " + _names(members(kind), game_names) + ".")
        text += [_entry(kind, common | game_names, client_types, game_examples) for kind in game_names]
    return "\n\n".join(text) + "\n"


def _names(kinds: Iterable[Any], names: Mapping[Any, str]) -> str:
    return ", ".join(f"`{names[kind]}`" for kind in kinds)


def _entry(
    kind: Any, names: Mapping[Any, str], client_types: Iterable[Any], examples: Mapping[type, Any]
) -> str:
    kind_tag = tag(kind)
    text = [f"### `{kind_tag[1]}`: {names[kind]}" if kind_tag else f"### {names[kind]}"]
    if isinstance(kind, NewType):
        return "\n\n".join([*text, f"A {typescript(kind.__supertype__, names)}."])
    text.append(_docstring(kind))
    if isinstance(kind, EnumType):
        return "\n\n".join([*text, ", ".join(f"`{word}`" for word in values(kind))])
    rows = [f"| `{kind_tag[0]}` | `{json.dumps(kind_tag[1])}` | |"] if kind_tag else []
    for field in fields(kind, names, client_types):
        shape = field.kind.replace("|", "\\|")
        rows.append(f"| `{field.name}`{'?' * field.optional} | `{shape}` | {field.note} |")
    if rows:
        text.append("\n".join(["| field | type | |", "|---|---|---|", *rows]))
    if kind in examples:
        frame = msgspec.json.encode(examples[kind])
        text.append(f"```json\n{(frame if len(frame) < 140 else msgspec.json.format(frame)).decode()}\n```")
    return "\n\n".join(text)


# Writing


def files() -> dict[str, str]:
    """Return every generated file by its path in the repository."""
    return {SCHEMA: schema(), TYPES: types(), PAGE: page()}


def stale() -> list[str]:
    """Return the paths of the generated files that are missing or out of date."""
    return [
        path
        for path, text in files().items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text(encoding="utf-8") != text
    ]


def main(arguments: Sequence[str]) -> int:
    """Write the stale files, or with `--check` name them and return 1."""
    outdated = stale()
    texts = files()
    for path in outdated:
        if "--check" in arguments:
            print(f"{path} is stale; run python -m tools.protocol", file=sys.stderr)
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(texts[path], encoding="utf-8")
            print(f"wrote {path}")
    return 1 if outdated and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
