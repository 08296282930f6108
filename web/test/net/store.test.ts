/** State of the page. */

import { describe, expect, it } from "vitest";
import { EMPTY_STATE, withOutdatedTables, withoutTable, reduce, withoutSpectating, type State } from "../../src/net/store";
import type { RoomEvents, Notice, RoomView, TictactoePosition } from "../../src/net/protocol";

const POSITION: TictactoePosition = {
  left: 0, x: 1, first: 0, turn: 0, board: ".........", round: 0,
  wins: [0, 0], draws: 0, resting: false, taken: null, lines: [],
};

const VIEW: RoomView = {
  id: "r", code: "1234", game: "tictactoe", options: {}, table: {}, phase: "playing",
  seats: [{ name: "Ada" }, { name: "Bo" }], match: 1, commitment: "c", position: POSITION, to_act: [0],
};

const events = (version: number, list: RoomEvents["events"], more: Partial<RoomEvents> = {}): RoomEvents => ({
  type: "events", room: "r", version, at: 0, events: list, to_act: [0], ...more,
});

const after = (...notices: Notice[]): State =>
  notices.reduce((state, notice) => reduce(state, notice).state, EMPTY_STATE);

const shown: Notice = { type: "room", room: VIEW, version: 5, at: 0, you: 0 };
const room = (state: State) => state.tables["r"]!.room;

describe("a table with hidden information", () => {
  it("shows it when it is revealed, without a request", () => {
    const fogged = { white: 0, turn: 0, fen: "", board: "?".repeat(64) };
    const bare = { white: 0, turn: 0, fen: "8/8/8/8/8/8/8/8 w - - 0 1" };
    const before = after({ ...shown, room: { ...VIEW, game: "chess", options: { fog: true }, position: fogged } });
    const end = events(6, [
      { e: "game_over", winners: [0], reason: "mate", seed: "00" },
      { e: "secrets_revealed", position: bare },
    ]);
    const { state, intents } = reduce(before, end);
    expect(room(state).position).toEqual(bare);
    expect(intents).toEqual([]);
  });
});

