"""The problem bundle of this server, for operators; a process gathers it, because it waits for databases."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.sanction_interface import Role

from .operator_requests import Caller, OperatorRoute, OperatorServices

SECONDS: Final = 120.0
"""How long a bundle may take; a database that does not answer takes some seconds."""


class BundleMaker:
    """Runs the command that prints a bundle, one at a time.

    A process of its own: in this one, opening the files of a database again could end the locks that SQLite
    has on them.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._busy = False

    async def make(self) -> bytes:
        """Return a bundle, or raise `StoreError` if there is none, or another one is being made."""
        if not self._command or self._busy:
            raise StoreError("no bundle now")
        self._busy = True
        try:
            return await self._run()
        finally:
            self._busy = False

    async def _run(self) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
        try:
            async with asyncio.timeout(SECONDS):
                body, _ = await process.communicate()
        except TimeoutError as error:
            raise StoreError("the bundle takes too long") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise StoreError("the bundle cannot be made")
        return body


async def bundle(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return the bundle as a file."""
    del request, caller
    headers = {
        "cache-control": "no-store",
        "content-disposition": 'attachment; filename="qipai-bundle.json"',
    }
    return Response(await services.bundles.make(), media_type="application/json", headers=headers)


ROUTES: Final = (
    OperatorRoute(
        "GET",
        "/api/operator/bundle",
        bundle,
        Role.OPERATOR,
        "A file for a bug report, as `qipai bundle` writes it, without secrets and persons.",
    ),
)
