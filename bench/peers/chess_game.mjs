// One game of chess with clocks: what every Node peer needs of the rules.
import { Chess } from 'chess.js';

const BUDGET = 600_000;
const INCREMENT = 2_000;

export class ChessGame {
  constructor() {
    this.chess = new Chess();
    this.left = { w: BUDGET, b: BUDGET };
    this.since = 0;
    this.ply = 0;
  }

  // Plays a move and presses the clock; returns null if the move is illegal.
  play(from, to, promotion) {
    const { chess } = this;
    const mover = chess.turn();
    try {
      chess.move({ from, to, promotion });
    } catch {
      return null;
    }
    const now = Date.now();
    if (this.since) this.left[mover] += INCREMENT - (now - this.since);
    this.since = now;
    this.ply += 1;
    return { white: this.left.w, black: this.left.b, turn: chess.turn(), at: now, over: chess.isGameOver() };
  }
}
