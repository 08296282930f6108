import { describe, expect, it } from "vitest";
import { bustle, hold, settle } from "../src/slots";
import type { LobbyRow, Phase } from "../src/wire";

function row(id: string, phase: Phase, since: number, more: Partial<LobbyRow> = {}): LobbyRow {
  return { id, code: id, game: "chess", phase, names: phase === "waiting" ? ["Ada", null] : ["Ada", "Bo"], since, ...more };
}

const rows = (...list: LobbyRow[]) => new Map(list.map((one) => [one.id, one]));
const order = (slots: ReturnType<typeof settle>) => slots.map((slot) => `${slot.row.id}${slot.gone ? " gone" : ""}`);

describe("the list of tables", () => {
  it("shows first who waits, and first of them who has waited longest", () => {
    const list = rows(row("old game", "playing", 1), row("late", "waiting", 9), row("early", "waiting", 5), row("game", "playing", 7));
    expect(order(settle(list.values()))).toEqual(["early", "late", "old game", "game"]);
  });

  it("moves nothing while it is held: what changes stays, what is gone says so, what is new comes last", () => {
    const before = settle([row("a", "waiting", 1), row("b", "waiting", 2), row("c", "playing", 3)]);
    const now = rows(row("new", "waiting", 0), row("c", "playing", 3), row("a", "playing", 1));
    const held = hold(before, now);
    expect(order(held)).toEqual(["a", "b gone", "c", "new"]);
    expect(held[0]!.row.phase).toBe("playing");
    expect(order(hold(held, rows(row("b", "waiting", 2))))).toEqual(["a gone", "b", "c gone", "new gone"]);
    expect(order(settle(now.values()))).toEqual(["new", "a", "c"]);
  });
});

describe("what goes on with a game", () => {
  it("counts as waiting only who is met by a quick match", () => {
    const list = [
      row("1", "waiting", 1),
      row("2", "waiting", 1, { clock: { move: 1000 } }),
      row("3", "waiting", 1, { options: { fog: true } }),
      row("4", "waiting", 1, { game: "gomoku" }),
      row("5", "waiting", 1),
      row("6", "playing", 1, { clock: { move: 1000 } }),
    ];
    expect(bustle(list, "chess", ["5"])).toEqual({ waiting: 1, special: 2, playing: 1 });
    expect(bustle(list, "mahjong")).toEqual({ waiting: 0, special: 0, playing: 0 });
  });
});