describe("a table", () => {
  it("advances by one version and ignores what it has seen", () => {
    const state = after(shown, events(6, [{ e: "marked", seat: 0, cell: 4 }], { to_act: [1] }));
    expect(state.tables["r"]?.version).toBe(6);
    expect(room(state).position).toMatchObject({ board: "....O...." });
    expect(room(state).to_act).toEqual([1]);
    expect(reduce(state, events(6, [{ e: "seat_left", seat: 0 }])).state).toBe(state);
  });

  it("knows the number of spectators until the connection is lost", () => {
    const state = after(shown, { type: "spectators", room: "r", spectators: 3 }, { type: "spectators", room: "elsewhere", spectators: 9 });
    expect([room(after(shown)).spectators, room(state).spectators, state.tables["r"]?.version]).toEqual([0, 3, 5]);
    expect(room(withoutSpectating(state)).spectators).toBe(0);
    expect(Object.keys(state.tables)).toEqual(["r"]);
  });

  it("requests a missing version once and keeps its state", () => {
    const first = reduce(after(shown), events(7, []));
    expect(first.intents).toEqual([{ type: "resume", room: "r", version: 5 }]);
    const second = reduce(first.state, events(8, []));
    expect(second.intents).toEqual([]);
    expect(second.state.tables["r"]?.version).toBe(5);
    const mended = after(shown, events(7, []), events(6, []), events(7, []));
    expect(mended.tables["r"]).toMatchObject({ version: 7, behind: false });
  });

  it("learns from `done` that something is missing", () => {
    expect(reduce(after(shown), { type: "unchanged", room: "r", version: 6 }).intents).toHaveLength(1);
    expect(reduce(after(shown), { type: "unchanged", room: "r", version: 5 }).intents).toHaveLength(0);
  });

  it("is replaced by a full room after a gap", () => {
    const state = after(shown, events(9, []), { type: "room", room: VIEW, version: 9, at: 0, you: null });
    expect(state.tables["r"]).toMatchObject({ version: 9, behind: false, you: null });
  });

  it("tracks players who join, leave, disconnect and reconnect", () => {
    const away = after(shown, events(6, [{ e: "disconnected", seat: 1, forfeits_at: 99 }]));
    expect(room(away).seats[1]).toMatchObject({ name: "Bo", disconnected: true, forfeits_at: 99 });
    const back = reduce(away, events(7, [{ e: "reconnected", seat: 1 }])).state;
    expect(room(back).seats[1]).toMatchObject({ disconnected: false, forfeits_at: null });
    const left = reduce(back, events(8, [{ e: "seat_left", seat: 1 }])).state;
    expect(room(left).seats[1]).toBeNull();
    const sat = reduce(left, events(9, [{ e: "seat_taken", seat: 1, name: "Cy" }])).state;
    expect(room(sat).seats[1]).toEqual({ name: "Cy" });
  });

  it("is no longer the user's table when the seat is empty", () => {
    expect(after(shown, events(6, [{ e: "seat_left", seat: 0 }])).tables["r"]?.you).toBeNull();
  });

  it("keeps offers until they are answered or lapse", () => {
    const offer = { id: 1, kind: "rematch", seat: 0, asked: [1] } as const;
    const asked = after(shown, events(6, [{ e: "offer_made", offer }]));
    expect(room(asked).offers).toEqual([offer]);
    for (const yes of [true, false]) {
      const answer = events(7, [{ e: "offer_answered", offer: 1, kind: "rematch", seat: 1, yes }]);
      expect(room(reduce(asked, answer).state).offers).toEqual([]);
    }
    expect(room(reduce(asked, events(7, [{ e: "offer_ended", offer: 1 }])).state).offers).toEqual([]);
  });

  it("plays gomoku: stones, a line, a stone taken back, colours swapped", () => {
    const empty = { black: 0, turn: 0, moves: [], line: [] };
    const board: Notice = { ...shown, room: { ...VIEW, game: "gomoku", position: empty } };
    const won = after(
      board,
      events(6, [{ e: "placed", seat: 0, x: 7, y: 7 }], { to_act: [1] }),
      events(7, [{ e: "placed", seat: 1, x: 8, y: 7 }, { e: "five_in_row", cells: [112, 113] }]),
    );
    expect(room(won).position).toEqual({ black: 0, turn: 0, moves: [112, 113], line: [112, 113] });
    const undone = after(board, events(6, [{ e: "move_undone", position: { ...empty, moves: [3] } }]));
    expect(room(undone).position).toMatchObject({ moves: [3] });
    const swapped = after(board, events(6, [{ e: "sides_swapped", position: { ...empty, black: 1, turn: 1 } }]));
    expect(room(swapped).position).toEqual({ black: 1, turn: 1, moves: [], line: [] });
  });

  it("waits for every player who was asked", () => {
    const offer = { id: 1, kind: "draw", seat: 0, asked: [1, 2] } as const;
    const yes = { e: "offer_answered", offer: 1, kind: "draw", seat: 1, yes: true } as const;
    expect(room(after(shown, events(6, [{ e: "offer_made", offer }, yes]))).offers[0]?.asked).toEqual([2]);
  });

  it("ends with a result and a seed, and restarts without them", () => {
    const over = after(shown, events(6, [{ e: "game_over", winners: [1], reason: "resigned", seed: "5eed" }], { to_act: [] }));
    expect(room(over)).toMatchObject({ phase: "over", result: { winners: [1] }, seed: "5eed", to_act: [] });
    const again = reduce(over, events(7, [{ e: "game_started", match: 2, commitment: "d", position: POSITION }])).state;
    expect(room(again)).toMatchObject({ phase: "playing", match: 2, commitment: "d", result: null, seed: "" });
  });

  it("stops the clock when the game is over", () => {
    const clock = { left: [1000, 1000], running: [0], grants: [null, null], since: [0, null], at: 0 };
    const clocked: Notice = { ...shown, room: { ...VIEW, clock } };
    const over = after(clocked, events(6, [{ e: "game_over", winners: [], reason: "time", seed: "" }]));
    expect(room(over).clock?.running).toEqual([]);
  });

  it("remembers the last fifty lines", () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      events(6 + index, [{ e: "said", line: { at: index, name: "Bo", text: `${index}`, seat: 1 } }]),
    );
    const { chat } = room(after(shown, ...lines));
    expect([chat.length, chat[0]?.text]).toEqual([50, "10"]);
  });

  it("ignores an unknown event", () => {
    const odd = { e: "earthquake" } as unknown as RoomEvents["events"][number];
    expect(room(after(shown, events(6, [odd]))).position).toEqual(POSITION);
  });

  it("can be taken over by another tab and taken back", () => {
    const taken = after(shown, { type: "left", room: "r", replaced: true });
    expect(taken.tables["r"]?.replaced).toBe(true);
    expect(reduce(taken, shown).state.tables["r"]?.replaced).toBe(false);
  });

  it("is watched when its seat has moved to another device", () => {
    const moved = after(shown, { type: "left", room: "r", reason: "transferred" });
    expect(moved.tables["r"]).toMatchObject({ you: null, seatMoved: true, replaced: false });
    expect(moved.myRooms).toEqual([]);
    expect(reduce(moved, { ...shown, you: null }).state.tables["r"]?.seatMoved).toBe(true);
    expect(reduce(moved, shown).state.tables["r"]).toMatchObject({ you: 0, seatMoved: false });
  });

  it("shows the spectator chat at once, at any version", () => {
    const line = { at: 1, name: "Cy", text: "psst", spectators_only: true };
    const next = after(shown, { type: "spectator_chat", room: "r", line });
    expect(room(next).chat).toEqual([line]);
    expect(next.tables["r"]?.version).toBe(5);
    expect(after({ type: "spectator_chat", room: "r", line }).tables).toEqual({});
  });

  it("knows since when a player is disconnected, and whether the chat is restricted", () => {
    const gone = after(shown, events(6, [{ e: "disconnected", seat: 1, forfeits_at: null }, { e: "phrases_only_set", seat: 0, on: true }], { at: 7 }));
    expect(room(gone).seats[1]).toMatchObject({ disconnected: true, disconnected_at: 7, forfeits_at: null });
    expect(room(gone).phrases_only).toBe(true);
  });

  it("waits for the full room after its game was loaded", () => {
    const before = after(shown);
    const outdated = withOutdatedTables(before, [before.tables["r"]!]);
    expect(outdated.tables["r"]).toMatchObject({ version: 0, behind: true });
    // Nothing is asked again for events that arrive in between; they change nothing.
    const between = reduce(outdated, events(7, [{ e: "said", line: { at: 1, name: "Cy", text: "hm" } }]));
    expect([between.intents, room(between.state).chat]).toEqual([[], []]);
    expect(reduce(between.state, shown).state.tables["r"]).toMatchObject({ version: 5, behind: false });
  });

  it("is removed when the user leaves it", () => {
    const gone = after(shown, { type: "left", room: "r", replaced: false });
    expect([gone.tables, gone.myRooms]).toEqual([{}, []]);
    expect(withoutTable(after(shown), "r").tables).toEqual({});
  });
});

