"""What client authors read at `/docs`: made from the types themselves, so it cannot be stale."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from qipai import __version__
from qipai.games.game_registry import GAMES
from qipai.kernel.room_events import RoomEvent
from qipai.protocol.intents import PROTOCOL, Intent
from qipai.protocol.notices import Notice

_REF: Final = "#/components/schemas/{name}"
_HTTP: Final = (
    ("/", "The web client.", "text/html"),
    ("/health", "Whether the server lives: 200 `ok`, or 503 `stopping`.", "application/json"),
    (
        "/ready",
        "Whether it takes new work: 200 `ready`, or 503 `stopping` or `store out of reach`.",
        "application/json",
    ),
    ("/metrics", "Numbers for Prometheus.", "text/plain"),
    ("/login", "Log in for Socket.IO clients; a POST of `username` and `icon` sets a cookie.", "text/html"),
    ("/logout", "Log out.", "text/html"),
    ("/socket.io/socket.io.js", "The official Socket.IO client for browsers.", "text/javascript"),
    (
        "/api/mahjong/rules",
        "The switches of mahjong's house rules; a POST of a hand to `/api/mahjong/score` counts it.",
        "application/json",
    ),
    (
        "/api/games/{room}/{match}",
        "A finished game, frame by frame. `seat` says through whose eyes: a seat's number, `watch` or `all`.",
        "application/json",
    ),
    ("/api/games/{room}/{match}/record", "The same in the notation of its game.", "text/plain"),
    ("/docs", "This page.", "text/html"),
    ("/docs/openapi.json", "The HTTP side as OpenAPI 3.1.", "application/json"),
    ("/docs/asyncapi.json", "The WebSocket side as AsyncAPI 3.0.", "application/json"),
)
_MANNERS: Final = (
    "<p>Text frames, one JSON object each, at most 16 kB and 50 a second. <code>type</code> names the "
    "message. Say <code>hello</code> first. Every command carries a <code>nonce</code> of your own: send "
    "it again after a cut, it is done once. A command is durable when you see its nonce in "
    "<code>events</code> or <code>done</code>.</p>"
)
STYLE: Final = """:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 1.5rem }
td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
code { font-family: ui-monospace, monospace }
h3 { margin-bottom: 0 }
"""


def asyncapi() -> dict[str, Any]:
    """Return the native protocol as AsyncAPI."""
    heard, said = get_args(Intent), get_args(Notice)
    _, schemas = msgspec.json.schema_components([*heard, *said, *_events()], ref_template=_REF)
    messages = {_tag(kind): _message(kind) for kind in heard}
    answers = {f"server.{_tag(kind)}": _message(kind) for kind in said}

    def refs(names: Iterable[str]) -> list[dict[str, str]]:
        return [{"$ref": f"#/channels/play/messages/{name}"} for name in names]

    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Qipai native protocol", "version": str(PROTOCOL)},
        "channels": {"play": {"address": "/play", "messages": messages | answers}},
        "operations": {
            "hear": {"action": "receive", "channel": {"$ref": "#/channels/play"}, "messages": refs(messages)},
            "say": {"action": "send", "channel": {"$ref": "#/channels/play"}, "messages": refs(answers)},
        },
        "components": {"schemas": schemas},
    }


def openapi() -> dict[str, Any]:
    """Return the HTTP paths as OpenAPI."""
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
            for path, summary, media in _HTTP
        },
    }


FILES: Final[Mapping[str, Callable[[], dict[str, Any]]]] = MappingProxyType(
    {"openapi.json": openapi, "asyncapi.json": asyncapi}
)


def page(version: str) -> str:
    """Return the page: HTTP paths, then every frame of the native protocol."""
    http = "".join(f"<tr><td><code>GET {path}</code><td>{escape(summary)}" for path, summary, _ in _HTTP)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Qipai for client authors</title>",
        '<meta name=viewport content="width=device-width"><link rel=icon href=/favicon.svg>',
        "<link rel=stylesheet href=/docs/style.css>",
        f"<h1>Qipai {escape(version)} for client authors</h1>",
        f"<h2>HTTP</h2><table>{http}</table>",
        f"<h2>WebSocket <code>/play</code>, protocol {PROTOCOL}</h2>",
        _MANNERS,
        "<h2>You send</h2>",
        *(_section(kind) for kind in get_args(Intent)),
        "<h2>You get</h2>",
        *(_section(kind) for kind in get_args(Notice)),
        "<h2>Inside <code>events</code></h2>",
        *(_section(kind) for kind in _events()),
    ]
    return "\n".join(parts)


def _events() -> list[Any]:
    return [*get_args(RoomEvent), *(kind for game in GAMES.values() for kind in get_args(game.events))]


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _gist(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").split())


def _message(kind: Any) -> dict[str, Any]:
    reference = {"$ref": _REF.format(name=kind.__name__)}
    return {"name": _tag(kind), "summary": _gist(kind), "payload": reference}


def _section(kind: type[Struct]) -> str:
    config = kind.__struct_config__
    _, schemas = msgspec.json.schema_components([kind], ref_template=_REF)
    fields = schemas[kind.__name__]["properties"]
    required = set(schemas[kind.__name__].get("required", ()))
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{escape(_words(field))}"
        f"<td>{'' if name in required else 'optional'}"
        for name, field in fields.items()
        if name != config.tag_field
    )
    return f"<h3><code>{_tag(kind)}</code></h3><p>{escape(_gist(kind))}</p><table>{rows}</table>"


def _words(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(_words(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        inside = schema.get("items")
        return f"list of {_words(inside)}" if isinstance(inside, dict) else "list"
    limits = [f"{word} {schema[key]}" for key, word in _LIMITS if key in schema]
    return " ".join([str(schema.get("type", "anything")), *limits])


_LIMITS: Final = (("minimum", "from"), ("maximum", "to"), ("maxLength", "of at most"))
