"""A Python client for `echo_server.py --recovery 120` that recovers its connection."""

import queue
import socket
import sys
from typing import Any

import engineio
import socketio


class SequentialEngine(engineio.Client):
    """Delivers one message after the other; the library would start a thread for each."""

    def _trigger_event(self, event: str, *args: Any, run_async: bool = False, **rest: Any) -> Any:
        return super()._trigger_event(event, *args, **rest)


class Recovering(socketio.Client):
    """Adds connection state recovery: connect with `auth=client.auth`, and do not block in handlers."""

    pid, offset, recovered = None, None, False

    def auth(self) -> dict[str, Any]:
        """Return the `auth` to connect with: the pid and the offset of the last received event."""
        return {} if self.pid is None else {"pid": self.pid, "offset": self.offset}

    def _engineio_client_class(self) -> type[engineio.Client]:
        return SequentialEngine

    def _handle_connect(self, namespace: str, data: dict[str, str]) -> None:
        self.recovered = self.pid is not None and self.pid == data.get("pid")
        self.pid = data.get("pid")
        super()._handle_connect(namespace, data)

    def _handle_event(self, namespace: str, id: int | None, data: list[Any]) -> None:  # noqa: A002 - its name
        if self.pid is not None and id is None:  # Then the last argument is the offset.
            *data, self.offset = data
        super()._handle_event(namespace, id, data)


if __name__ == "__main__":
    received: queue.Queue[Any] = queue.Queue()
    client = Recovering()
    client.on("message-back", received.put)
    client.on("connect", lambda: received.put("connected"))
    client.connect(sys.argv[1], auth=client.auth)
    print(received.get(timeout=5), "as", client.get_sid())
    client.emit("message", {"text": "hello", "bytes": b"\x01\x02"})
    print("echo:", received.get(timeout=5))
    print("acknowledged:", client.call("message-with-ack", "well?"))
    client.eio.ws.sock.shutdown(socket.SHUT_RDWR)  # The network fails; the client reconnects.
    print(received.get(timeout=10), "again as", client.get_sid())
    print("echo:", client.call("message-with-ack", "still here"))
    client.disconnect()
    sys.exit(not client.recovered)
