/** What reaches the player of sounds and the notifications when a table changes. */

import { beforeEach, expect, it, vi } from "vitest";
import type { TableState } from "../../src/net/store";

const { heard, notified } = vi.hoisted(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage });
  return { heard: [] as unknown[], notified: [] as unknown[] };
});
vi.mock("../../src/sounds/player", () => ({
  soundsOf: async () => ({ boom: {}, move: {} }),
  playTones: async (tones: readonly string[], game: string) => heard.push([game, ...tones]),
}));
vi.mock("../../src/sounds/notifications", () => ({ notify: async ({ id }: { id: string }, { about }: { about: string }) => notified.push([id, about]) }));
vi.mock("../../src/table/tones", async (original) => ({ ...(await original<object>()), audioOutput: () => ({}) }));

const { tell } = await import("../../src/sounds/alerts");
const { outsideGames } = await import("../../src/games/outsideGames");
const { completeRoom } = await import("../../src/net/roomReducer");
const { route } = await import("../../src/app/route");

const page = { hidden: false };
vi.stubGlobal("document", page);

const table = (acting: readonly number[], version: number): TableState => ({
  room: completeRoom({
    id: "r", code: "1", game: "go", options: {}, table: {}, phase: "playing", match: 1, commitment: "c",
    seats: [{ name: "Ada" }, { name: "Bo" }], position: {} as never, to_act: acting,
  }),
  version,
  you: 0,
  behind: false,
  replaced: false,
  seatMoved: false,
  last: { type: "events", room: "r", version, at: 0, events: [{ e: "placed" } as never], to_act: acting },
});
const install = (movesItself?: () => Promise<boolean>) =>
  (outsideGames.value = new Map([["go", { game: { tone: () => "move", movesItself }, reduce: () => ({}) } as never]]));
const turn = () => tell(table([1], 1), table([0], 2)).then(() => vi.dynamicImportSettled());

beforeEach(() => {
  heard.length = notified.length = 0;
  page.hidden = false;
  route.value = { at: "table", room: "r" };
  install();
});

it("plays at the table, and notifies only if the tab is hidden", async () => {
  await turn();
  expect([heard, notified]).toEqual([[["go", "move"]], []]);
  page.hidden = true;
  await turn();
  expect([heard[1], notified]).toEqual([["go", "move", "turn"], [["r", "turn"]]]);
});

it("plays only the turn if the page is elsewhere", async () => {
  route.value = { at: "lobby" };
  await turn();
  expect([heard, notified]).toEqual([[["go", "turn"]], []]);
});

it("does not tell the user to move if the board does it, or cannot tell", async () => {
  page.hidden = true;
  install(async () => true);
  await turn();
  expect([heard, notified]).toEqual([[["go", "move"]], []]);
  const broken = () => {
    throw new Error("broken");
  };
  for (const cannotTell of [async () => Promise.reject(new Error("offline")), broken, () => undefined as never]) {
    heard.length = notified.length = 0;
    install(cannotTell);
    await turn();
    expect([heard, notified]).toEqual([[["go", "move", "turn"]], [["r", "turn"]]]);
  }
});
