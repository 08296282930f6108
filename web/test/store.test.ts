import { describe, expect, it } from "vitest";
import { EMPTY, forget, reduce, unwatched, type State } from "../src/store";
import type { Happened, Notice, RoomView, TictactoePosition } from "../src/wire";

const POSITION: TictactoePosition = {
  left: 0, x: 1, first: 0, turn: 0, board: ".........", round: 0,
  wins: [0, 0], draws: 0, resting: false, taken: null, lines: [],
};

const VIEW: RoomView = {
  id: "r", code: "1234", game: "tictactoe", options: {}, table: {}, phase: "playing",
  chairs: [{ name: "Ada" }, { name: "Bo" }], match: 1, commitment: "c", position: POSITION, to_act: [0],
};

const events = (version: number, list: Happened["events"], more: Partial<Happened> = {}): Happened => ({
  type: "events", room: "r", version, at: 0, events: list, to_act: [0], ...more,
});

const after = (...notices: Notice[]): State =>
  notices.reduce((state, notice) => reduce(state, notice).state, EMPTY);

const shown: Notice = { type: "room", room: VIEW, version: 5, at: 0, you: 0 };
const room = (state: State) => state.tables["r"]!.room;

describe("a table with secrets", () => {
  it("shows them when it is told, and asks for nothing", () => {
    const fogged = { white: 0, turn: 0, fen: "", board: "?".repeat(64) };
    const bare = { white: 0, turn: 0, fen: "8/8/8/8/8/8/8/8 w - - 0 1" };
    const before = after({ ...shown, room: { ...VIEW, game: "chess", options: { fog: true }, position: fogged } });
    const end = events(6, [
      { e: "over", winners: [0], reason: "mate", seed: "00" },
      { e: "unveiled", position: bare },
    ]);
    const { state, ask } = reduce(before, end);
    expect(room(state).position).toEqual(bare);
    expect(ask).toEqual([]);
  });
});

