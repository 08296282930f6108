"""Lua scripts that Redis runs atomically, and the list of all keys.

The scripts of heartbeats are in `worker_heartbeat`, those of counters in `shared_counters`.

Every key begins with `qipai:`. The journal of a room is a stream whose entry `v-0` is the record of version
v. A stream is never trimmed, only deleted as a whole, so its length is the version of the room.

    journal:ROOM          stream of records: `a` time, `b` body, `c` checksum
    room:ROOM             last snapshot: version, live, body, sum (its checksum)
    open_rooms            set of rooms that are not closed
    unarchived            set of closed rooms that are not archived
    codes                 room code -> room
    subscribers:ROOM      set of workers that receive every record of a room
    subscriptions:WORKER  set of rooms whose records a worker receives
    unowned               set of open rooms without a subscriber; the next heartbeat claims them
    dead                  set of dead workers whose subscriptions are not yet removed
    members:ROOM          worker/number -> a connection in the room
    snapshots             stream of room and version of every snapshot; also a channel that carries them
    worker:WORKER         channel of one worker: `r` records, `p` presence, `n` room message, `m` mail
    all                   channel of all workers
    workers               worker -> time of its last heartbeat
    addresses             worker -> address at which other workers reach it
    persons               worker -> number of persons connected to it
    record_counts         worker -> number of record messages published to it
    nicknames:WORKER      game and nickname -> its person, for persons connected to the worker
    heartbeat             time of the last heartbeat of any worker
    outage                start and end of the last time without any worker
    lock:NAME             worker that has the lock
    quota:ACT:PERSON      times of the last acts that count against a quota, the latest first
    lease:KEY             `worker` that has the lease, and its `body`
    schema                number of what is stored
    secret                key that signs tokens
"""

import hashlib
from typing import Final

PREFIX: Final = "qipai:"
SCHEMA_NUMBER: Final = 4
"""The schema that this release writes."""
SNAPSHOTS_LENGTH: Final = 10_000
"""Entries of the stream `snapshots`."""

COMMIT: Final = f"""
local p, me, conflicts, i = '{PREFIX}', ARGV[1], {{}}, 3
while i <= #ARGV do
  local room, first, count, version = ARGV[i], tonumber(ARGV[i+1]), tonumber(ARGV[i+2]), ARGV[i+3]
  local from = i + 4
  i = from + 3 * count
  local live, code, body, sum = ARGV[i], ARGV[i+1], ARGV[i+2], ARGV[i+3]
  if version ~= '' then i = i + 4 end
  local stream = p .. 'journal:' .. room
  local valid = redis.call('XLEN', stream) == first - 1
  if valid and first == 1 and version ~= '' and live == '1' and code ~= '' then
    valid = redis.call('HSETNX', p .. 'codes', code, room) == 1
  end
  if not valid then
    conflicts[#conflicts + 1] = room
  else
    for n = 0, count - 1 do
      local at = from + 3*n
      redis.call('XADD', stream, (first + n) .. '-0', 'a', ARGV[at], 'b', ARGV[at+1], 'c', ARGV[at+2])
    end
    local subscribers = redis.call('SMEMBERS', p .. 'subscribers:' .. room)
    local message
    for _, other in ipairs(subscribers) do
      if other ~= me then
        if not message then
          local sizes, bodies = {{}}, {{}}
          for n = 0, count - 1 do
            sizes[n + 1] = ARGV[from + 3*n] .. ' ' .. #ARGV[from + 3*n + 1]
            bodies[n + 1] = ARGV[from + 3*n + 1]
          end
          message = table.concat({{'', room, first, table.concat(sizes, ' ')}}, ' ')
          message = message .. '\\n' .. table.concat(bodies)
        end
        local number = redis.call('HINCRBY', p .. 'record_counts', other, 1)
        if redis.call('PUBLISH', p .. 'worker:' .. other, 'r ' .. number .. message) == 0 then
          redis.call('SREM', p .. 'subscribers:' .. room, other)
        end
      end
    end
    if version ~= '' then
      redis.call('HSET', p .. 'room:' .. room, 'version', version, 'live', live, 'body', body, 'sum', sum)
      if live == '1' then
        redis.call('SADD', p .. 'open_rooms', room)
        if first == 1 then
          if redis.call('ZSCORE', p .. 'workers', me) then
            redis.call('SADD', p .. 'subscribers:' .. room, me)
            redis.call('SADD', p .. 'subscriptions:' .. me, room)
          else
            redis.call('SADD', p .. 'unowned', room)
          end
        end
      else
        redis.call('SREM', p .. 'open_rooms', room)
        redis.call('SADD', p .. 'unarchived', room)
        redis.call('SREM', p .. 'unowned', room)
        for _, other in ipairs(subscribers) do redis.call('SREM', p .. 'subscriptions:' .. other, room) end
        if redis.call('HGET', p .. 'codes', code) == room then redis.call('HDEL', p .. 'codes', code) end
        redis.call('DEL', p .. 'subscribers:' .. room, p .. 'members:' .. room)
      end
      local stream, length = p .. 'snapshots', {SNAPSHOTS_LENGTH}
      local id = redis.call('XADD', stream, 'MAXLEN', '~', length, '*', 'r', room, 'v', version)
      local head = table.concat({{me, id, room, version, live}}, ' ')
      redis.call('PUBLISH', p .. 'snapshots', head .. '\\n' .. body)
    end
  end
end
if tonumber(ARGV[2]) > tonumber(redis.call('GET', p .. 'heartbeat') or '0') then
  redis.call('SET', p .. 'heartbeat', ARGV[2])
end
return conflicts
"""
"""Write a batch: all records of a room or none; publish them to its subscribers; return the conflicts."""

