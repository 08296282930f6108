"""GET requests to a server under test."""

import asyncio
import re
import time
from typing import Final

from bench.failure import Failure
from bench.servers import HOST

ANSWER_LIMIT: Final = 20.0
_SAMPLE: Final = re.compile(r'^(\w+?)(?:\{(?:.*,)?le="([^"]+)"\})? ([0-9.e+]+)$', re.MULTILINE)


async def get(port: int, path: str) -> tuple[bytes, float]:
    """Return the body of a page and the seconds that it took."""
    started = time.perf_counter()
    async with asyncio.timeout(ANSWER_LIMIT):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
    if head.split()[1:2] != [b"200"]:
        raise Failure(f"{path} answered {head[:100].decode('latin-1') or 'nothing'}")
    return body, time.perf_counter() - started


async def metric(port: int, name: str) -> float:
    """Return the value of a metric without labels."""
    body, _ = await get(port, "/metrics")
    for found, bound, value in _SAMPLE.findall(body.decode()):
        if found == name and not bound:
            return float(value)
    raise Failure(f"no metric {name}")


async def histogram(port: int, name: str) -> dict[float, float]:
    """Return how many observations of a histogram are at most each bound."""
    body, _ = await get(port, "/metrics")
    return buckets(body.decode(), name)


def buckets(text: str, name: str) -> dict[float, float]:
    """Return the buckets of a histogram without other labels."""
    return {
        float(bound): float(value)
        for found, bound, value in _SAMPLE.findall(text)
        if found == f"{name}_bucket" and bound
    }