describe("a table", () => {
  it("advances by one version and ignores what it has seen", () => {
    const state = after(shown, events(6, [{ e: "marked", seat: 0, cell: 4 }], { to_act: [1] }));
    expect(state.tables["r"]?.version).toBe(6);
    expect(room(state).position).toMatchObject({ board: "....O...." });
    expect(room(state).to_act).toEqual([1]);
    expect(reduce(state, events(6, [{ e: "stood", seat: 0 }])).state).toBe(state);
  });

  it("knows how many look on, until the line is cut", () => {
    const state = after(shown, { type: "watching", room: "r", watching: 3 }, { type: "watching", room: "elsewhere", watching: 9 });
    expect([room(after(shown)).watching, room(state).watching, state.tables["r"]?.version]).toEqual([0, 3, 5]);
    expect(room(unwatched(state)).watching).toBe(0);
    expect(Object.keys(state.tables)).toEqual(["r"]);
  });

  it("asks once for a missing version and stays where it was", () => {
    const first = reduce(after(shown), events(7, []));
    expect(first.ask).toEqual([{ type: "resume", room: "r", version: 5 }]);
    const second = reduce(first.state, events(8, []));
    expect(second.ask).toEqual([]);
    expect(second.state.tables["r"]?.version).toBe(5);
    const mended = after(shown, events(7, []), events(6, []), events(7, []));
    expect(mended.tables["r"]).toMatchObject({ version: 7, behind: false });
  });

  it("learns from `done` that something is missing", () => {
    expect(reduce(after(shown), { type: "done", room: "r", version: 6 }).ask).toHaveLength(1);
    expect(reduce(after(shown), { type: "done", room: "r", version: 5 }).ask).toHaveLength(0);
  });

  it("is shown whole again after a gap", () => {
    const state = after(shown, events(9, []), { type: "room", room: VIEW, version: 9, at: 0, you: null });
    expect(state.tables["r"]).toMatchObject({ version: 9, behind: false, you: null });
  });

  it("knows people who sit, leave, drop out and come back", () => {
    const away = after(shown, events(6, [{ e: "away", seat: 1, until: 99 }]));
    expect(room(away).chairs[1]).toMatchObject({ name: "Bo", away: true, until: 99 });
    const back = reduce(away, events(7, [{ e: "back", seat: 1 }])).state;
    expect(room(back).chairs[1]).toMatchObject({ away: false, until: null });
    const left = reduce(back, events(8, [{ e: "stood", seat: 1 }])).state;
    expect(room(left).chairs[1]).toBeNull();
    const sat = reduce(left, events(9, [{ e: "sat", seat: 1, name: "Cy" }])).state;
    expect(room(sat).chairs[1]).toEqual({ name: "Cy" });
  });

  it("is no longer ours when our chair is empty", () => {
    expect(after(shown, events(6, [{ e: "stood", seat: 0 }])).tables["r"]?.you).toBeNull();
  });

  it("keeps offers until they are answered or lapse", () => {
    const offer = { id: 1, kind: "rematch", seat: 0, asked: [1] } as const;
    const asked = after(shown, events(6, [{ e: "offered", offer }]));
    expect(room(asked).offers).toEqual([offer]);
    for (const yes of [true, false]) {
      const answer = events(7, [{ e: "answered", offer: 1, kind: "rematch", seat: 1, yes }]);
      expect(room(reduce(asked, answer).state).offers).toEqual([]);
    }
    expect(room(reduce(asked, events(7, [{ e: "lapsed", offer: 1 }])).state).offers).toEqual([]);
  });

  it("plays gomoku: stones, a line, a stone taken back, colours swapped", () => {
    const empty = { black: 0, turn: 0, moves: [], line: [] };
    const board: Notice = { ...shown, room: { ...VIEW, game: "gomoku", position: empty } };
    const won = after(
      board,
      events(6, [{ e: "placed", seat: 0, x: 7, y: 7 }], { to_act: [1] }),
      events(7, [{ e: "placed", seat: 1, x: 8, y: 7 }, { e: "lined", cells: [112, 113] }]),
    );
    expect(room(won).position).toEqual({ black: 0, turn: 0, moves: [112, 113], line: [112, 113] });
    const undone = after(board, events(6, [{ e: "undone", position: { ...empty, moves: [3] } }]));
    expect(room(undone).position).toMatchObject({ moves: [3] });
    const swapped = after(board, events(6, [{ e: "swapped", position: { ...empty, black: 1, turn: 1 } }]));
    expect(room(swapped).position).toEqual({ black: 1, turn: 1, moves: [], line: [] });
  });

  it("waits for everybody who was asked", () => {
    const offer = { id: 1, kind: "draw", seat: 0, asked: [1, 2] } as const;
    const yes = { e: "answered", offer: 1, kind: "draw", seat: 1, yes: true } as const;
    expect(room(after(shown, events(6, [{ e: "offered", offer }, yes]))).offers[0]?.asked).toEqual([2]);
  });

  it("ends with a result and a seed, and begins anew without them", () => {
    const over = after(shown, events(6, [{ e: "over", winners: [1], reason: "resigned", seed: "5eed" }], { to_act: [] }));
    expect(room(over)).toMatchObject({ phase: "over", result: { winners: [1] }, seed: "5eed", to_act: [] });
    const again = reduce(over, events(7, [{ e: "dealt", match: 2, commitment: "d", position: POSITION }])).state;
    expect(room(again)).toMatchObject({ phase: "playing", match: 2, commitment: "d", result: null, seed: "" });
  });

  it("stops the clock when the game is over even if nobody says so", () => {
    const clock = { left: [1000, 1000], running: [0], grants: [null, null], since: [0, null], at: 0 };
    const clocked: Notice = { ...shown, room: { ...VIEW, clock } };
    const over = after(clocked, events(6, [{ e: "over", winners: [], reason: "time", seed: "" }]));
    expect(room(over).clock?.running).toEqual([]);
  });

  it("remembers the last fifty lines", () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      events(6 + index, [{ e: "said", line: { at: index, name: "Bo", text: `${index}`, seat: 1 } }]),
    );
    const { chat } = room(after(shown, ...lines));
    expect([chat.length, chat[0]?.text]).toEqual([50, "10"]);
  });

  it("does not stumble over an event it does not know", () => {
    const odd = { e: "earthquake" } as unknown as Happened["events"][number];
    expect(room(after(shown, events(6, [odd]))).position).toEqual(POSITION);
  });

  it("can be taken over by another tab and taken back", () => {
    const taken = after(shown, { type: "left", room: "r", replaced: true });
    expect(taken.tables["r"]?.replaced).toBe(true);
    expect(reduce(taken, shown).state.tables["r"]?.replaced).toBe(false);
  });

  it("is watched from here when its seat went to another device", () => {
    const moved = after(shown, { type: "left", room: "r", reason: "moved" });
    expect(moved.tables["r"]).toMatchObject({ you: null, moved: true, replaced: false });
    expect(moved.mine).toEqual([]);
    expect(reduce(moved, { ...shown, you: null }).state.tables["r"]?.moved).toBe(true);
    expect(reduce(moved, shown).state.tables["r"]).toMatchObject({ you: 0, moved: false });
  });

  it("lets watchers be heard at once, whatever version they have", () => {
    const line = { at: 1, name: "Cy", text: "psst", aside: true };
    const heard = after(shown, { type: "whisper", room: "r", line });
    expect(room(heard).chat).toEqual([line]);
    expect(heard.tables["r"]?.version).toBe(5);
    expect(after({ type: "whisper", room: "r", line }).tables).toEqual({});
  });

  it("knows since when somebody is away, and whether the chat is closed", () => {
    const gone = after(shown, events(6, [{ e: "away", seat: 1, until: null }, { e: "hushed", seat: 0, closed: true }], { at: 7 }));
    expect(room(gone).chairs[1]).toMatchObject({ away: true, lost: 7, until: null });
    expect(room(gone).hushed).toBe(true);
  });

  it("is forgotten when we leave it", () => {
    const gone = after(shown, { type: "left", room: "r", replaced: false });
    expect([gone.tables, gone.mine]).toEqual([{}, []]);
    expect(forget(after(shown), "r").tables).toEqual({});
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

  it("that says the table is gone removes it", () => {
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