MARK_ARCHIVED: Final = f"""
local p, room = '{PREFIX}', ARGV[1]
if redis.call('SREM', p .. 'unarchived', room) == 1 then
  redis.call('EXPIRE', p .. 'journal:' .. room, ARGV[2])
  redis.call('EXPIRE', p .. 'room:' .. room, ARGV[2])
end
"""
"""Delete an archived room after some seconds."""

LOAD: Final = f"""
local p, room = '{PREFIX}', ARGV[1]
local snapshot = redis.call('HMGET', p .. 'room:' .. room, 'version', 'live', 'body', 'sum')
if not snapshot[1] then return false end
local tail = redis.call('XRANGE', p .. 'journal:' .. room, (snapshot[1] + 1) .. '-0', '+')
return {{snapshot[1], snapshot[2], snapshot[3], snapshot[4], tail}}
"""

SUBSCRIBE: Final = f"""
local p, me, room, version = '{PREFIX}', ARGV[1], ARGV[2], tonumber(ARGV[3])
local stream = p .. 'journal:' .. room
local length = redis.call('XLEN', stream)
if length > 0 and redis.call('SISMEMBER', p .. 'open_rooms', room) == 1 then
  redis.call('SADD', p .. 'subscribers:' .. room, me)
  redis.call('SADD', p .. 'subscriptions:' .. me, room)
  redis.call('SREM', p .. 'unowned', room)
  if not redis.call('ZSCORE', p .. 'workers', me) then redis.call('SADD', p .. 'dead', me) end
end
local tail = {{}}
if length > 0 and length >= version then tail = redis.call('XRANGE', stream, version .. '-0', '+') end
local members, stored = {{}}, redis.call('HGETALL', p .. 'members:' .. room)
for n = 1, #stored, 2 do
  if redis.call('ZSCORE', p .. 'workers', string.match(stored[n], '^[^/]*')) then
    members[#members + 1] = stored[n]
    members[#members + 1] = stored[n + 1]
  else
    redis.call('HDEL', p .. 'members:' .. room, stored[n])
  end
end
return {{length, tail, members}}
"""
"""Subscribe a worker to a room; return the room's version, the records from a version on, and the members.

Members of dead workers are removed; a worker that returns announces its own again. A worker that subscribes
before its first heartbeat may die before it, so it counts as dead until that heartbeat."""

