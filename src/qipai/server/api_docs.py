"""Documentation for client authors at `/docs`, generated from the types of the protocol."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from qipai import __version__
from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.kernel.room_events import RoomEvent
from qipai.protocol.intents import PROTOCOL, Intent
from qipai.protocol.notices import Notice

_REF: Final = "#/components/schemas/{name}"
HttpPath = tuple[str, str, str]
"""A path, its summary and its media type."""
_HTTP: Final[tuple[HttpPath, ...]] = (
    ("/", "The web client.", "text/html"),
    ("/health", "Whether the server runs: 200 `ok`, or 503 `stopping`.", "application/json"),
    (
        "/ready",
        "Whether the server takes requests: 200 `ready`, or 503 `stopping` or `store out of reach`.",
        "application/json",
    ),
    ("/games", "The games, each with the package that it comes from and its version.", "application/json"),
    ("/metrics", "Metrics for Prometheus.", "text/plain"),
    (
        "/api/games/{room}/{match}",
        "The replay of a finished game. `seat`: a seat number, `watch` or `all`. `form`: `compact`.",
        "application/json",
    ),
    ("/api/games/{room}/{match}/record", "The game record in the notation of its game.", "text/plain"),
    (
        "/api/games/{room}/{match}/ratings",
        "What a rated game changed: `before`, `after` and `change` of each seat; none if it did not count.",
        "application/json",
    ),
    (
        "/api/ratings/{name}",
        "The ratings of an account in all categories, with their curves: pairs of time and rating.",
        "application/json",
    ),
    (
        "/api/leaderboards/{category}",
        "The hundred best players of a category, and how many players each bucket of ratings has.",
        "application/json",
    ),
    (
        "/api/my-games",
        "Your finished games, with the same filters. Guests send `authorization: Bearer` and their token.",
        "application/json",
    ),
    ("/api/my-games/download", "All of them in their notations, in a ZIP file.", "application/zip"),
    (
        "/api/people/{name}",
        "The profile of an account: results by game, twist and kind of opponents, and streaks.",
        "application/json",
    ),
    (
        "/api/people/{name}/games",
        "Its finished games, by `game`, `twist`, `result`, `against`, `opponent`, `since`, `until`.",
        "application/json",
    ),
    (
        "/api/people/{name}/head-to-head",
        "Your results against an account, or those of the account `with`.",
        "application/json",
    ),
    (
        "/api/account",
        "Your account and its devices, if you are signed in. The page posts changes to the paths below.",
        "application/json",
    ),
    (
        "/api/account/data",
        "What the server stores of your account, and the list of your finished games, as a file.",
        "application/json",
    ),
    ("/docs", "This page.", "text/html"),
    ("/docs/openapi.json", "The HTTP side as OpenAPI 3.1.", "application/json"),
    ("/docs/asyncapi.json", "The WebSocket side as AsyncAPI 3.0.", "application/json"),
)
_RULES: Final = (
    "<p>Text frames, one JSON object each, at most 16 kB and 50 a second. <code>type</code> names the "
    "message. Send <code>hello</code> first. Every command carries a <code>nonce</code> that you choose: "
    "send it again after a disconnection, it is done once. A command is durable when you receive its nonce "
    "in <code>events</code> or <code>unchanged</code>.</p>"
)
STYLE: Final = """/* Paper, ink and a red seal, as on the page of the games. */
:root {
  --paper: light-dark(#f6f2e9, #161714); --card: light-dark(#fffdf8, #20221e);
  --ink: light-dark(#24221d, #ece7da); --soft: light-dark(#655f53, #aaa393);
  --line: light-dark(#dbd2c0, #3a3c35);
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Songti TC", "Noto Serif CJK TC", Georgia, serif;
  color-scheme: light dark;
}
body {
  max-width: 60rem; margin: 0 auto; padding: .6rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 -apple-system, "Segoe UI", "Noto Sans CJK TC", system-ui, sans-serif;
  overflow-wrap: anywhere;
}
.brand {
  display: inline-flex; align-items: center; gap: .6rem; min-height: 2.75rem; color: inherit;
  font: 600 1.2rem/1 var(--serif); text-decoration: none;
}
.brand span { margin-left: -.3rem; color: var(--soft); font-weight: 400 }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.25 }
h1 { font-size: 1.75rem }
h2 { margin-top: 2.5rem; font-size: 1.375rem }
h3 { margin: 1.5rem 0 .3rem; font-size: 1.125rem }
p { margin: .3rem 0 .6rem }
table { width: 100%; border: 1px solid var(--line); border-collapse: collapse; background: var(--card) }
table:empty { display: none }
td { padding: .4rem .75rem; border-top: 1px solid var(--line); vertical-align: top }
td:first-child { width: 38% }
code { font: .9em ui-monospace, "DejaVu Sans Mono", monospace }
"""


def asyncapi() -> dict[str, Any]:
    """Return the native protocol as AsyncAPI."""
    incoming, outgoing = get_args(Intent), get_args(Notice)
    kinds = [*incoming, *outgoing, *get_args(RoomEvent)]
    _, schemas = msgspec.json.schema_components(kinds, ref_template=_REF)
    for game in GAMES.values():
        # Games may use the same names for their types.
        template = _REF.format(name=f"{game.name}.{{name}}")
        _, own = msgspec.json.schema_components(_game_events(game), ref_template=template)
        schemas |= {f"{game.name}.{name}": schema for name, schema in own.items()}
    messages = {_tag(kind): _message(kind) for kind in incoming}
    replies = {f"server.{_tag(kind)}": _message(kind) for kind in outgoing}

    def refs(names: Iterable[str]) -> list[dict[str, str]]:
        return [{"$ref": f"#/channels/play/messages/{name}"} for name in names]

    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Qipai native protocol", "version": str(PROTOCOL)},
        "channels": {"play": {"address": "/play", "messages": messages | replies}},
        "operations": {
            "receive": {
                "action": "receive",
                "channel": {"$ref": "#/channels/play"},
                "messages": refs(messages),
            },
            "send": {"action": "send", "channel": {"$ref": "#/channels/play"}, "messages": refs(replies)},
        },
        "components": {"schemas": schemas},
    }


def openapi(client_paths: Sequence[HttpPath] = ()) -> dict[str, Any]:
    """Return the HTTP paths as OpenAPI, with those of client support."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Qipai", "version": __version__},
        "paths": {
            path: {
                "get": {
                    "summary": summary,
                    "responses": {"200": {"description": "OK", "content": {media: {}}}},
                }
            }
            for path, summary, media in (*_HTTP, *client_paths)
        },
    }


