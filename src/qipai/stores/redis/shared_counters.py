"""Counters and nickname claims that all workers share."""

from collections.abc import Callable
from typing import Any, Final

from qipai.hall.cluster.bus_interface import Nickname
from qipai.hall.journal.store_interface import StoreError

from .lua_scripts import PREFIX, script_hash

SPEND_QUOTA: Final = f"""
local key, limit, window = '{PREFIX}quota:' .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local last = redis.call('LINDEX', key, limit - 1)
if last and now - last >= 0 and now - last < window then return 0 end
redis.call('LPUSH', key, now)
redis.call('LTRIM', key, 0, limit - 1)
redis.call('PEXPIRE', key, window)
return 1
"""
"""Count an act unless the limit is reached within the window; only granted acts count."""

CLAIM_NICKNAME: Final = f"""
local p, me, game, person = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3]
local name, wanted, number = ARGV[4], ARGV[5], tonumber(ARGV[6])
local workers = redis.call('ZRANGE', p .. 'workers', 0, -1)
local function taken(field)
  local result = false
  for _, worker in ipairs(workers) do
    local key = p .. 'nicknames:' .. worker
    local holder = redis.call('HGET', key, field)
    if holder == person then redis.call('HDEL', key, field) elseif holder then result = true end
  end
  return result
end
while taken(game .. ' ' .. name) do
  number = number + 1
  name = wanted .. '#' .. number
end
redis.call('HSET', p .. 'nicknames:' .. me, game .. ' ' .. name, person)
if not redis.call('ZSCORE', p .. 'workers', me) then redis.call('SADD', p .. 'dead', me) end
return {{name, number}}
"""
"""Claim a nickname that no other person has on a live worker; the person's own claim moves to this worker."""

RELEASE_NICKNAME: Final = f"""
local key, field = '{PREFIX}nicknames:' .. ARGV[1], ARGV[2] .. ' ' .. ARGV[4]
if redis.call('HGET', key, field) == ARGV[3] then redis.call('HDEL', key, field) end
return 1
"""

COUNTER_SCRIPTS: Final = (SPEND_QUOTA, CLAIM_NICKNAME, RELEASE_NICKNAME)
_SPEND_QUOTA, _CLAIM_NICKNAME, _RELEASE_NICKNAME = map(script_hash, COUNTER_SCRIPTS)


class RedisCounters:
    """`request` sends a command to Redis and calls its first argument with the reply."""

    def __init__(self, request: Callable[..., None], worker: str) -> None:
        self._request = request
        self._worker = worker

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        """Count an act unless `most` acts were granted in the last `window` milliseconds."""

        def on_reply(reply: Any) -> None:
            done(reply if isinstance(reply, StoreError) else bool(reply))

        self._request(on_reply, "EVALSHA", _SPEND_QUOTA, 0, key, most, window)

    def name(
        self,
        game: str,
        whose: str,
        name: str,
        wanted: str,
        number: int,
        done: Callable[[Nickname | StoreError], None],
    ) -> None:
        """Claim a nickname; if another person has it, `wanted` with the next free number."""

        def on_reply(reply: Any) -> None:
            done(reply if isinstance(reply, StoreError) else Nickname(reply[0].decode(), reply[1]))

        self._request(
            on_reply, "EVALSHA", _CLAIM_NICKNAME, 0, self._worker, game, whose, name, wanted, number
        )

    def unname(self, game: str, whose: str, name: str) -> None:
        """Release a nickname; if the request is lost, the nickname is released when this worker ends."""
        self._request(lambda _: None, "EVALSHA", _RELEASE_NICKNAME, 0, self._worker, game, whose, name)
