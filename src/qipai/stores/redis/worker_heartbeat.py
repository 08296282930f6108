"""Heartbeats of workers in Redis; detects dead workers and outages."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.hall.journal.store_interface import Now, StoreError
from qipai.kernel.ids import Millis

from .lua_scripts import PREFIX, SCHEMA_NUMBER, script_hash
from .script_replies import HeartbeatReply, read_heartbeat

HEARTBEAT_SECONDS: Final = 0.5
DEAD_AFTER: Final = 3_000
"""Milliseconds after its last heartbeat at which a worker counts as dead."""
OUTAGE_AFTER: Final = 2_000
"""Milliseconds without a heartbeat of any worker that count as an outage; clocks do not run in an outage."""
CLAIM_LIMIT: Final = 200
"""Unowned rooms that a worker claims in one heartbeat."""
CLEANUP_LIMIT: Final = 1_000
"""Subscriptions of dead workers that one heartbeat removes: a few milliseconds of work."""

_REMOVE_WORKER: Final = """
local function remove(worker)
  redis.call('ZREM', p .. 'workers', worker)
  for _, key in ipairs({'persons', 'addresses', 'record_counts'}) do redis.call('HDEL', p .. key, worker) end
  redis.call('DEL', p .. 'nicknames:' .. worker)
end
"""

HEARTBEAT: Final = f"""
local p, me, persons = '{PREFIX}', ARGV[1], ARGV[2]
{_REMOVE_WORKER}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local last = tonumber(redis.call('GET', p .. 'heartbeat') or now)
if now - last > {OUTAGE_AFTER} then redis.call('SET', p .. 'outage', last .. ' ' .. now) end
if now > last then redis.call('SET', p .. 'heartbeat', now) end
redis.call('ZADD', p .. 'workers', now, me)
redis.call('HSET', p .. 'persons', me, persons)
redis.call('HSET', p .. 'addresses', me, ARGV[3])
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', p .. 'workers', '-inf', now - {DEAD_AFTER})) do
  remove(dead)
  redis.call('SADD', p .. 'dead', dead)
end
redis.call('SREM', p .. 'dead', me)
local budget = {CLEANUP_LIMIT}
for _, dead in ipairs(redis.call('SMEMBERS', p .. 'dead')) do
  local rooms = redis.call('SPOP', p .. 'subscriptions:' .. dead, budget)
  for _, room in ipairs(rooms) do
    redis.call('SREM', p .. 'subscribers:' .. room, dead)
    if redis.call('EXISTS', p .. 'subscribers:' .. room) == 0 then
      redis.call('SADD', p .. 'unowned', room)
    end
  end
  budget = budget - #rooms
  if budget == 0 then break end
  -- Once more: a dead worker with rooms is still sent records, and one that stalled may claim nicknames.
  remove(dead)
  redis.call('SREM', p .. 'dead', dead)
end
local claimed = {{}}
for _, room in ipairs(redis.call('SPOP', p .. 'unowned', {CLAIM_LIMIT})) do
  if redis.call('SISMEMBER', p .. 'open_rooms', room) == 1 then
    redis.call('SADD', p .. 'subscribers:' .. room, me)
    redis.call('SADD', p .. 'subscriptions:' .. me, room)
    claimed[#claimed + 1] = room
  end
end
-- After a FLUSHALL schema and key are missing: the workers that run still have them.
redis.call('SETNX', p .. 'schema', {SCHEMA_NUMBER})
local secret = ARGV[4] or ''
if secret ~= '' then redis.call('SETNX', p .. 'secret', secret) end
local same = secret == '' or redis.call('GET', p .. 'secret') == secret
local workers = redis.call('ZRANGE', p .. 'workers', 0, -1)
local subscribed = redis.call('SCARD', p .. 'subscriptions:' .. me)
local counts, outage = redis.call('HGETALL', p .. 'persons'), redis.call('GET', p .. 'outage')
local records = redis.call('HGET', p .. 'record_counts', me) or 0
return {{now, workers, claimed, counts, outage, subscribed, records, same and 1 or 0}}
"""
"""Record a heartbeat of a worker; remove dead workers, claim unowned rooms, and return who is alive.

It writes the key of the worker that signs tokens if there is none, and tells whether that is the key.

Its cost does not depend on the number of rooms of the worker."""

LEAVE: Final = f"""
local p, me = '{PREFIX}', ARGV[1]
{_REMOVE_WORKER}
remove(me)
redis.call('SADD', p .. 'dead', me)
return 1
"""

HEARTBEAT_SCRIPTS: Final = (HEARTBEAT, LEAVE)
_HEARTBEAT: Final = script_hash(HEARTBEAT)

OnHeartbeat = Callable[[HeartbeatReply, bool], None]
"""Called with each reply, and whether the other workers have counted this one as dead."""


class WorkerHeartbeat:
    """Sends the heartbeats of one worker and follows the clock of Redis.

    `request` sends a command to Redis and calls its first argument with the reply. `status` returns the
    number of persons connected to the worker, its address, and its key that signs tokens.
    """

    def __init__(
        self,
        request: Callable[..., None],
        worker: str,
        local_clock: Now,
        status: Callable[[], tuple[int, str, bytes]],
        on_heartbeat: OnHeartbeat,
    ) -> None:
        self._request = request
        self._worker = worker
        self._local_clock = local_clock
        self._status = status
        self._on_heartbeat = on_heartbeat
        self._offset = 0
        self._last_now = Millis(0)
        self._last_reply = Millis(0)

    def now(self) -> Millis:
        """Return the time of Redis; it never goes back."""
        self._last_now = Millis(max(self._last_now, self._local_clock() + self._offset))
        return self._last_now

    def set_time(self, time: Millis) -> None:
        """Set the clock before its first use: once ahead, it would stand still until that time."""
        self._offset = time - self._local_clock()

    def send(self) -> None:
        """Send a heartbeat."""
        self._request(
            partial(self._on_reply, self._local_clock()),
            "EVALSHA", _HEARTBEAT, 0, self._worker, *self._status(),
        )  # fmt: skip

    def reconnected(self) -> None:
        """Do not take the time without a connection for a stall of this worker."""
        self._last_reply = Millis(0)

    def _on_reply(self, sent: Millis, reply: Any) -> None:
        if isinstance(reply, StoreError):
            return
        heartbeat = read_heartbeat(self._worker, reply)
        received = self._local_clock()
        offset = heartbeat.time - (sent + received) // 2
        # The measured offset is exact to half of the round-trip time.
        if abs(offset - self._offset) > (received - sent) // 2 + 1:
            self._offset = offset
        stalled = bool(self._last_reply) and heartbeat.time - self._last_reply >= DEAD_AFTER
        self._last_reply = heartbeat.time
        self._on_heartbeat(heartbeat, stalled)
