"""A proxy in front of Redis that dies after so many requests, as a Redis that is killed."""

import contextlib
import socket
import threading
from typing import Self


class DyingRedis:
    """Passes on `requests` requests of all connections together, then closes all and accepts no more."""

    def __init__(self, target: int, requests: int) -> None:
        self._target = target
        self._left = requests
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.dead = False

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._die()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                redis = socket.create_connection(("127.0.0.1", self._target))
                self._open += (client, redis)
                threading.Thread(target=self._pass_on, args=(client, redis, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(redis, client, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._lock:
                    self._left -= counted
                    if self._left < 0:
                        self._die()
                        return
                target.sendall(data)

    def _die(self) -> None:
        self.dead = True
        for each in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
