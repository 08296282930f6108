// Chess on Colyseus, chess.js and SQLite. A move is sent to both players as a message, not as a patch of a
// synchronised state: that is the cheapest way to send a move with Colyseus.
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { ChessGame } from './chess_game.mjs';
import { openStore } from './move_store.mjs';

const append = await openStore();

class ChessRoom extends Room {
  maxClients = 2;
  patchRate = null;
  game = new ChessGame();

  onCreate() {
    this.onMessage('move', (client, move) => this.play(client, move));
    this.onMessage('again', () => {
      this.game = new ChessGame();
      this.broadcast('start', {});
    });
  }

  onJoin() {
    if (this.clients.length === 2) this.broadcast('start', {});
  }

  play(client, move) {
    const { game } = this;
    if (this.clients[game.ply % 2] !== client) return client.send('refused', 'not your turn');
    const clock = game.play(move.from, move.to, move.promotion);
    if (!clock) return client.send('refused', 'illegal move');
    append([this.roomId, game.ply, move.from + move.to + (move.promotion ?? ''), clock.at], () => {
      this.broadcast('move', { ...move, clock });
    });
  }
}

const transport = new WebSocketTransport();
const server = new Server({ greet: false, transport });
server.define('chess', ChessRoom);
await server.listen(0, '127.0.0.1', 4096);
console.log(transport.server.address().port);