describe("a refusal", () => {
  it("of a table is kept for its page", () => {
    const state = after({ type: "refused", code: "no_such_room", room: "x" });
    expect(state.closed).toEqual({ x: "no_such_room" });
  });

  it("of a command is not", () => {
    expect(after(shown, { type: "refused", code: "occupied", room: "r", nonce: "n" }).closed).toEqual({});
  });

  it("removes a table that does not exist any more", () => {
    const state = after(shown, { type: "refused", code: "no_such_room", room: "r", nonce: "n" });
    expect([state.tables, state.closed]).toEqual([{}, { r: "no_such_room" }]);
  });
});

describe("the lobby", () => {
  const row = (id: string) => ({ id, code: "1", game: "tictactoe", phase: "waiting", names: ["A", null] }) as const;

  it("takes changes and forgets everything on a full list", () => {
    const first = after({ type: "lobby", online: 1, rooms: [row("a"), row("b")], full: true });
    const changed = reduce(first, { type: "lobby", online: 2, rooms: [row("c")], gone: ["a"] }).state;
    expect([...changed.lobby!.keys()]).toEqual(["b", "c"]);
    const full = reduce(changed, { type: "lobby", online: 2, full: true }).state;
    expect(full.lobby?.size).toBe(0);
  });
});

describe("the featured room", () => {
  it("is unknown at first, then a complete room or none", () => {
    expect(EMPTY_STATE.featured).toBeUndefined();
    const room = { id: "a", code: "1", game: "gomoku", options: {}, table: {}, phase: "playing", seats: [], match: 1, commitment: "" } as const;
    expect(reduce(EMPTY_STATE, { type: "featured", room, at: 1 }).state.featured).toMatchObject({ id: "a", chat: [], spectators: 0 });
    expect(reduce(EMPTY_STATE, { type: "featured", room: null, at: 1 }).state.featured).toBeNull();
  });
});
