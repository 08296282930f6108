"""One address in front of several workers, as a proxy has it: a new connection goes to the present target."""

import contextlib
import socket
import threading


class Switch:
    """Passes bytes between whoever comes and a port that may be changed."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._open: set[socket.socket] = set()

    def __enter__(self) -> "Switch":
        threading.Thread(target=self._meet, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # A thread that waits for somebody to come wakes only when the socket is shut down.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in list(self._open):
            _close(end)

    def _meet(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target), 60)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := one.recv(65536):
                other.sendall(chunk)
        for end in (one, other):
            _close(end)
            self._open.discard(end)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
