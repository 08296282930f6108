"""What Redis does in one piece: committing a group, reading a room, a worker's beat, a short lock.

Every key begins with `qipai:`. The journal of a room is a stream whose entry `v-0` is the record of version
v; it is never trimmed, only removed whole, so that its length is the room's version.

    journal:ROOM    stream of records            room:ROOM       last snapshot: version, live, body
    living          set of rooms not closed      codes           short code -> room
    closed          set of rooms that wait for the archive
    followers:ROOM  workers that want every record of it, and look after it
    follows:NAME    the same the other way round: the rooms of a worker
    orphans         set of rooms that nobody looks after
    gone            set of workers that are no more, and whose rooms are yet to be gone through
    here:ROOM       worker/number -> who is connected there
    tables          the last snapshots written: room and version; also a channel that carries them
    worker:NAME     a channel: records and notes for one worker
    workers         worker -> its last beat      addresses       worker -> where it can be asked
    people          worker -> how many are there
    hints           worker -> how often records were published to it
    names:WORKER    game and nickname -> whose it is, of those who are there; gone with the worker
    spent:WHAT:WHO  when somebody last did what only so much may be done of in some time, the latest first
    left:KEY        what a worker leaves for whoever goes on with it: `at` whom it is, and what it `is`
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from qipai.hall.cluster.bus_interface import CatchUp, LeaseClaim
from qipai.hall.journal.store_interface import Entry, Saved, Snapshot
from qipai.kernel.ids import Millis, RoomId

PREFIX: Final = "qipai:"
LEASE: Final = 3_000
"""Milliseconds after its last beat until a worker, and what it looks after, is given up."""
SILENCE: Final = 2_000
"""Milliseconds without any beat after which nobody is charged for them: so long moves only come late."""
CLAIMED: Final = 200
"""How many rooms that nobody looks after a worker takes over in one beat."""
SIFTED: Final = 1_000
"""How many rooms of workers that are gone are looked at in one beat: some milliseconds' worth."""
TABLES: Final = 10_000

COMMIT: Final = f"""
local p, me, lost, i = '{PREFIX}', ARGV[1], {{}}, 3
while i <= #ARGV do
  local room, first, count, shot = ARGV[i], tonumber(ARGV[i+1]), tonumber(ARGV[i+2]), ARGV[i+3]
  local from = i + 4
  i = from + 2 * count
  local live, code, body = ARGV[i], ARGV[i+1], ARGV[i+2]
  if shot ~= '' then i = i + 3 end
  local stream = p .. 'journal:' .. room
  local good = redis.call('XLEN', stream) == first - 1
  if good and first == 1 and shot ~= '' and live == '1' and code ~= '' then
    good = redis.call('HSETNX', p .. 'codes', code, room) == 1
  end
  if not good then
    lost[#lost + 1] = room
  else
    for n = 0, count - 1 do
      redis.call('XADD', stream, (first + n) .. '-0', 'a', ARGV[from + 2*n], 'b', ARGV[from + 2*n + 1])
    end
    local followers = redis.call('SMEMBERS', p .. 'followers:' .. room)
    local hint
    for _, other in ipairs(followers) do
      if other ~= me then
        if not hint then
          local sizes, bodies = {{}}, {{}}
          for n = 0, count - 1 do
            sizes[n + 1] = ARGV[from + 2*n] .. ' ' .. #ARGV[from + 2*n + 1]
            bodies[n + 1] = ARGV[from + 2*n + 1]
          end
          hint = table.concat({{'', room, first, table.concat(sizes, ' ')}}, ' ')
          hint = hint .. '\\n' .. table.concat(bodies)
        end
        local number = redis.call('HINCRBY', p .. 'hints', other, 1)
        if redis.call('PUBLISH', p .. 'worker:' .. other, 'r ' .. number .. hint) == 0 then
          redis.call('SREM', p .. 'followers:' .. room, other)
        end
      end
    end
    if shot ~= '' then
      redis.call('HSET', p .. 'room:' .. room, 'version', shot, 'live', live, 'body', body)
      if live == '1' then
        redis.call('SADD', p .. 'living', room)
        if first == 1 then
          if redis.call('ZSCORE', p .. 'workers', me) then
            redis.call('SADD', p .. 'followers:' .. room, me)
            redis.call('SADD', p .. 'follows:' .. me, room)
          else
            redis.call('SADD', p .. 'orphans', room)
          end
        end
      else
        redis.call('SREM', p .. 'living', room)
        redis.call('SADD', p .. 'closed', room)
        redis.call('SREM', p .. 'orphans', room)
        for _, other in ipairs(followers) do redis.call('SREM', p .. 'follows:' .. other, room) end
        if redis.call('HGET', p .. 'codes', code) == room then redis.call('HDEL', p .. 'codes', code) end
        redis.call('DEL', p .. 'followers:' .. room, p .. 'here:' .. room)
      end
      local id = redis.call('XADD', p .. 'tables', 'MAXLEN', '~', {TABLES}, '*', 'r', room, 'v', shot)
      local head = table.concat({{me, id, room, shot, live}}, ' ')
      redis.call('PUBLISH', p .. 'tables', head .. '\\n' .. body)
    end
  end
end
if tonumber(ARGV[2]) > tonumber(redis.call('GET', p .. 'beat') or '0') then
  redis.call('SET', p .. 'beat', ARGV[2])
end
return lost
"""