UNSUBSCRIBE: Final = f"""
local p, me, room = '{PREFIX}', ARGV[1], ARGV[2]
redis.call('SREM', p .. 'subscribers:' .. room, me)
redis.call('SREM', p .. 'subscriptions:' .. me, room)
if redis.call('EXISTS', p .. 'subscribers:' .. room) == 0 then redis.call('SADD', p .. 'unowned', room) end
return 1
"""

ANNOUNCE_MEMBER: Final = f"""
local p, me, room, number, member = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local members = p .. 'members:' .. room
if member == '' then
  redis.call('HDEL', members, me .. '/' .. number)
elseif redis.call('SISMEMBER', p .. 'open_rooms', room) == 1 then
  redis.call('HSET', members, me .. '/' .. number, member)
end
for _, other in ipairs(redis.call('SMEMBERS', p .. 'subscribers:' .. room)) do
  if other ~= me then
    local head = 'p ' .. room .. ' ' .. me .. '/' .. number .. '\\n'
    redis.call('PUBLISH', p .. 'worker:' .. other, head .. member)
  end
end
return 1
"""

SEND_ROOM_MESSAGE: Final = f"""
local p, me, room = '{PREFIX}', ARGV[1], ARGV[2]
for _, other in ipairs(redis.call('SMEMBERS', p .. 'subscribers:' .. room)) do
  if other ~= me then redis.call('PUBLISH', p .. 'worker:' .. other, 'n ' .. room .. '\\n' .. ARGV[3]) end
end
return 1
"""

LOCK: Final = f"""
local p = '{PREFIX}'
if not redis.call('SET', p .. 'lock:' .. ARGV[2], ARGV[1], 'NX', 'PX', ARGV[3]) then return false end
return redis.call('XRANGE', p .. 'snapshots', '(' .. ARGV[4], '+')
"""
"""Acquire a short lock; return the snapshots after an entry of their stream, or false."""

UNLOCK: Final = f"""
local key = '{PREFIX}lock:' .. ARGV[2]
if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
return 1
"""

STORE_LEASE: Final = f"""
local me, key, body = ARGV[1], '{PREFIX}lease:' .. ARGV[2], ARGV[3]
local holder = redis.call('HGET', key, 'worker')
if holder and holder ~= me then return 0 end
if body == '' then
  redis.call('DEL', key)
else
  redis.call('HSET', key, 'worker', me, 'body', body)
  redis.call('EXPIRE', key, ARGV[4])
end
return 1
"""
"""Store a lease, or with an empty body delete it; not if another worker has claimed it."""

CLAIM_LEASE: Final = f"""
local p, me, key, body = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3]
local lease = redis.call('HMGET', p .. 'lease:' .. key, 'worker', 'body')
if not lease[1] then return false end
redis.call('HSET', p .. 'lease:' .. key, 'worker', me)
local notified = 0
if lease[1] ~= me and redis.call('ZSCORE', p .. 'workers', lease[1]) then
  notified = redis.call('PUBLISH', p .. 'worker:' .. lease[1], 'm ' .. me .. ' ' .. key .. '\\n' .. body)
end
return {{lease[2], notified}}
"""
"""Claim a lease; return its body, and whether its holder is alive and was notified."""

BUS_SCRIPTS: Final = (
    COMMIT,
    LOAD,
    SUBSCRIBE,
    UNSUBSCRIBE,
    ANNOUNCE_MEMBER,
    SEND_ROOM_MESSAGE,
    LOCK,
    UNLOCK,
    STORE_LEASE,
    CLAIM_LEASE,
)


def script_hash(script: str) -> str:
    """Return the name by which Redis runs a loaded script."""
    return hashlib.sha1(script.encode()).hexdigest()  # noqa: S324 - Redis defines SHA-1
