"""A small OpenID Connect provider on this machine, which checks what a provider checks.

Tests change what it answers by its `token` settings, and look at what it was asked.
"""

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple, Self
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT: Final = "qipai of the tests"
SECRET: Final = "a secret of the tests: +/&="
"""Has characters that must be encoded in HTTP Basic authentication."""
CODE_SECONDS: Final = 60


class Code(NamedTuple):
    """What a code was given for."""

    redirect: str
    challenge: str
    nonce: str
    subject: str
    given_at: float
    asked_again: bool


Change = Callable[[dict[str, Any], dict[str, Any]], None]
"""Changes the header and the claims of an ID token before it is signed."""


class OpenIdServer:
    """The provider. `redirects` are those that it knows of its client."""

    def __init__(self) -> None:
        self.redirects: set[str] = set()
        self.claims: dict[str, dict[str, Any]] = {}
        """What it tells of each of its users, by the name with which they sign in."""
        self.keys = [new_key()]
        """The first one signs; all are published."""
        self.published: list[Any] | None = None
        """What it publishes instead of its keys."""
        self.change: Change | None = None
        self.encode: Callable[[dict[str, Any], dict[str, Any]], str] = self._signed
        self.discovery: dict[str, Any] = {}
        """Replaces parts of what it publishes of itself."""
        self.method = "client_secret_basic"
        """How its client proves to be that."""
        self.down = False
        self.refused: list[str] = []
        """Why it has refused requests."""
        self.requests: list[str] = []
        """The paths that it was asked for."""
        self.asked: list[dict[str, str]] = []
        """The parameters of all authorization requests."""
        self._codes: dict[str, Code] = {}
        self._lock = threading.Lock()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                provider._post(self)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_port}/club"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def config(self) -> str:
        """Return the settings with which a server knows this provider."""
        return (
            f'bot_pause = 20\n[openid]\nissuer = "{self.issuer}"\nclient_id = "{CLIENT}"\n'
            f'client_secret = "{SECRET}"\nname = "Chess Club"\n'
        )

    def register_client(self, port: int, *hosts: str) -> None:
        """Know the addresses of a server."""
        for host in hosts or ("127.0.0.1", "localhost"):
            self.redirects.add(f"http://{host}:{port}/api/account/openid/callback")

    def authorize(self, url: str, user: str) -> str:
        """Let a user sign in as the form does; return the address to which the browser is sent."""
        query = dict(parse_qsl(urlsplit(url).query, strict_parsing=True))
        return self._grant(query, user)

    # What a browser asks

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        url = urlsplit(request.path)
        self.requests.append(url.path)
        match url.path.removeprefix("/club"):
            case _ if self.down:
                _answer(request, 503, b"down")
            case "/.well-known/openid-configuration":
                _answer_json(request, 200, {**self._configuration(), **self.discovery})
            case "/keys":
                keys = [key.as_dict(private=False) for key in self.keys]
                _answer_json(request, 200, {"keys": keys if self.published is None else self.published})
            case "/authorize":
                query = dict(parse_qsl(url.query))
                self.asked.append(query)
                if fault := self._fault(query):
                    self.refused.append(fault)
                    _answer(request, 400, fault.encode())
                else:
                    _answer(request, 200, _form(query).encode(), "text/html; charset=utf-8")
            case _:
                _answer(request, 404, b"?")

    def _post(self, request: BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("content-length") or 0)
        fields = dict(parse_qsl(request.rfile.read(length).decode(), keep_blank_values=True))
        path = urlsplit(request.path).path
        self.requests.append(path)
        if self.down:
            _answer(request, 503, b"down")
        elif path == "/club/sign-in":
            query = dict(parse_qsl(fields["query"]))
            declined = fields.get("decline")
            target = (
                self._back(query, error="access_denied") if declined else self._grant(query, fields["user"])
            )
            request.send_response(303)
            request.send_header("location", target)
            request.send_header("content-length", "0")
            request.end_headers()
        elif path == "/club/token":
            self._exchange(request, fields)
        else:
            _answer(request, 404, b"?")

    # What a provider checks

    def _fault(self, query: dict[str, str]) -> str:
        """Return what is wrong with an authorization request."""
        if query.get("client_id") != CLIENT:
            return "unknown client"
        if query.get("redirect_uri") not in self.redirects:
            return f"unknown redirect {query.get('redirect_uri')}"
        if query.get("response_type") != "code":
            return "unknown response type"
        if "openid" not in query.get("scope", "").split():
            return "no openid scope"
        if query.get("code_challenge_method") != "S256" or len(query.get("code_challenge", "")) != 43:
            return "no code challenge"
        if len(query.get("state", "")) < 16 or len(query.get("nonce", "")) < 16:
            return "no state or nonce"
        return ""

    def _grant(self, query: dict[str, str], user: str) -> str:
        assert self._fault(query) == "", self._fault(query)
        code = secrets.token_urlsafe(24)
        with self._lock:
            again = query.get("prompt") == "login" and query.get("max_age") == "0"
            self._codes[code] = Code(
                query["redirect_uri"], query["code_challenge"], query["nonce"], user, time.time(), again
            )
        return self._back(query, code=code, iss=self.issuer)

    def _back(self, query: dict[str, str], **more: str) -> str:
        return f"{query['redirect_uri']}?{urlencode({'state': query['state'], **more})}"

    def _exchange(self, request: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
        if not self._is_client(request.headers.get("authorization", ""), fields):
            self.refused.append("invalid_client")
            _answer_json(request, 401, {"error": "invalid_client"})
            return
        with self._lock:
            code = self._codes.pop(fields.get("code", ""), None)
        fault = "" if code is not None else "unknown or used code"
        if code is not None:
            verifier = fields.get("code_verifier", "")
            challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode()
            if fields.get("grant_type") != "authorization_code":
                fault = "unknown grant"
            elif fields.get("redirect_uri") != code.redirect:
                fault = "another redirect"
            elif challenge.rstrip("=") != code.challenge:
                fault = "wrong verifier"
            elif time.time() - code.given_at > CODE_SECONDS:
                fault = "expired code"
        if fault or code is None:
            self.refused.append(fault)
            _answer_json(request, 400, {"error": "invalid_grant", "error_description": fault})
            return
        answer = {"access_token": "of no use", "token_type": "Bearer", "expires_in": 60}
        _answer_json(request, 200, {**answer, "id_token": self.id_token(code)})

    def _is_client(self, header: str, fields: dict[str, str]) -> bool:
        kind, _, credentials = header.partition(" ")
        if self.method != "client_secret_basic":
            secret = SECRET if self.method == "client_secret_post" else None
            return not header and (fields.get("client_id"), fields.get("client_secret")) == (CLIENT, secret)
        client, _, given = base64.b64decode(credentials or "Og==").decode().partition(":")
        is_alone = "client_id" not in fields and "client_secret" not in fields
        return is_alone and kind == "Basic" and [*map(_form_decoded, (client, given))] == [CLIENT, SECRET]

    def id_token(self, code: Code) -> str:
        """Return the ID token of a user."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": f"subject of {code.subject}",
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": code.nonce,
            **({"auth_time": now} if code.asked_again else {}),
            **self.claims.get(code.subject, {"preferred_username": code.subject}),
        }
        header: dict[str, Any] = {"alg": "RS256", "kid": self.keys[0].kid}
        if self.change is not None:
            self.change(header, claims)
        return self.encode(header, claims)

    def _signed(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        return jwt.encode(header, claims, self.keys[0])

    def _configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "token_endpoint_auth_methods_supported": [self.method],
            "id_token_signing_alg_values_supported": ["RS256"],
        }


def new_key() -> RSAKey:
    """Return a key with a name."""
    return RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})


def unsigned(header: dict[str, Any], claims: dict[str, Any]) -> str:
    """Return a token that says that it needs no signature."""
    return f"{part({**header, 'alg': 'none'})}.{part(claims)}."


def part(content: dict[str, Any]) -> str:
    """Return the first or the second part of a token."""
    return text(json.dumps(content).encode())


def text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _form_decoded(text: str) -> str:
    return parse_qs(f"x={text}", keep_blank_values=True)["x"][0]


def _form(query: dict[str, str]) -> str:
    return (
        "<!doctype html><title>Chess Club</title><link rel=icon href='data:,'>"
        "<form method=post action=/club/sign-in>"
        f"<input type=hidden name=query value='{html.escape(urlencode(query))}'>"
        "<label>User <input name=user></label><button>Sign in</button>"
        "<button name=decline value=1>Decline</button></form>"
    )


def _answer(request: BaseHTTPRequestHandler, status: int, body: bytes, media: str = "text/plain") -> None:
    request.send_response(status)
    request.send_header("content-type", media)
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def _answer_json(request: BaseHTTPRequestHandler, status: int, body: object) -> None:
    _answer(request, status, json.dumps(body).encode(), "application/json")