SHELVE: Final = f"""
local p, room = '{PREFIX}', ARGV[1]
if redis.call('SREM', p .. 'closed', room) == 1 then
  redis.call('EXPIRE', p .. 'journal:' .. room, ARGV[2])
  redis.call('EXPIRE', p .. 'room:' .. room, ARGV[2])
end
"""

LOAD: Final = f"""
local p, room = '{PREFIX}', ARGV[1]
local shot = redis.call('HMGET', p .. 'room:' .. room, 'version', 'live', 'body')
if not shot[1] then return false end
local tail = redis.call('XRANGE', p .. 'journal:' .. room, (shot[1] + 1) .. '-0', '+')
return {{shot[1], shot[2], shot[3], tail}}
"""

FOLLOW: Final = f"""
local p, me, room, version = '{PREFIX}', ARGV[1], ARGV[2], tonumber(ARGV[3])
local stream = p .. 'journal:' .. room
local length = redis.call('XLEN', stream)
if length > 0 and redis.call('SISMEMBER', p .. 'living', room) == 1 then
  redis.call('SADD', p .. 'followers:' .. room, me)
  redis.call('SADD', p .. 'follows:' .. me, room)
  redis.call('SREM', p .. 'orphans', room)
  if not redis.call('ZSCORE', p .. 'workers', me) then redis.call('SADD', p .. 'gone', me) end
end
local tail = {{}}
if length > 0 and length >= version then tail = redis.call('XRANGE', stream, version .. '-0', '+') end
local here, found = {{}}, redis.call('HGETALL', p .. 'here:' .. room)
for n = 1, #found, 2 do
  if redis.call('ZSCORE', p .. 'workers', string.match(found[n], '^[^/]*')) then
    here[#here + 1] = found[n]
    here[#here + 1] = found[n + 1]
  else
    redis.call('HDEL', p .. 'here:' .. room, found[n])
  end
end
return {{length, tail, here}}
"""
"""From now on every record of the room comes to this worker; at once the last it has, what it lacks, and
who is there.

Whoever was with a worker that is gone is struck from the list; if it comes back, it enrolls them again. One
that follows before it has said so may never say so: its next beat makes good that it counts as gone."""

UNFOLLOW: Final = f"""
local p, me, room = '{PREFIX}', ARGV[1], ARGV[2]
redis.call('SREM', p .. 'followers:' .. room, me)
redis.call('SREM', p .. 'follows:' .. me, room)
if redis.call('EXISTS', p .. 'followers:' .. room) == 0 then redis.call('SADD', p .. 'orphans', room) end
return 1
"""

ENROLL: Final = f"""
local p, me, room, number, place = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local here = p .. 'here:' .. room
if place == '' then
  redis.call('HDEL', here, me .. '/' .. number)
elseif redis.call('SISMEMBER', p .. 'living', room) == 1 then
  redis.call('HSET', here, me .. '/' .. number, place)
end
for _, other in ipairs(redis.call('SMEMBERS', p .. 'followers:' .. room)) do
  if other ~= me then
    local head = 'p ' .. room .. ' ' .. me .. '/' .. number .. '\\n'
    redis.call('PUBLISH', p .. 'worker:' .. other, head .. place)
  end
end
return 1
"""

