// A minimal relay of timed moves on `ws`: no rules, no storage, no identities.
// It sends the frames of the native protocol, so that both servers read and write the same bytes.
import { WebSocketServer } from 'ws';

const BUDGET = 300_000;
const TEXT = { binary: false };
const rooms = new Map();
let opened = 0;

class Room {
  constructor(id, clocked) {
    this.id = id;
    this.clocked = clocked;
    this.members = [];
    this.seats = 0;
    this.version = 1;
    this.left = [BUDGET, BUDGET];
    this.since = 0;
    this.timer = null;
  }
}

function broadcast(room, notice) {
  const bytes = Buffer.from(JSON.stringify(notice));
  for (const member of room.members) member.send(bytes, TEXT);
}

function enter(socket, room, seat) {
  socket.room = room;
  socket.seat = seat;
  room.members.push(socket);
  const notice = { type: 'room', room: { id: room.id }, version: room.version, you: seat };
  socket.send(JSON.stringify(notice));
}

function timeOut(room, seat) {
  broadcast(room, { type: 'events', room: room.id, version: ++room.version, events: [{ e: 'game_over', seat }], to_act: [] });
}

function relay(socket, room, { move, nonce }) {
  const { seat } = socket;
  const opponent = 1 - seat;
  const now = Date.now();
  if (room.since) room.left[seat] -= now - room.since;
  room.since = now;
  clearTimeout(room.timer);
  room.timer = setTimeout(timeOut, room.left[opponent], room, opponent);
  const notice = {
    type: 'events', room: room.id, version: ++room.version, at: now, events: [move], to_act: [opponent], seat, nonce,
  };
  if (room.clocked) notice.clock = { left: room.left, running: [opponent], grants: [null, null], at: now };
  broadcast(room, notice);
}

function receive(data) {
  const frame = JSON.parse(data);
  switch (frame.type) {
    case 'play':
      return relay(this, this.room, frame);
    case 'hello':
      return this.send('{"type":"welcome","token":""}');
    case 'open': {
      const room = new Room(`relay${String(++opened).padStart(11, '0')}`, Boolean(frame.table.clock));
      rooms.set(room.id, room);
      return enter(this, room, room.seats++);
    }
    case 'join': {
      const room = rooms.get(frame.room);
      enter(this, room, room.seats++);
      room.version++;
      return broadcast(room, {
        type: 'events', room: room.id, version: room.version, events: [{ e: 'game_started' }], to_act: [0],
      });
    }
    case 'watch':
      return enter(this, rooms.get(frame.room), null);
  }
}

function leave() {
  const { room } = this;
  if (!room) return;
  room.members.splice(room.members.indexOf(this), 1);
  if (room.members.length) return;
  clearTimeout(room.timer);
  rooms.delete(room.id);
}

function ignore() {}

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(process.env.PORT ?? 0),
  backlog: 4096,
  perMessageDeflate: false,
  clientTracking: false,
});
server.on('connection', (socket) => {
  socket.on('message', receive);
  socket.on('close', leave);
  socket.on('error', ignore);
});
server.on('listening', () => console.log(server.address().port));
