"""What all workers count together, so that nobody gets more by being connected to several."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

from qipai.hall.ports import StoreError

from .scripts import PREFIX

SPEND: Final = f"""
local key, most, window = '{PREFIX}spent:' .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local last = redis.call('LINDEX', key, most - 1)
if last and now - last >= 0 and now - last < window then return 0 end
redis.call('LPUSH', key, now)
redis.call('LTRIM', key, 0, most - 1)
redis.call('PEXPIRE', key, window)
return 1
"""
"""One more, unless there were as many within the window; only those that were granted are remembered."""

LEDGER: Final = (SPEND,)
_sha: Final = {script: hashlib.sha1(script.encode()).hexdigest() for script in LEDGER}  # noqa: S324 - Redis names scripts so


class Ledger:
    """`ask` sends a command to Redis, and calls its first argument with the answer."""

    def __init__(self, ask: Callable[..., None]) -> None:
        self._ask = ask

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        """Count one."""

        def told(answer: Any) -> None:
            done(answer if isinstance(answer, StoreError) else bool(answer))

        self._ask(told, "EVALSHA", _sha[SPEND], 0, key, most, window)
