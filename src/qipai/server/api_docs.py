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
from qipai.protocol.http_route import JSON, HttpRoute
from qipai.protocol.intents import PROTOCOL, Intent
from qipai.protocol.notices import Notice

from .docs.answers import HttpError
from .docs.http_routes import ROUTES

_REF: Final = "#/components/schemas/{name}"
_RULES: Final = (
    "<p>Text frames, one JSON object each, at most 16 kB and 50 a second. <code>type</code> names the "
    "message. Send <code>hello</code> first. Every command carries a <code>nonce</code> that you choose: "
    "send it again after a disconnection, it is done once. A command is durable when you receive its nonce "
    "in <code>events</code> or <code>unchanged</code>.</p>"
)
_HTTP_RULES: Final = (
    "<p>Bodies and answers are JSON. A refused request is answered with an <code>HttpError</code>. Routes "
    "below <code>/api/account</code> are for this site only (403 <code>cross_site</code>); a POST needs "
    "<code>content-type: application/json</code> (400, 408, 413 or 415 <code>malformed</code>); without the "
    "database they answer 503 <code>unavailable</code>.</p>"
)
_NAMED: Final = re.compile(r"{(\w+)}")
"""A part of a path that the client chooses."""
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


def openapi(client_routes: Sequence[HttpRoute] = ()) -> dict[str, Any]:
    """Return the HTTP routes as OpenAPI, with those of client support."""
    routes = (*ROUTES, *client_routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Qipai", "version": __version__},
        "paths": paths,
        "components": {"schemas": _schemas_of(routes)},
    }


def _schemas_of(routes: Iterable[HttpRoute]) -> dict[str, Any]:
    """Return the JSON Schemas of the bodies and answers of routes."""
    kinds = [kind for route in routes for kind in (route.request, route.answer) if kind is not None]
    _, schemas = msgspec.json.schema_components([HttpError, *kinds], ref_template=_REF)
    return schemas


def _operation(route: HttpRoute) -> dict[str, Any]:
    """Return a route as an operation of OpenAPI."""
    text = {"schema": {"type": "string"}}
    named: list[dict[str, Any]] = [{"name": name, "in": "query", **text} for name in route.query]
    named += [{"name": name, "in": "path", "required": True, **text} for name in _NAMED.findall(route.path)]
    answer = {} if route.answer is None else {"schema": _schema_of(route.answer)}
    refused = {"content": {JSON: {"schema": _schema_of(HttpError)}}}
    return {
        "summary": route.summary,
        **({"parameters": named} if named else {}),
        **({} if route.request is None else {"requestBody": _body(route.request)}),
        "responses": {
            "200": {"description": "OK", "content": {route.media: answer}},
            **{
                str(status): {"description": " ".join(errors), **refused}
                for status, errors in sorted(route.refusals.items())
            },
        },
    }


def _schema_of(kind: Any) -> dict[str, str]:
    return {"$ref": _REF.format(name=kind.__name__)}


def _body(kind: type[Struct]) -> dict[str, Any]:
    return {"required": True, "content": {JSON: {"schema": _schema_of(kind)}}}


def page(version: str, client_routes: Sequence[HttpRoute] = ()) -> str:
    """Return the page: HTTP routes, then every frame of the native protocol."""
    routes = (*ROUTES, *client_routes)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Qipai for client authors</title>",
        '<meta name=viewport content="width=device-width"><link rel=icon href=/favicon.svg>',
        "<link rel=stylesheet href=/docs/style.css>",
        '<a class=brand href=/><img src=/favicon.svg alt="" width=32 height=32>',
        "Qipai <span lang=zh>棋牌</span></a>",
        f"<h1>Qipai {escape(version)} for client authors</h1>",
        "<h2>HTTP</h2>",
        _HTTP_RULES,
        f"<table>{''.join(map(_row, routes))}</table>",
        "<h2>Bodies and answers over HTTP</h2>",
        *(_schema_section(name, schema) for name, schema in _schemas_of(routes).items()),
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
    _, schemas = msgspec.json.schema_components([kind], ref_template=_REF)
    tag_field = kind.__struct_config__.tag_field
    return _schema_section(_tag(kind), schemas[kind.__name__], str(tag_field))


def _schema_section(title: str, schema: Mapping[str, Any], tag_field: str = "") -> str:
    required = set(schema.get("required", ()))
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{escape(_type_text(field))}"
        f"<td>{'' if name in required else 'optional'}"
        for name, field in schema.get("properties", {}).items()
        if name != tag_field
    )
    summary = " ".join(schema.get("description", "").split())
    return f'<h3 id="{title}"><code>{title}</code></h3><p>{_marked(summary)}</p><table>{rows}</table>'


def _row(route: HttpRoute) -> str:
    """Return the row of a route: its body, its answer and its refusals below the summary."""
    parts = [_marked(route.summary)]
    if route.request is not None:
        parts.append(f"Body: {_link(route.request)}.")
    if route.answer is not None:
        parts.append(f"Answer: {_link(route.answer)}.")
    parts += [f"{status}: {_marked(', '.join(errors))}" for status, errors in sorted(route.refusals.items())]
    return f"<tr><td><code>{route.method} {route.path}</code><td>{'<br>'.join(parts)}"


def _link(kind: Any) -> str:
    return f'<a href="#{kind.__name__}"><code>{kind.__name__}</code></a>'


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
