"""The Socket.IO endpoint without a game: an echo in `/`, a second namespace in `/custom`.

    python examples/echo_server.py --port 3000 --ping-interval 300 --ping-timeout 200

You can run conformance suites of the public protocol against it: it echoes `message` as `message-back`,
acknowledges `message-with-ack`, and emits to every client its `auth`. At `/engine.io/` it echoes the messages
of Engine.IO alone. docs/protocol/socketio.md has the commands.
"""

import argparse
import asyncio
import socket as sockets
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.engineio_session import Session
from qipai.socketio.polling_transport import Polling
from qipai.socketio.socket import Socket
from qipai.socketio.socketio_packets import Event
from qipai.socketio.uvicorn_picows import protocol_class
from qipai.socketio.websocket_transport import route


class Custom:
    """Emits to every client what it authenticated with; does nothing else."""

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Admit everybody; raise `ConnectError` to refuse a client."""

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        socket.emit("auth", auth)

    def on_event(self, socket: Socket, event: Event, raw: bytes, ack_id: int | None) -> None:
        """Ignore events."""

    def on_connection_lost(self, socket: Socket) -> None:
        """The client may recover; events emitted meanwhile are buffered for it."""

    def on_recover(self, socket: Socket) -> None:
        """The client has been sent the events it missed."""

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        """The client cannot recover any more."""


class Echo(Custom):
    """Emits every message back."""

    def on_event(self, socket: Socket, event: Event, raw: bytes, ack_id: int | None) -> None:
        match event:
            case ["message", *args]:
                socket.emit("message-back", *args)
            case ["message-with-ack", *args] if ack_id is not None:
                socket.acknowledge(ack_id, *args)
            case ["ask", *args]:
                socket.emit_with_ack(
                    "question", *args, on_ack=lambda answer: socket.emit("answered", *answer)
                )
            case ["burst", int(count)]:
                for tick in range(min(count, 100_000)):
                    socket.emit("tick", tick)
            case ["bye"]:
                socket.disconnect()


class EngineEcho:
    """Sends every message of an Engine.IO session back."""

    def __init__(self, endpoint: SocketIO, session: Session) -> None:
        self._endpoint = endpoint
        self._session = session

    def on_text(self, text: bytes) -> None:
        self._session.send(text)

    def on_binary(self, data: bytes) -> None:
        self._session.send_binary(data)

    def on_pong(self) -> None:
        self._endpoint.pong_received(self._session)

    def on_close(self, reason: str) -> None:
        """The session is closed."""


async def serve(options: argparse.Namespace) -> None:
    """Serve until interrupted."""
    new_endpoint = partial(
        SocketIO,
        ping_interval=options.ping_interval / 1000,
        ping_timeout=options.ping_timeout / 1000,
        connect_timeout=options.connect_timeout / 1000,
        max_payload=options.max_payload,
        recovery=options.recovery,
        origins=AllowedOrigins(tuple(options.origin)),
    )
    endpoint = new_endpoint()
    endpoint.of("/", Echo())
    endpoint.of("/custom", Custom())
    engine: SocketIO = new_endpoint(session_listener=lambda session: EngineEcho(engine, session))
    app = Starlette(routes=[Mount("/socket.io", Polling(endpoint)), Mount("/engine.io", Polling(engine))])
    upgrades = protocol_class(
        {"/socket.io/": route(endpoint), "/engine.io/": route(engine)}, options.max_payload
    )
    config = uvicorn.Config(app, ws=upgrades, lifespan="off", log_level="error", access_log=False)
    listening = sockets.create_server((options.host, options.port), backlog=2048)
    listening.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
    print(f"listening on {listening.getsockname()[1]}", flush=True)
    try:
        await uvicorn.Server(config).serve([listening])
    finally:
        endpoint.close()
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="A Socket.IO echo server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3000)
    parser.add_argument("--ping-interval", type=int, default=25_000, help="milliseconds")
    parser.add_argument("--ping-timeout", type=int, default=20_000, help="milliseconds")
    parser.add_argument("--connect-timeout", type=int, default=45_000, help="milliseconds")
    parser.add_argument("--max-payload", type=int, default=1_000_000, help="bytes")
    parser.add_argument(
        "--recovery", type=float, default=0.0, help="seconds for connection state recovery; 0: off"
    )
    parser.add_argument("--origin", action="append", default=[], help="another origin to allow, or *")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
