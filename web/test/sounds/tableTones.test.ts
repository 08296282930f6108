/** What is heard and notified when a table changes. */

import { describe, expect, it } from "vitest";
import type { GameParts } from "../../src/games/gameInterface";
import type { GameName, OfferView, RoomEvents, RoomView } from "../../src/net/protocol";
import { completeRoom } from "../../src/net/roomReducer";
import type { TableState } from "../../src/net/store";
import { alertOf, tonesOf, waitsForYou, type Attention } from "../../src/sounds/tableTones";

const AT_THE_TABLE: Attention = { hidden: false, here: true, muted: {}, blocked: [] };
const HIDDEN: Attention = { ...AT_THE_TABLE, hidden: true };
const IN_THE_LOBBY: Attention = { ...AT_THE_TABLE, here: false };

const parts = {
  tone: ({ e }: { e: string }) => ({ moved: "move", taken: "capture", called: "pong" })[e] ?? null,
  hasMoves: (position: { moves: number }) => position.moves > 0,
} as unknown as GameParts<GameName>;
const ORDER = ["pong", "capture", "move"];

function table(room: Partial<RoomView> & { offers?: readonly OfferView[] } = {}, seen: Partial<TableState> = {}, events: readonly object[] = []): TableState {
  const view: RoomView = {
    id: "r", code: "1", game: "chess", options: {}, table: {}, phase: "playing", match: 1, commitment: "c",
    seats: [{ name: "Ada" }, { name: "Bo" }], position: { moves: 3 } as never, to_act: [1], ...room,
  };
  const last = events.length > 0 ? ({ type: "events", room: "r", version: 2, at: 0, events, to_act: [] } as unknown as RoomEvents) : null;
  return { room: completeRoom(view), version: 1, you: 0, behind: false, replaced: false, seatMoved: false, last, ...seen };
}

const heard = (before: TableState, now: TableState, at = AT_THE_TABLE) => tonesOf({ before, now, alert: alertOf(before, now) }, parts, ORDER, at);

describe("a move", () => {
  it("is heard at its table, the most important of several events", () => {
    expect(heard(table(), table({}, {}, [{ e: "moved" }]))).toEqual(["move"]);
    expect(heard(table(), table({}, {}, [{ e: "moved" }, { e: "called" }, { e: "taken" }]))).toEqual(["pong"]);
    expect(heard(table(), table({}, {}, [{ e: "unknown" }]))).toEqual([]);
    const change = { before: table(), now: table({}, {}, [{ e: "moved" }]), alert: null };
    expect(tonesOf(change, undefined, ORDER, AT_THE_TABLE)).toEqual([]);
  });

  it("is heard once, and not in the lobby", () => {
    const now = table({}, {}, [{ e: "moved" }]);
    expect(heard(now, { ...now, version: 3 })).toEqual([]);
    expect(heard(table(), now, IN_THE_LOBBY)).toEqual([]);
  });
});

describe("the user's turn", () => {
  const now = table({ to_act: [0] }, {}, [{ e: "moved" }]);

  it("is heard where the move is not seen: in a hidden tab and in the lobby", () => {
    expect(heard(table(), now)).toEqual(["move"]);
    expect(heard(table(), now, HIDDEN)).toEqual(["move", "turn"]);
    expect(heard(table(), now, IN_THE_LOBBY)).toEqual(["turn"]);
    expect(alertOf(table(), now)).toEqual({ about: "turn" });
  });

  it("is told once, to the player only, and where the seat is held", () => {
    expect(alertOf(now, table({ to_act: [0] }, {}, [{ e: "moved" }]))).toBeNull();
    for (const seen of [{ you: null }, { you: 1 }, { replaced: true }]) expect(alertOf(table({ to_act: [] }, seen), { ...now, ...seen })).toBeNull();
  });

  it("is also a claim that some others may make, but not a step that everybody takes", () => {
    const seats = [{ name: "Ada" }, { name: "Bo" }, { name: "Cy" }];
    expect(waitsForYou(table({ seats, to_act: [0, 2] }))).toBe(true);
    expect(waitsForYou(table({ seats, to_act: [0, 1, 2] }))).toBe(false);
    expect(waitsForYou(table({ seats, to_act: [0], phase: "over" }))).toBe(false);
  });
});

