// A minimal relay of chess moves with a timer on `ws`: no rules, no storage, no time limit.
// It sends the frames of the qtchess dialect, so that both servers read and write the same bytes.
import { WebSocketServer } from 'ws';

const TEXT = { binary: false };
const rooms = new Map();
let opened = 999;

function broadcast(players, message) {
  const bytes = Buffer.from(JSON.stringify(message));
  for (const player of players) player.send(bytes, TEXT);
}

function enter(socket, room, action) {
  socket.room = room;
  room.players.push(socket);
  socket.send(JSON.stringify({ action, room: room.id }));
}

function start(room, message) {
  const whiteIsA = message.hostColor === 'White';
  room.timer = {
    timeA: whiteIsA ? message.whiteTimeMs : message.blackTimeMs,
    timeB: whiteIsA ? message.blackTimeMs : message.whiteTimeMs,
    currentPlayer: 'White',
    lastSwitchTime: null,
    whiteIsA,
    incrementMs: message.incrementMs ?? 0,
  };
  broadcast(room.players, { ...message, action: 'gameStart', serverTimestamp: Date.now() + 500, timerState: room.timer });
}

function relay(room, message) {
  const { timer } = room;
  const now = Date.now();
  const moverTime = (timer.currentPlayer === 'White') === timer.whiteIsA ? 'timeA' : 'timeB';
  if (timer.lastSwitchTime !== null) {
    timer[moverTime] = Math.max(0, timer[moverTime] - (now - timer.lastSwitchTime)) + timer.incrementMs;
  }
  timer.currentPlayer = timer.currentPlayer === 'White' ? 'Black' : 'White';
  timer.lastSwitchTime = now;
  const { timeA, timeB, currentPlayer, lastSwitchTime } = timer;
  broadcast(room.players, { ...message, timerState: { timeA, timeB, currentPlayer, lastSwitchTime } });
}

function receive(data) {
  const message = JSON.parse(data);
  switch (message.action) {
    case 'move':
      return relay(rooms.get(message.room), message);
    case 'createRoom': {
      const room = { id: String(++opened), players: [], timer: null };
      rooms.set(room.id, room);
      return enter(this, room, 'roomCreated');
    }
    case 'joinRoom': {
      const room = rooms.get(message.room);
      enter(this, room, 'joinedRoom');
      return broadcast(room.players.slice(0, 1), { action: 'playerJoined', room: room.id });
    }
    case 'startGame':
      return start(rooms.get(message.room), message);
    case 'surrender':
      return broadcast(rooms.get(message.room).players.filter((player) => player !== this), message);
  }
}

function leave() {
  const { room } = this;
  if (!room) return;
  room.players.splice(room.players.indexOf(this), 1);
  if (!room.players.length) rooms.delete(room.id);
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
