// Chess on `ws`, chess.js and SQLite, with the frames of the qtchess dialect.
import { WebSocketServer } from 'ws';
import { ChessGame } from './chess_game.mjs';
import { openStore } from './move_store.mjs';

const TEXT = { binary: false };
const PROMOTIONS = { 2: 'r', 3: 'n', 4: 'b', 5: 'q' };
const rooms = new Map();
const append = await openStore();
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

function square(row, column) {
  return 'abcdefgh'[column] + (8 - row);
}

function play(socket, message) {
  const { room } = socket;
  const game = room?.game;
  if (!game || room.players[game.ply % 2] !== socket) return refuse(socket, 'not your turn');
  const from = square(message.fromRow, message.fromCol);
  const to = square(message.toRow, message.toCol);
  const promotion = PROMOTIONS[message.promotion];
  const clock = game.play(from, to, promotion);
  if (!clock) return refuse(socket, 'illegal move');
  const timerState = {
    timeA: clock.white,
    timeB: clock.black,
    currentPlayer: clock.turn === 'w' ? 'White' : 'Black',
    lastSwitchTime: clock.at,
  };
  append([room.id, game.ply, from + to + (promotion ?? ''), clock.at], () => {
    broadcast(room.players, { ...message, timerState });
    if (clock.over) broadcast(room.players, { action: 'gameOver', room: room.id });
  });
}

function refuse(socket, reason) {
  socket.send(JSON.stringify({ action: 'error', message: reason }));
}

function receive(data) {
  const message = JSON.parse(data);
  switch (message.action) {
    case 'move':
      return play(this, message);
    case 'createRoom': {
      const room = { id: String(++opened), players: [], game: null };
      rooms.set(room.id, room);
      return enter(this, room, 'roomCreated');
    }
    case 'joinRoom': {
      const room = rooms.get(message.room);
      if (!room || room.players.length > 1) return refuse(this, 'no free seat');
      enter(this, room, 'joinedRoom');
      return broadcast(room.players.slice(0, 1), { action: 'playerJoined', room: room.id });
    }
    case 'startGame':
      this.room.game = new ChessGame();
      return broadcast(this.room.players, { ...message, action: 'gameStart' });
    case 'surrender':
      this.room.game = null;
      return broadcast(this.room.players.filter((player) => player !== this), message);
  }
}

function leave() {
  const { room } = this;
  if (!room) return;
  room.players.splice(room.players.indexOf(this), 1);
  if (!room.players.length) rooms.delete(room.id);
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, backlog: 4096, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', receive);
  socket.on('close', leave);
  socket.on('error', () => {});
});
server.on('listening', () => console.log(server.address().port));
