"""Several real workers on one real Redis."""

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
    """A server of its own on a shared store."""

    def __init__(
        self, folder: Path, store: str, *, skew: int = 0, seed: int | None = None, config: str = ""
    ) -> None:
        super().__init__(folder, config=config)
        self.environment = {"QIPAI_STORE": store}
        if seed is not None:
            # Every deal has 32 bytes of entropy. Nothing else that must differ is as long.
            self.arguments = ("-c", _SEEDED.format(seed=seed))
        if skew:
            # The wall clock is read when the server begins; after that it only asks how long ago that was.
            self.arguments = ("-c", _SKEWED.format(skew=skew))


@contextlib.contextmanager
def workers(
    folder: Path, count: int = 2, *, keep: bool = False, seed: int | None = None, config: str = ""
) -> Iterator[tuple[RedisServer, list[Worker]]]:
    """Yield a Redis and some workers on it, and stop them afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    with RedisServer(folder, keep=keep) as redis, contextlib.ExitStack() as stack:
        made = [
            Worker(folder / f"w{number}", redis.address, seed=seed, config=config) for number in range(count)
        ]
        for worker in made:
            stack.enter_context(worker)
        yield redis, made
