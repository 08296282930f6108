// A minimal relay of tic-tac-toe marks on `socket.io` with its defaults: no rules, no storage, no identities.
// It sends the events that clients of that game expect, each encoded once for the room; a round is over when the board
// is full. With the option `recovery` it uses connection state recovery.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const CELLS = 9;
const ROUNDS = 5;
let waiting = null;
let opened = 0;

const http = createServer();
const io = new Server(http, process.argv[2] === 'recovery' ? { connectionStateRecovery: {} } : {});

class Table {
  constructor() {
    this.id = `room_${String(++opened).padStart(8, '0')}_0000`;
    this.players = [];
    this.clear();
  }

  clear() {
    this.marks = 0;
    this.round = 0;
    this.scores = { left: 0, right: 0, draw: 0 };
  }

  sit(socket) {
    const symbol = this.players.length ? 'O' : 'X';
    this.players.push({ sid: socket.id, username: `player ${symbol}`, symbol });
    socket.join(this.id);
    return symbol;
  }

  get turn() {
    return this.round % 2 ? 'O' : 'X';
  }

  get finished() {
    return this.round + 1 >= ROUNDS;
  }

  broadcast(event, payload) {
    io.to(this.id).emit(event, payload);
  }

  start() {
    const [left_player, right_player] = this.players;
    for (const { sid, symbol } of this.players) {
      io.to(sid).emit('game_start', {
        room_id: this.id, your_symbol: symbol, turn: this.turn, left_player, right_player,
        my_side: symbol === 'X' ? 'left' : 'right', scores: this.scores, round_count: this.round,
      });
    }
  }

  mark(symbol, { row, col }) {
    const full = ++this.marks === CELLS;
    this.broadcast('move_made', { row, col, symbol, turn: full ? symbol : symbol === 'X' ? 'O' : 'X' });
    if (!full) return;
    this.scores.draw++;
    this.broadcast('round_end', {
      winner: 'Draw', scores: this.scores, round_count: this.round, match_finished: this.finished, winning_lines: [],
    });
  }

  reset() {
    this.marks = 0;
    this.round++;
    this.broadcast('game_reset', {
      turn: this.turn, scores: this.scores, round_count: this.round, match_finished: false,
      current_first_player: this.round % 2 ? 'right' : 'left',
    });
  }

  rematch() {
    const [left_player, right_player] = this.players;
    this.clear();
    this.broadcast('new_match_started', {
      turn: this.turn, scores: this.scores, round_count: 0, match_finished: false, left_player, right_player,
      current_first_player: 'left',
    });
  }
}

io.on('connection', (socket) => {
  let table = null;
  let symbol = '';
  socket.on('join_pvp', () => {
    table = waiting ?? new Table();
    symbol = table.sit(socket);
    if (waiting) {
      waiting = null;
      table.start();
    } else {
      waiting = table;
      socket.emit('waiting_for_opponent', { room_id: table.id, status: 'waiting' });
    }
  });
  socket.on('make_move', (move) => table.mark(symbol, move));
  socket.on('reset_game', () => table.reset());
  socket.on('start_new_match', () => table.rematch());
  socket.on('disconnect', () => {
    if (!table) return;
    if (waiting === table) waiting = null;
    else table.broadcast('opponent_left');
  });
});

http.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0), backlog: 4096 }, () => {
  console.log(http.address().port);
});