def page(version: str, client_paths: Sequence[HttpPath] = ()) -> str:
    """Return the page: HTTP paths, then every frame of the native protocol."""
    paths = (*_HTTP, *client_paths)
    http = "".join(f"<tr><td><code>GET {path}</code><td>{_marked(summary)}" for path, summary, _ in paths)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Qipai for client authors</title>",
        '<meta name=viewport content="width=device-width"><link rel=icon href=/favicon.svg>',
        "<link rel=stylesheet href=/docs/style.css>",
        '<a class=brand href=/><img src=/favicon.svg alt="" width=32 height=32>',
        "Qipai <span lang=zh>棋牌</span></a>",
        f"<h1>Qipai {escape(version)} for client authors</h1>",
        f"<h2>HTTP</h2><table>{http}</table>",
        f"<h2>WebSocket <code>/play</code>, protocol {PROTOCOL}</h2>",
        _RULES,
        "<h2>You send</h2>",
        *(_section(kind) for kind in get_args(Intent)),
        "<h2>You receive</h2>",
        *(_section(kind) for kind in get_args(Notice)),
        "<h2>Inside <code>events</code></h2>",
        *(_section(kind) for kind in get_args(RoomEvent)),
        *(_section(kind) for game in GAMES.values() for kind in _game_events(game)),
    ]
    return "\n".join(parts)


def _game_events(game: Game) -> tuple[Any, ...]:
    # The events of a game are a union, or a single struct, which has no arguments.
    return get_args(game.events) or (game.events,)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _summary(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").split())


def _marked(text: str) -> str:
    """Return a text as HTML, with code between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _message(kind: Any) -> dict[str, Any]:
    reference = {"$ref": _REF.format(name=kind.__name__)}
    return {"name": _tag(kind), "summary": _summary(kind), "payload": reference}


def _section(kind: type[Struct]) -> str:
    config = kind.__struct_config__
    _, schemas = msgspec.json.schema_components([kind], ref_template=_REF)
    fields = schemas[kind.__name__]["properties"]
    required = set(schemas[kind.__name__].get("required", ()))
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{escape(_type_text(field))}"
        f"<td>{'' if name in required else 'optional'}"
        for name, field in fields.items()
        if name != config.tag_field
    )
    return f"<h3><code>{_tag(kind)}</code></h3><p>{_marked(_summary(kind))}</p><table>{rows}</table>"


def _type_text(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(_type_text(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        inside = schema.get("items")
        return f"list of {_type_text(inside)}" if isinstance(inside, dict) else "list"
    limits = [f"{word} {schema[key]}" for key, word in _LIMITS if key in schema]
    return " ".join([str(schema.get("type", "anything")), *limits])


_LIMITS: Final = (("minimum", "from"), ("maximum", "to"), ("maxLength", "of at most"))