NOTE: Final = f"""
local p, me, room = '{PREFIX}', ARGV[1], ARGV[2]
for _, other in ipairs(redis.call('SMEMBERS', p .. 'followers:' .. room)) do
  if other ~= me then redis.call('PUBLISH', p .. 'worker:' .. other, 'n ' .. room .. '\\n' .. ARGV[3]) end
end
return 1
"""

_FORGET: Final = """
local function forget(worker)
  redis.call('ZREM', p .. 'workers', worker)
  for _, key in ipairs({'people', 'addresses', 'hints'}) do redis.call('HDEL', p .. key, worker) end
  redis.call('DEL', p .. 'names:' .. worker)
end
"""

BEAT: Final = f"""
local p, me, people = '{PREFIX}', ARGV[1], ARGV[2]
{_FORGET}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local last = tonumber(redis.call('GET', p .. 'beat') or now)
if now - last > {SILENCE} then redis.call('SET', p .. 'outage', last .. ' ' .. now) end
if now > last then redis.call('SET', p .. 'beat', now) end
redis.call('ZADD', p .. 'workers', now, me)
redis.call('HSET', p .. 'people', me, people)
redis.call('HSET', p .. 'addresses', me, ARGV[3])
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', p .. 'workers', '-inf', now - {LEASE})) do
  forget(dead)
  redis.call('SADD', p .. 'gone', dead)
end
redis.call('SREM', p .. 'gone', me)
local left = {SIFTED}
for _, dead in ipairs(redis.call('SMEMBERS', p .. 'gone')) do
  local rooms = redis.call('SPOP', p .. 'follows:' .. dead, left)
  for _, room in ipairs(rooms) do
    redis.call('SREM', p .. 'followers:' .. room, dead)
    if redis.call('EXISTS', p .. 'followers:' .. room) == 0 then redis.call('SADD', p .. 'orphans', room) end
  end
  left = left - #rooms
  if left == 0 then break end
  -- Again: while it had rooms it was sent hints, and whoever stood still may have been given names.
  forget(dead)
  redis.call('SREM', p .. 'gone', dead)
end
local claimed = {{}}
for _, room in ipairs(redis.call('SPOP', p .. 'orphans', {CLAIMED})) do
  if redis.call('SISMEMBER', p .. 'living', room) == 1 then
    redis.call('SADD', p .. 'followers:' .. room, me)
    redis.call('SADD', p .. 'follows:' .. me, room)
    claimed[#claimed + 1] = room
  end
end
local workers = redis.call('ZRANGE', p .. 'workers', 0, -1)
local follows = redis.call('SCARD', p .. 'follows:' .. me)
local people, outage = redis.call('HGETALL', p .. 'people'), redis.call('GET', p .. 'outage')
return {{now, workers, claimed, people, outage, follows, redis.call('HGET', p .. 'hints', me) or 0}}
"""
"""A sign of life: takes over what nobody looks after, and tells who else is alive.

It costs the same however many rooms a worker has: they are gone through when it is gone."""

LEAVE: Final = f"""
local p, me = '{PREFIX}', ARGV[1]
{_FORGET}
forget(me)
redis.call('SADD', p .. 'gone', me)
return 1
"""

HOLD: Final = f"""
local p = '{PREFIX}'
if not redis.call('SET', p .. 'lock:' .. ARGV[2], ARGV[1], 'NX', 'PX', ARGV[3]) then return false end
return redis.call('XRANGE', p .. 'tables', '(' .. ARGV[4], '+')
"""
"""A short lock; who gets it learns of all tables that were written before."""

RELEASE: Final = f"""
local key = '{PREFIX}lock:' .. ARGV[2]
if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
return 1
"""

