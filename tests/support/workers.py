"""Several real workers on one real Redis server."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.support.redis import RedisServer
from tests.support.server import ServerProcess

_SKEWED = """
import sys, time
true = time.time_ns
time.time_ns = lambda: true() + {skew} * 1_000_000
from qipai.cli.main import main
sys.exit(main(["serve"]))
"""


_SEEDED = """
import secrets, sys
true = secrets.token_bytes
secrets.token_bytes = lambda size=32: bytes([{seed}]) * 32 if size == 32 else true(size)
from qipai.cli.main import main
sys.exit(main(["serve"]))
"""


class Worker(ServerProcess):
    """A server process on a shared store."""

    def __init__(
        self, folder: Path, store: str, *, skew: int = 0, seed: int | None = None, config: str = ""
    ) -> None:
        super().__init__(folder, config=config)
        self.environment = {"QIPAI_STORE": store}
        if seed is not None:
            # Every start of a game uses 32 bytes of entropy; nothing else that must differ has this length.
            self.arguments = ("-c", _SEEDED.format(seed=seed))
        if skew:
            # The server reads the wall clock once at its start, and then measures the time since.
            self.arguments = ("-c", _SKEWED.format(skew=skew))


@contextlib.contextmanager
def workers(
    folder: Path, count: int = 2, *, keep: bool = False, seed: int | None = None, config: str = ""
) -> Iterator[tuple[RedisServer, list[Worker]]]:
    """Yield a Redis server and workers on it; stop them afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    with RedisServer(folder, keep=keep) as redis, contextlib.ExitStack() as stack:
        made = [
            Worker(folder / f"w{number}", redis.address, seed=seed, config=config) for number in range(count)
        ]
        for worker in made:
            stack.enter_context(worker)
        yield redis, made
