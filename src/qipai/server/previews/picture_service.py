"""Draws pictures off the event loop, one at a time; recent ones stay in memory."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import Final

import msgspec

from qipai import __version__
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.address_refusals import AddressLimit, AddressRefusals

from .link_preview import PreviewPicture

MOST_WAITING: Final = 8
"""Pictures that may wait to be drawn."""
MOST_OF_ADDRESS: Final = 2
"""How many of them may be of one address."""
CACHE_BYTES: Final = 4 * 1024 * 1024
_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def content_hash(content: PreviewPicture) -> str:
    """Return a text that is the same for equal pictures of this release only."""
    return blake2b(__version__.encode() + _encode(content), digest_size=12).hexdigest()


class PictureService:
    """Draws pictures by their content."""

    def __init__(self, draw: Callable[[PreviewPicture], bytes], refused: AddressRefusals) -> None:
        self._draw = draw
        self._refused = refused
        self._thread = ThreadPoolExecutor(1, "preview-pictures")
        self._waiting: Counter[str] = Counter()
        """Waiting pictures by address."""
        self._pending: dict[str, asyncio.Future[bytes]] = {}
        """Pictures that are being drawn, for all who ask for them."""
        self._cache: OrderedDict[str, bytes] = OrderedDict()

    async def picture(self, content: PreviewPicture, name: str, address: str) -> bytes:
        """Return the PNG file of a content with this hash, or raise `TooManyRequests`."""
        if (cached := self._cache.get(name)) is not None:
            self._cache.move_to_end(name)
            return cached
        pending = self._pending.get(name)
        if pending is None:
            pending = self._start(content, address)
            self._pending[name] = pending
            pending.add_done_callback(lambda _: self._pending.pop(name))
        drawn = await asyncio.shield(pending)
        self._cache[name] = drawn
        while sum(map(len, self._cache.values())) > CACHE_BYTES:
            self._cache.popitem(last=False)
        return drawn

    def _start(self, content: PreviewPicture, address: str) -> "asyncio.Future[bytes]":
        if is_counted(address) and self._waiting[address] >= MOST_OF_ADDRESS:
            self._refused[AddressLimit.PREVIEWS] += 1
            raise TooManyFromAddress
        if self._waiting.total() >= MOST_WAITING:
            raise TooManyRequests
        running = asyncio.get_running_loop().run_in_executor(self._thread, self._draw, content)
        self._waiting[address] += 1
        running.add_done_callback(lambda _: self._leave(address))
        return running

    def _leave(self, address: str) -> None:
        self._waiting[address] -= 1
        if not self._waiting[address]:
            del self._waiting[address]