KEEP: Final = f"""
local me, key, body = ARGV[1], '{PREFIX}left:' .. ARGV[2], ARGV[3]
local at = redis.call('HGET', key, 'at')
if at and at ~= me then return 0 end
if body == '' then
  redis.call('DEL', key)
else
  redis.call('HSET', key, 'at', me, 'is', body)
  redis.call('EXPIRE', key, ARGV[4])
end
return 1
"""
"""Leave something for others, or with nothing take it back; not if somebody else has claimed it."""

CLAIM: Final = f"""
local p, me, key, body = '{PREFIX}', ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HMGET', p .. 'left:' .. key, 'at', 'is')
if not found[1] then return false end
redis.call('HSET', p .. 'left:' .. key, 'at', me)
local asked = 0
if found[1] ~= me and redis.call('ZSCORE', p .. 'workers', found[1]) then
  asked = redis.call('PUBLISH', p .. 'worker:' .. found[1], 'm ' .. me .. ' ' .. key .. '\\n' .. body)
end
return {{found[2], asked}}
"""
"""Take over what another worker has left; one that is alive is told."""

SCRIPTS: Final = (COMMIT, LOAD, FOLLOW, UNFOLLOW, ENROLL, NOTE, BEAT, LEAVE, HOLD, RELEASE, KEEP, CLAIM)


def commit(worker: str, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> list[Any]:
    """Return the arguments of `COMMIT`: the records by room, the last snapshot of a room behind them."""
    rooms: dict[RoomId, list[Entry]] = {}
    newest = 0
    for entry in entries:
        known = rooms.get(entry.room)
        if known is None:
            rooms[entry.room] = [entry]
        else:
            known.append(entry)
        if entry.at > newest:
            newest = entry.at
    shots = {shot.room: shot for shot in snapshots}
    arguments: list[Any] = [worker, newest]
    for room, records in rooms.items():
        shot = shots.get(room)
        first = records[0].version
        # A hole within the group is a conflict as well: version 0 never follows.
        exact = records[-1].version == first + len(records) - 1
        arguments += (room, first if exact else 0, len(records), "" if shot is None else shot.version)
        for record in records:
            arguments += (record.at, record.body)
        if shot is not None:
            arguments += ("1" if shot.live else "0", shot.code, shot.body)
    return arguments


def read_saved(room: RoomId, answer: Any) -> Saved | None:
    """Return what `LOAD` answers."""
    if not answer:
        return None
    version, live, body, tail = answer
    return Saved(Snapshot(room, int(version), live == b"1", body), read_entries(room, tail))


def read_entries(room: RoomId, raw: Iterable[Any]) -> list[Entry]:
    """Return the records of a stream's entries."""
    return [
        Entry(room, int(key.partition(b"-")[0]), Millis(int(fields[1])), fields[3]) for key, fields in raw
    ]


def read_caught(room: RoomId, version: int, answer: Any) -> CatchUp:
    """Return what `FOLLOW` answers to whoever has this version."""
    length, tail, here = answer
    places = {here[n].decode(): here[n + 1] for n in range(0, len(here), 2)}
    entries, at = read_entries(room, tail), 0
    if entries and entries[0].version == version:
        at = entries.pop(0).at
    return CatchUp(length, entries, places, at)


def read_hint(room: RoomId, words: list[str], bodies: bytes) -> list[Entry]:
    """Return the records of a hint: the first version, then a time and a length for each."""
    if len(words) == 3:
        return [Entry(room, int(words[0]), Millis(int(words[1])), bodies)]
    first, start, entries = int(words[0]), 0, []
    for number, (at, size) in enumerate(zip(words[1::2], words[2::2], strict=True)):
        end = start + int(size)
        entries.append(Entry(room, first + number, Millis(int(at)), bodies[start:end]))
        start = end
    return entries


def read_room(answer: bytes | None) -> RoomId | None:
    """Return the room that a code leads to."""
    return None if answer is None else RoomId(answer.decode())


def read_rooms(answer: Iterable[bytes]) -> frozenset[RoomId]:
    """Return a set of rooms."""
    return frozenset(RoomId(room.decode()) for room in answer)


def read_claimed(answer: Any) -> LeaseClaim | None:
    """Return what `CLAIM` answers."""
    return None if not answer else LeaseClaim(answer[0], bool(answer[1]))
