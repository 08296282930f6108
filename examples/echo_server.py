"""The Socket.IO endpoint without any game: an echo in `/`, a second namespace in `/custom`.

    python examples/echo_server.py --port 3000 --ping-interval 300 --ping-timeout 200

Conformance suites of the public protocol can be run against it: it echoes `message` as
`message-back`, acknowledges `message-with-ack`, and tells everybody their `auth`.
"""

import argparse
import asyncio
import socket as sockets
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from qipai.socketio.allowed_origins import Origins
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.polling_transport import Polling
from qipai.socketio.socket import Socket
from qipai.socketio.socketio_packets import Event
from qipai.socketio.websocket_transport import route
from qipai.socketio.websocket_upgrade import protocol_class


class Custom:
    """Tells every client what it authenticated with; does nothing else."""

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Everybody may enter; raising `Refused` would keep a client out."""

    def connected(self, socket: Socket, auth: dict[str, Any]) -> None:
        socket.emit("auth", auth)

    def heard(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        """Ignore events."""

    def cut(self, socket: Socket) -> None:
        """The client may be back; what is emitted meanwhile is kept for it."""

    def back(self, socket: Socket) -> None:
        """The client has been sent what it missed."""

    def gone(self, socket: Socket, reason: str) -> None:
        """The client will not be back."""


class Echo(Custom):
    """Says everything back."""

    def heard(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        match said:
            case ["message", *args]:
                socket.emit("message-back", *args)
            case ["message-with-ack", *args] if number is not None:
                socket.acknowledge(number, *args)
            case ["ask", *args]:
                socket.ask("question", *args, answer=lambda answer: socket.emit("answered", *answer))
            case ["burst", int(count)]:
                for tick in range(min(count, 100_000)):
                    socket.emit("tick", tick)
            case ["bye"]:
                socket.disconnect()


async def serve(options: argparse.Namespace) -> None:
    """Serve until interrupted."""
    endpoint = SocketIO(
        ping_interval=options.ping_interval / 1000,
        ping_timeout=options.ping_timeout / 1000,
        connect_timeout=options.connect_timeout / 1000,
        max_payload=options.max_payload,
        recovery=options.recovery,
        origins=Origins(tuple(options.origin)),
    )
    endpoint.of("/", Echo())
    endpoint.of("/custom", Custom())
    app = Starlette(routes=[Mount("/socket.io", Polling(endpoint))])
    upgrades = protocol_class({"/socket.io/": route(endpoint)}, options.max_payload)
    config = uvicorn.Config(app, ws=upgrades, lifespan="off", log_level="error", access_log=False)
    listening = sockets.create_server((options.host, options.port), backlog=2048)
    listening.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
    print(f"listening on {listening.getsockname()[1]}", flush=True)
    try:
        await uvicorn.Server(config).serve([listening])
    finally:
        endpoint.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="A Socket.IO echo server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3000)
    parser.add_argument("--ping-interval", type=int, default=25_000, help="milliseconds")
    parser.add_argument("--ping-timeout", type=int, default=20_000, help="milliseconds")
    parser.add_argument("--connect-timeout", type=int, default=45_000, help="milliseconds")
    parser.add_argument("--max-payload", type=int, default=1_000_000, help="bytes")
    parser.add_argument("--recovery", type=float, default=0.0, help="seconds a client may be away; 0: never")
    parser.add_argument("--origin", action="append", default=[], help="a foreign origin to allow, or *")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
