"""TLS for tests: a certificate authority, and a TLS proxy in its own thread."""

import asyncio
import contextlib
import shutil
import ssl
import subprocess
import threading
from pathlib import Path

from tests.support.server import free_port


class Authority:
    """A certificate authority that only the test trusts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.file = folder / "ca.pem"
        self._key = folder / "ca.key"
        self._run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=throw-away", "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", self._key, "-out", self.file,
        )  # fmt: skip

    def sign(self, name: str) -> tuple[Path, Path]:
        """Return the files of a certificate for a host, and of its key."""
        certificate, key, request = (self._folder / f"{name}.{end}" for end in ("pem", "key", "csr"))
        self._run(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", f"/CN={name}", "-keyout", key, "-out", request,
        )  # fmt: skip
        extensions = self._folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName=DNS:{name}\nauthorityKeyIdentifier=keyid\n")
        self._run(
            "x509", "-req", "-days", "2", "-in", request, "-CA", self.file, "-CAkey", self._key,
            "-CAcreateserial", "-extfile", extensions, "-out", certificate,
        )  # fmt: skip
        return certificate, key

    def _run(self, *words: str | Path) -> None:
        program = shutil.which("openssl")
        assert program is not None, "no openssl: install it"
        subprocess.run([program, *words], check=True, capture_output=True, timeout=60)


class TlsProxy:
    """Accepts TLS at `port` and forwards the data; `show` requires a client certificate of the authority."""

    def __init__(
        self, target: int, authority: Authority, name: str = "localhost", *, show: bool = False
    ) -> None:
        self.port = free_port()
        self._target = target
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(authority.file))
        self._context.load_cert_chain(*authority.sign(name))
        self._context.verify_mode = ssl.CERT_REQUIRED if show else ssl.CERT_NONE
        self._loop = asyncio.new_event_loop()
        # A client that rejects the certificate is not an error of the proxy.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> "TlsProxy":
        self._thread.start()
        listening = asyncio.start_server(self._accept, "127.0.0.1", self.port, ssl=self._context)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result(60)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0.05)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_forward(reader, server_writer))
                tasks.create_task(_forward(server_reader, writer))
        finally:
            for end in (writer, server_writer):
                end.transport.abort()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