describe("a seat that is taken", () => {
  const waiting = table({ phase: "waiting", seats: [{ name: "Ada" }, null], to_act: [] });

  it("is told wherever the user is, instead of the turn", () => {
    const now = table({ to_act: [0] }, {}, [{ e: "seat_taken" }, { e: "game_started" }]);
    expect(alertOf(waiting, now)).toEqual({ about: "seat", seat: 1 });
    for (const at of [AT_THE_TABLE, HIDDEN, IN_THE_LOBBY]) expect(heard(waiting, now, at)).toEqual(["seat"]);
  });

  it("is not told about bots, reserved seats, the user's own seat, or to spectators", () => {
    for (const one of [{ name: "", bot: "easy" }, { name: "Bo", reserved: true }]) {
      expect(alertOf(waiting, table({ phase: "waiting", seats: [{ name: "Ada" }, one], to_act: [] }))).toBeNull();
    }
    const watching = { ...waiting, you: null };
    expect(alertOf(watching, table({ phase: "waiting", to_act: [] }, { you: 1 }))).toBeNull();
    expect(alertOf(watching, table({ phase: "waiting", to_act: [] }, { you: null }))).toBeNull();
  });
});

describe("an offer", () => {
  const over = table({ phase: "over", to_act: [] });
  const offer: OfferView = { id: 4, kind: "rematch", seat: 1, asked: [0] };

  it("is told to the player who is asked, once", () => {
    const now = table({ phase: "over", to_act: [], offers: [offer] });
    expect(alertOf(over, now)).toEqual({ about: "offer", seat: 1, kind: "rematch" });
    expect(heard(over, now, HIDDEN)).toEqual(["seat"]);
    expect(alertOf(now, now)).toBeNull();
    expect(alertOf(over, table({ phase: "over", to_act: [], offers: [{ ...offer, seat: 0, asked: [1] }] }))).toBeNull();
  });
});

describe("the end of a game", () => {
  const end = (winners: readonly number[], you: number | null = 0, moves = 3) =>
    heard(table({}, { you }), table({ phase: "over", to_act: [], result: { winners, reason: "mate" }, position: { moves } as never }, { you }, [{ e: "moved" }, { e: "game_over" }]));

  it("is heard after the last move: won, or lost and drawn", () => {
    expect(end([0])).toEqual(["move", "won"]);
    expect(end([1])).toEqual(["move", "lost"]);
    expect(end([])).toEqual(["move", "lost"]);
  });

  it("is a win to a spectator if somebody has won, and to nobody without a move", () => {
    expect(end([1], null)).toEqual(["move", "won"]);
    expect(end([], null)).toEqual(["move", "lost"]);
    expect(end([0], 0, 0)).toEqual(["move", "lost"]);
  });

  it("is not heard when an ended game is opened", () => {
    const over = table({ phase: "over", to_act: [], result: { winners: [0], reason: "mate" } });
    expect(heard(over, { ...over, version: 2 })).toEqual([]);
  });
});

describe("a chat line", () => {
  const said = (line: object) => table({}, {}, [{ e: "said", line: { at: 0, text: "hi", ...line } }]);

  it("is heard if somebody else wrote it whom the user has not muted", () => {
    expect(heard(table(), said({ name: "Bo", seat: 1 }))).toEqual(["chat"]);
    expect(heard(table(), said({ name: "Ada" }))).toEqual(["chat"]);
    expect(heard(table(), said({ name: "Ada", seat: 0 }))).toEqual([]);
    expect(heard(table(), said({ name: "Bo", seat: 1 }), { ...AT_THE_TABLE, muted: { r: ["1 Bo"] } })).toEqual([]);
    expect(heard(table(), said({ name: "Bo", seat: 1 }), { ...AT_THE_TABLE, blocked: ["Bo"] })).toEqual([]);
    expect(heard(table(), said({ name: "Bo", seat: 1 }), IN_THE_LOBBY)).toEqual([]);
  });
});
