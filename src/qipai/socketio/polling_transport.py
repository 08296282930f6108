"""HTTP long-polling transport, as an ASGI application."""

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Final
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from .endpoint import SocketIO
from .engineio_session import Session
from .request_errors import BAD_REQUEST, FORBIDDEN, TOO_LARGE, UNKNOWN_SESSION, RequestError, request_error
from .session_forwarding import SessionForwarding, forward
from .session_interfaces import Handshake

_TEXT: Final = (b"content-type", b"text/plain; charset=UTF-8")
_JSON: Final = (b"content-type", b"application/json")
_NO_STORE: Final = (b"cache-control", b"no-store")
_RETRY_AFTER: Final = (b"retry-after", b"5")
_MAX_FIELDS: Final = 20
_COOKIE_SECONDS: Final = 30 * 24 * 60 * 60


def parse_handshake(
    query: str, headers: dict[str, str], address: str, browser_cookie: str = "", *, secure: bool = False
) -> Handshake:
    """Return what a session keeps of its first request; a browser without the cookie gets one."""
    try:
        fields = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        fields = {}
    cookies, new = headers.get("cookie", ""), ""
    if browser_cookie and "sid" not in fields and f"{browser_cookie}=" not in cookies:
        pair = f"{browser_cookie}={secrets.token_urlsafe(18)}"
        cookies = f"{cookies}; {pair}" if cookies else pair
        new = f"{pair}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; SameSite=Lax{'; Secure' * secure}"
    return Handshake(fields, headers.get("host", ""), headers.get("origin"), cookies, address, new)


class Polling:
    """Responds to the requests of polling clients; mount it at `/socket.io`."""

    def __init__(self, endpoint: SocketIO, forwarding: SessionForwarding | None = None) -> None:
        self._endpoint = endpoint
        self._forwarding = forwarding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        client = scope.get("client")
        handshake = parse_handshake(
            scope["query_string"].decode("latin-1"),
            headers,
            client[0] if client else "",
            self._endpoint.browser_cookie,
            secure=scope.get("scheme") == "https",
        )
        origins = self._endpoint.origins
        respond = partial(_respond, send, origins.cors_headers(handshake.origin, handshake.host))
        if not origins.allows(handshake.origin, handshake.host):
            await respond(FORBIDDEN)
        elif scope["method"] == "OPTIONS":
            await _respond(send, origins.preflight_headers(handshake.origin, handshake.host), b"", 204)
        elif (error := request_error(handshake.query, scope["method"], upgrade=False)) is not None:
            await respond(error)
        elif "sid" not in handshake.query:
            if handshake.new_cookie:
                cookie = (b"set-cookie", handshake.new_cookie.encode("latin-1"))
                respond = partial(
                    _respond, send, (*origins.cors_headers(handshake.origin, handshake.host), cookie)
                )
            opened = self._endpoint.open_polling_session(handshake)
            await respond(opened if isinstance(opened, RequestError) else await _poll(opened, receive))
        elif (session := self._endpoint.sessions.get(handshake.query["sid"])) is None:
            if not await self._forward(scope, receive, send):
                await respond(UNKNOWN_SESSION)
        elif scope["method"] == "GET":
            await respond(await _poll(session, receive))
        else:
            await respond(await self._post(session, headers.get("content-length", ""), receive))

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Let the worker that owns the session respond; tell whether there is one."""
        forwarding = self._forwarding
        if forwarding is None or not (owner := forwarding.owner(scope["query_string"].decode("latin-1"))):
            return False
        if (address := await forwarding.find_address(owner)) is None:
            return False
        return await forward(address, forwarding.token, scope, receive, send, self._endpoint.max_payload)

    async def _post(self, session: Session, length: str, receive: Receive) -> bytes | RequestError:
        if not session.start_post():
            return BAD_REQUEST
        limit = self._endpoint.max_payload
        if length.isdecimal() and int(length) > limit:
            session.finish_post(None)
            return TOO_LARGE
        try:
            async with asyncio.timeout(self._endpoint.post_timeout):
                payload = await _read_body(receive, limit)
        except TimeoutError:
            payload = None
        return b"ok" if session.finish_post(payload) else BAD_REQUEST if payload is not None else TOO_LARGE


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body of a POST, or None if it is too large or incomplete."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


async def _poll(session: Session, receive: Receive) -> bytes | RequestError | None:
    """Return the payload for a poll, or None if the client has disconnected."""
    loop = asyncio.get_running_loop()
    payload: asyncio.Future[bytes | None] = loop.create_future()

    def reply(response: bytes | None) -> None:
        if not payload.done():
            payload.set_result(response)

    session.poll(reply)
    if not payload.done():
        disconnected = loop.create_task(_disconnected(receive))
        try:
            await asyncio.wait((payload, disconnected), return_when=asyncio.FIRST_COMPLETED)
        finally:
            disconnected.cancel()
            session.poll_aborted(reply)
    if not payload.done():
        return None
    response = payload.result()
    return BAD_REQUEST if response is None else response


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _respond(
    send: Send,
    headers: Sequence[tuple[bytes, bytes]],
    response: bytes | RequestError | None,
    status: int = 200,
) -> None:
    if response is None:
        return
    if isinstance(response, RequestError):
        status, content_type, body = response.status, _JSON, response.body
        if status in {429, 503}:
            headers = (*headers, _RETRY_AFTER)
    else:
        content_type, body = _TEXT, response
    length = (b"content-length", str(len(body)).encode())
    fixed = [_NO_STORE] if status == 204 else [content_type, length, _NO_STORE]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
