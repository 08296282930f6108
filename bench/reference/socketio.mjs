// The least that a relay of gomoku stones does on `socket.io`: no rules, no storage, no identities.
// A stone goes out as the two events that clients of that game wait for, each encoded once for the room.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const rooms = new Map();
let opened = 1000;

const blank = () => Array.from({ length: 15 }, () => new Array(15).fill(0));

function created(name) {
  return {
    id: String(++opened),
    name,
    board: blank(),
    players: { black: null, white: null },
    watchers: [],
    currentTurn: 1,
    history: [],
    chat: [],
    winner: null,
    status: 'waiting',
  };
}

const http = createServer();
const io = new Server(http, { serveClient: false, transports: ['websocket'] });

io.on('connection', (socket) => {
  const sit = (room, role) => {
    room.players[role] = { nickname: socket.data.nickname };
    socket.join(room.id);
    socket.emit('room-joined', { room, role });
  };
  socket.on('join-lobby', ({ nickname }) => {
    socket.data.nickname = nickname;
    socket.emit('room-list', []);
  });
  socket.on('create-room', ({ name }) => {
    const room = created(name);
    rooms.set(room.id, room);
    sit(room, 'black');
  });
  socket.on('join-room', ({ roomId }) => {
    const room = rooms.get(roomId);
    room.status = 'playing';
    sit(room, 'white');
    io.to(roomId).emit('room-updated', room);
  });
  socket.on('place-stone', ({ roomId, x, y }) => {
    const room = rooms.get(roomId);
    const stone = { x, y, color: room.currentTurn };
    room.board[x][y] = stone.color;
    room.history.push(stone);
    room.currentTurn = 3 - stone.color;
    io.to(roomId).emit('stone-placed', stone);
    io.to(roomId).emit('room-updated', room);
  });
  socket.on('surrender', ({ roomId }) => {
    const room = rooms.get(roomId);
    room.status = 'ended';
    io.to(roomId).emit('game-over', { winner: 3 - room.currentTurn, winningStones: null, surrender: true });
    io.to(roomId).emit('room-updated', room);
  });
  socket.on('request-rematch', ({ roomId }) => {
    const room = rooms.get(roomId);
    if (room.status === 'ended') {
      room.status = 'waiting';
      return;
    }
    Object.assign(room, { board: blank(), history: [], currentTurn: 1, status: 'playing' });
    io.to(roomId).emit('rematch-start', { swapped: false });
    io.to(roomId).emit('room-updated', room);
  });
});

http.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0), backlog: 4096 }, () => {
  console.log(http.address().port);
});
