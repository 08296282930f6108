"""What all workers count together and give out once, so that nobody gets more by being at several."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

from qipai.hall.cluster.bus_interface import Nickname
from qipai.hall.journal.store_interface import StoreError

from .lua_scripts import PREFIX

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

NAME: Final = f"""
local p, me, game, whose = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3]
local name, wanted, number = ARGV[4], ARGV[5], tonumber(ARGV[6])
local workers = redis.call('ZRANGE', p .. 'workers', 0, -1)
local function taken(field)
  local found = false
  for _, worker in ipairs(workers) do
    local has = redis.call('HGET', p .. 'names:' .. worker, field)
    if has == whose then redis.call('HDEL', p .. 'names:' .. worker, field) elseif has then found = true end
  end
  return found
end
while taken(game .. ' ' .. name) do
  number = number + 1
  name = wanted .. '#' .. number
end
redis.call('HSET', p .. 'names:' .. me, game .. ' ' .. name, whose)
if not redis.call('ZSCORE', p .. 'workers', me) then redis.call('SADD', p .. 'gone', me) end
return {{name, number}}
"""
"""A name that nobody else has at a worker that is alive; what somebody had himself moves with him."""

UNNAME: Final = f"""
local key, field = '{PREFIX}names:' .. ARGV[1], ARGV[2] .. ' ' .. ARGV[4]
if redis.call('HGET', key, field) == ARGV[3] then redis.call('HDEL', key, field) end
return 1
"""

LEDGER: Final = (SPEND, NAME, UNNAME)
_sha: Final = {script: hashlib.sha1(script.encode()).hexdigest() for script in LEDGER}  # noqa: S324 - Redis names scripts so


class RedisCounters:
    """`ask` sends a command to Redis, and calls its first argument with the answer."""

    def __init__(self, ask: Callable[..., None], worker: str) -> None:
        self._ask = ask
        self._worker = worker

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        """Count one."""

        def told(answer: Any) -> None:
            done(answer if isinstance(answer, StoreError) else bool(answer))

        self._ask(told, "EVALSHA", _sha[SPEND], 0, key, most, window)

    def name(
        self,
        game: str,
        whose: str,
        name: str,
        wanted: str,
        number: int,
        done: Callable[[Nickname | StoreError], None],
    ) -> None:
        """Give a name out."""

        def told(answer: Any) -> None:
            done(answer if isinstance(answer, StoreError) else Nickname(answer[0].decode(), answer[1]))

        self._ask(told, "EVALSHA", _sha[NAME], 0, self._worker, game, whose, name, wanted, number)

    def unname(self, game: str, whose: str, name: str) -> None:
        """Take a name back; what is lost of it goes with this worker."""
        self._ask(lambda _: None, "EVALSHA", _sha[UNNAME], 0, self._worker, game, whose, name)
