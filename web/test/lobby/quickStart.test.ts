/** Presets and whom a quick match would join. */

import { describe, expect, it, vi } from "vitest";
import type { LobbyRow } from "../../src/net/protocol";

const memory = vi.hoisted(() => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage });
  return kept;
});

const { plain, waitingFor, waitingOtherwise } = await import("../../src/lobby/quickStart");
const { presets } = await import("../../src/games/chess/presets");

const CARD = { name: "chess", seats: 2, bots: ["level1"], phrases: [] };
const row = (some: Partial<LobbyRow>): LobbyRow => ({ id: "r", code: "1", game: "chess", phase: "waiting", names: ["Bo", null], ...some });
const choose = (options: object, preset = 0) => memory.set("qipai.table.chess", JSON.stringify({ options, clock: { preset, minutes: 10, other: null, seconds: 5 } }));

describe("a chosen way to play", () => {
  it("is the same with and without its default values", () => {
    expect(plain({ fog: true, dice: "", mines: 0 })).toBe(plain({ fog: true }));
    expect(plain({ mines: 5, fog: true })).toBe(plain({ fog: true, mines: 5 }));
    expect(plain(null)).toBe(plain({}));
    expect(plain({ mines: 5 })).not.toBe(plain({ mines: 6 }));
  });

  it("differs from every other preset", () => {
    expect(new Set(presets.map(({ options }) => plain(options))).size).toBe(presets.length);
  });
});

describe("waiting tables", () => {
  it("count if they have the chosen options and clock, a free seat and another player", () => {
    choose({ fog: true }, 2);
    const clock = { main: [180_000], increment: 2_000 };
    const fits = row({ options: { fog: true }, clock });
    expect(waitingFor(CARD, [fits], [])).toBe(1);
    expect(waitingFor(CARD, [fits], ["r"])).toBe(0);
    for (const other of [{ options: null }, { clock: null }, { names: ["Bo", "Cy"] }, { phase: "playing" as const }, { game: "gomoku" }, { options: { fog: true, mines: 5 } }]) {
      expect(waitingFor(CARD, [{ ...fits, ...other }], [])).toBe(0);
    }
    choose({});
    expect(waitingFor(CARD, [row({}), row({ id: "s", options: null, clock: null })], [])).toBe(2);
  });
});

describe("somebody who waits for another clock or twist", () => {
  it("is named if present, and not if the chosen way fits", () => {
    choose({});
    const other = row({ id: "o", options: { fog: true } });
    expect(waitingOtherwise(CARD, [row({}), other], [])?.id).toBe("o");
    expect(waitingOtherwise(CARD, [row({})], [])).toBeUndefined();
    expect(waitingOtherwise(CARD, [other], ["o"])).toBeUndefined();
    expect(waitingOtherwise(CARD, [{ ...other, seats: [{ name: "Bo", bot: "", disconnected: true }, null] } as LobbyRow], [])).toBeUndefined();
    expect(waitingOtherwise(CARD, [{ ...other, seats: [{ name: "Bo", bot: "level1" }, null] } as LobbyRow], [])).toBeUndefined();
  });
});
