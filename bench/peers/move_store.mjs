// Stores moves in SQLite: all moves of one turn of the event loop in one transaction, before anybody is told.
// On better-sqlite3, or on Node's own SQLite where that could not be built.
const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table moves (room text, ply integer, move text, at integer);
`;

async function open(path) {
  try {
    const { default: Database } = await import('better-sqlite3');
    return new Database(path);
  } catch {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(path);
  }
}

export async function openStore(path = 'moves.db') {
  const database = await open(path);
  database.exec(SCHEMA);
  const insert = database.prepare('insert into moves values (?, ?, ?, ?)');
  const [begin, commit] = ['begin', 'commit'].map((word) => database.prepare(word));
  let waiting = [];

  function flush() {
    const group = waiting;
    waiting = [];
    begin.run();
    for (const { row } of group) insert.run(...row);
    commit.run();
    for (const { stored } of group) stored?.();
  }

  // Calls `stored` after the move is committed.
  return function append(row, stored) {
    if (!waiting.length) setImmediate(flush);
    waiting.push({ row, stored });
  };
}
