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
from tools.kinds import (
    OPEN,
    PARTS,
    fields,
    members,
    named,
    own,
    parts,
    reach,
    shared,
    tag,
    typescript,
    values,
)

ROOT: Final = Path(__file__).resolve().parent.parent
SCHEMA: Final = "docs/protocol/native.schema.json"
TYPES: Final = "web/src/net/protocol.ts"
PAGE: Final = "docs/protocol/native.md"
PREFACE: Final = "docs/protocol/preface.md"
EXAMPLES: Final = "docs/protocol/examples.jsonl"
LONG: Final = 400
"""Most moves played per example game."""


# The schema


def schema() -> str:
    """Return the JSON Schema of every message, including the types of each game."""
    defs: dict[str, Any] = {}
    unions = {"Intent": intents.Intent, "Notice": notices.Notice, "RoomEvent": room_events.RoomEvent}
    _add(defs, {**unions, "Replay": replay_json.Replay}, shared())
    for game in GAMES.values():
        names = own(game, shared())
        _add(defs, {named(game, part): kind for part, kind in parts(game).items()}, names)
    for part in PARTS:
        defs[f"Any{part}"] = {"anyOf": [_ref(named(game, part)) for game in GAMES.values()]}
    for (struct, field), kind in OPEN.items():
        words = [_ref(word) for word in re.findall(r"RoomEvent|Any\w+", kind)]
        words += [{"type": "null"}] * ("null" in kind)
        inside: dict[str, Any] = {"anyOf": words} if len(words) > 1 else words[0]
        place = defs[struct.__name__]["properties"][field]
        place.pop("items", None)
        place.update({"items": inside} if kind.startswith("readonly") else inside)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Qipai's native protocol",
        "description": f"Version {intents.PROTOCOL}. A client sends an Intent per frame, a server a Notice.",
        "anyOf": [_ref("Intent"), _ref("Notice")],
        "$defs": defs,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _add(defs: dict[str, Any], roots: Mapping[str, Any], names: Mapping[Any, str]) -> None:
    tops, components = msgspec.json.schema_components(roots.values(), ref_template="#/$defs/{name}")
    ours = {kind.__name__: name for kind, name in names.items()}
    raw = json.dumps([list(tops), {ours.get(name, name): part for name, part in components.items()}])
    raw = re.sub(
        r'("title": "|#/\$defs/)(\w+)"', lambda found: f'{found[1]}{ours.get(found[2], found[2])}"', raw
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
    common = shared()
    heard = reach([intents.Intent])
    lines = [
        "// Types of the native protocol; written by tools/protocol.py from the server's types, do not edit.",
        "",
        f"export const PROTOCOL = {intents.PROTOCOL};",
        f"export const CHAT_TAIL = {chat.MAX_LINES};",
        f"export const CHAT_LINE = {chat.MAX_LINE};",
        f"export const ABSENCE = {seats.SEAT_OPEN_AFTER};",
    ]
    for kind in common:
        lines += _declared(kind, common, heard)
    lines += _union("Intent", intents.Intent, common, "What a client may send.")
    lines += _union("Notice", notices.Notice, common, "What the server may send.")
    lines += _union("RoomEvent", room_events.RoomEvent, common, "Events of a room of any game.")
    for game in GAMES.values():
        names = common | own(game, common)
        for kind in own(game, common):
            lines += _declared(kind, names, heard)
        for part, kind in parts(game).items():
            if not isinstance(kind, type):
                lines += _union(named(game, part), kind, names)
    lines += ["", "/** The types of each game. */", "export interface Games {"]
    for game in GAMES.values():
        entries = " ".join(f"{part.lower()}: {named(game, part)};" for part in PARTS)
        lines.append(f"  {game.name}: {{ {entries} }};")
    lines += ["}", "", "export type GameName = keyof Games;"]
    lines += [f'export type Any{part} = Games[GameName]["{part.lower()}"];' for part in PARTS]
    return "\n".join(lines) + "\n"


def _declared(kind: Any, names: Mapping[Any, str], heard: Iterable[Any]) -> list[str]:
    if isinstance(kind, NewType):
        return ["", f"export type {names[kind]} = {typescript(kind.__supertype__, names)};"]
    words = ["", f"/** {_gist(kind)} */"]
    if isinstance(kind, EnumType):
        return [*words, f"export type {names[kind]} = {' | '.join(map(json.dumps, values(kind)))};"]
    mark = tag(kind)
    rows = [f"  {mark[0]}: {json.dumps(mark[1])};"] if mark else []
    rows += [f"  {f.name}{'?' * f.optional}: {f.kind};" for f in fields(kind, names, heard)]
    if not rows:
        return [*words, f"export type {names[kind]} = Record<string, never>;"]
    return [*words, f"export interface {names[kind]} {{", *rows, "}"]


def _union(name: str, kind: Any, names: Mapping[Any, str], gist: str = "") -> list[str]:
    parts_of = "".join(f"\n  | {names[member]}" for member in members(kind))
    return ["", *([f"/** {gist} */"] if gist else []), f"export type {name} ={parts_of};"]


def _gist(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").split())


# Examples


def frames() -> dict[type, Any]:
    """Return an example of every message and room event, validated with the server's types."""
    readers = [msgspec.json.Decoder(kind) for kind in (intents.Intent, notices.Notice, room_events.RoomEvent)]
    found: dict[type, Any] = {}
    for line in (ROOT / EXAMPLES).read_text(encoding="utf-8").splitlines():
        for reader in readers:
            try:
                found.setdefault(type(reader.decode(line)), json.loads(line))
            except msgspec.ValidationError:
                continue
    told = {*members(intents.Intent), *members(notices.Notice), *members(room_events.RoomEvent)}
    if told != set(found):
        raise ValueError(f"{EXAMPLES}: no valid example of {[kind.__name__ for kind in told - set(found)]}")
    return found


def played(game: Game) -> dict[type, Any]:
    """Return one of each type of position, move and event, from eight games with a fixed seed."""
    rules, dice = game.rules, Random(bytes(SEED_BYTES))
    seen: dict[type, Any] = {}
    for _ in range(8):
        state = rules.deal(game.options(None), dice)
        seen.setdefault(parts(game)["Position"], rules.view(state, Seat(0)))
        for _ in range(LONG):
            if not (acting := rules.to_act(state)):
                break
            seat = acting[dice.below(len(acting))] if len(acting) > 1 else acting[0]
            legal = rules.legal(state, seat)
            move = legal[dice.below(len(legal))]
            turn = rules.play(state, seat, move, dice)
            state = turn.state
            for one in (move, *(told.event for told in turn.events)):
                seen.setdefault(type(one), one)
    return seen


# The page


def page() -> str:
    """Return the protocol page."""
    common, heard, known = shared(), reach([intents.Intent]), frames()
    sections = {
        "Intents: what you send": members(intents.Intent),
        "Notices: what the server sends": members(notices.Notice),
        "Events of a room": members(room_events.RoomEvent),
    }
    told = {kind for kinds in sections.values() for kind in kinds}
    sections["Types used in these"] = tuple(kind for kind in common if kind not in told)
    text = [(ROOT / PREFACE).read_text(encoding="utf-8").rstrip()]
    for title, kinds in sections.items():
        text += [f"## {title}", *(_entry(kind, common, heard, known) for kind in kinds)]
    for game in GAMES.values():
        ours, seen = own(game, common), played(game)
        bots = ", ".join(f"`{bot}`" for bot in game.bots) or "none"
        text += [f"## The game `{game.name}`", f"Seats: {game.rules.seats}. Bots: {bots}."]
        for part, kind in parts(game).items():
            if members(kind) != (kind,):
                text.append(f"`{named(game, part)}` is one of " + _listed(members(kind), ours) + ".")
        text += [_entry(kind, common | ours, heard, seen) for kind in ours]
    return "\n\n".join(text) + "\n"


def _listed(kinds: Iterable[Any], names: Mapping[Any, str]) -> str:
    return ", ".join(f"`{names[kind]}`" for kind in kinds)


def _entry(kind: Any, names: Mapping[Any, str], heard: Iterable[Any], known: Mapping[type, Any]) -> str:
    mark = tag(kind)
    text = [f"### `{mark[1]}`: {names[kind]}" if mark else f"### {names[kind]}"]
    if isinstance(kind, NewType):
        return "\n\n".join([*text, f"A {typescript(kind.__supertype__, names)}."])
    text.append(_gist(kind))
    if isinstance(kind, EnumType):
        return "\n\n".join([*text, ", ".join(f"`{word}`" for word in values(kind))])
    rows = [f"| `{mark[0]}` | `{json.dumps(mark[1])}` | |"] if mark else []
    for field in fields(kind, names, heard):
        shape = field.kind.replace("|", "\\|")
        rows.append(f"| `{field.name}`{'?' * field.optional} | `{shape}` | {field.note} |")
    if rows:
        text.append("\n".join(["| field | type | |", "|---|---|---|", *rows]))
    if kind in known:
        frame = msgspec.json.encode(known[kind])
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
    old = stale()
    made = files()
    for path in old:
        if "--check" in arguments:
            print(f"{path} is stale; run python -m tools.protocol", file=sys.stderr)
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(made[path], encoding="utf-8")
            print(f"wrote {path}")
    return 1 if old and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
