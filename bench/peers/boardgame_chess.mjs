// Chess on boardgame.io and chess.js, with a storage that also writes every move to SQLite.
// The state of boardgame.io is plain data: a move starts from the FEN, so repetitions are not noticed.
import core from 'boardgame.io/dist/cjs/core.js';
import internal from 'boardgame.io/dist/cjs/internal.js';
import boardgame from 'boardgame.io/dist/cjs/server.js';
import { Chess, DEFAULT_POSITION } from 'chess.js';
import { openStore } from './move_store.mjs';

const BUDGET = 600_000;
const INCREMENT = 2_000;
const append = await openStore();

const game = {
  name: 'chess',
  disableUndo: true,
  setup: () => ({ fen: DEFAULT_POSITION, left: [BUDGET, BUDGET], since: 0, over: false }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      // The move uses the time, so only the server makes it.
      client: false,
      move: ({ G, playerID }, from, to, promotion) => {
        const chess = new Chess(G.fen);
        try {
          chess.move({ from, to, promotion });
        } catch {
          return core.INVALID_MOVE;
        }
        const now = Date.now();
        if (G.since) G.left[Number(playerID)] += INCREMENT - (now - G.since);
        G.since = now;
        G.fen = chess.fen();
        G.over = chess.isGameOver();
      },
    },
  },
  endIf: ({ G }) => (G.over ? { over: true } : undefined),
};

class SqliteStorage extends internal.Sync {
  matches = new Map();

  createMatch(matchID, { initialState, metadata }) {
    this.matches.set(matchID, { state: initialState, initialState, metadata, log: [] });
  }

  setState(matchID, state, deltalog = []) {
    const match = this.matches.get(matchID);
    match.state = state;
    match.log.push(...deltalog);
    for (const { action, turn } of deltalog) {
      if (action.type === 'MAKE_MOVE') append([matchID, turn, action.payload.args.join(''), state.G.since]);
    }
  }

  setMetadata(matchID, metadata) {
    this.matches.get(matchID).metadata = metadata;
  }

  fetch(matchID) {
    return this.matches.get(matchID) ?? {};
  }

  wipe(matchID) {
    this.matches.delete(matchID);
  }

  listMatches() {
    return [...this.matches.keys()];
  }
}

const server = boardgame.Server({ games: [game], db: new SqliteStorage(), origins: ['http://127.0.0.1'] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, listening) => listen(port, '127.0.0.1', listening);
const { appServer } = await server.run(0);
console.log(appServer.address().port);
