// A minimal relay of gomoku stones on `socket.io`: no rules, no storage, no identities.
// A stone is sent as the two events that clients of that game expect, each encoded once for the room; the second
// contains the room. With the option `whole` it contains the room twice, at the top and as `room`, as Qipai sends it.
// With `roles` each player also gets their own role, as with Qipai, so the event is encoded for each player.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const rooms = new Map();
let opened = 1000;

const [variant] = process.argv.slice(2);

const emptyBoard = () => Array.from({ length: 15 }, () => new Array(15).fill(0));

function createRoom(name) {
  const room = {
    id: String(++opened),
    name,
    board: emptyBoard(),
    players: { black: null, white: null },
    watchers: [],
    currentTurn: 1,
    history: [],
    chat: [],
    winner: null,
    status: 'waiting',
    // The same for all players unless the option is `roles`: equal size, but encoded once.
    myRole: 'black',
  };
  // Not enumerable, so that it is not sent.
  return Object.defineProperty(room, 'seats', { value: [] });
}

const http = createServer();
const io = new Server(http, { serveClient: false, transports: ['websocket'] });

function update(room) {
  if (variant === 'roles') {
    for (const { sid, myRole } of room.seats) {
      const view = { ...room, myRole };
      io.to(sid).emit('room-updated', { ...view, room: view });
    }
  } else {
    io.to(room.id).emit('room-updated', variant === 'whole' ? { ...room, room } : room);
  }
}

io.on('connection', (socket) => {
  const sit = (room, role) => {
    room.players[role] = { nickname: socket.data.nickname, connected: true };
    room.seats.push({ sid: socket.id, myRole: role });
    socket.join(room.id);
    socket.emit('room-joined', { room, role });
  };
  socket.on('join-lobby', ({ nickname }) => {
    socket.data.nickname = nickname;
    socket.emit('room-list', []);
  });
  socket.on('create-room', ({ name }) => {
    const room = createRoom(name);
    rooms.set(room.id, room);
    sit(room, 'black');
  });
  socket.on('join-room', ({ roomId }) => {
    const room = rooms.get(roomId);
    room.status = 'playing';
    sit(room, 'white');
    update(room);
  });
  socket.on('place-stone', ({ roomId, x, y }) => {
    const room = rooms.get(roomId);
    const stone = { x, y, color: room.currentTurn };
    room.board[x][y] = stone.color;
    room.history.push(stone);
    room.currentTurn = 3 - stone.color;
    io.to(roomId).emit('stone-placed', stone);
    update(room);
  });
  socket.on('surrender', ({ roomId }) => {
    const room = rooms.get(roomId);
    room.status = 'ended';
    io.to(roomId).emit('game-over', { winner: 3 - room.currentTurn, winningStones: null, surrender: true });
    update(room);
  });
  socket.on('request-rematch', ({ roomId }) => {
    const room = rooms.get(roomId);
    if (room.status === 'ended') {
      room.status = 'waiting';
      return;
    }
    Object.assign(room, { board: emptyBoard(), history: [], currentTurn: 1, status: 'playing' });
    io.to(roomId).emit('rematch-start', { swapped: false });
    update(room);
  });
});

http.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0), backlog: 4096 }, () => {
  console.log(http.address().port);
});
