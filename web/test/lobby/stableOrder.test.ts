/** Order of the table list, and the activity of games. */

import { describe, expect, it } from "vitest";
import { activityOf, keepOrder, sortedSlots } from "../../src/lobby/stableOrder";
import type { LobbyRow, Phase } from "../../src/net/protocol";

function row(id: string, phase: Phase, since: number, more: Partial<LobbyRow> = {}): LobbyRow {
  return { id, code: id, game: "chess", phase, names: phase === "waiting" ? ["Ada", null] : ["Ada", "Bo"], since, ...more };
}

const rows = (...list: LobbyRow[]) => new Map(list.map((one) => [one.id, one]));
const order = (slots: ReturnType<typeof sortedSlots>) => slots.map((slot) => `${slot.row.id}${slot.removed ? " gone" : ""}`);

describe("the list of tables", () => {
  it("sorts waiting tables first, the longest wait before the others", () => {
    const list = rows(row("old game", "playing", 1), row("late", "waiting", 9), row("early", "waiting", 5), row("game", "playing", 7));
    expect(order(sortedSlots(list.values()))).toEqual(["early", "late", "old game", "game"]);
  });

  it("keeps its order while it is held: removed tables are marked, new ones are last", () => {
    const before = sortedSlots([row("a", "waiting", 1), row("b", "waiting", 2), row("c", "playing", 3)]);
    const now = rows(row("new", "waiting", 0), row("c", "playing", 3), row("a", "playing", 1));
    const held = keepOrder(before, now);
    expect(order(held)).toEqual(["a", "b gone", "c", "new"]);
    expect(held[0]!.row.phase).toBe("playing");
    expect(order(keepOrder(held, rows(row("b", "waiting", 2))))).toEqual(["a gone", "b", "c gone", "new gone"]);
    expect(order(sortedSlots(now.values()))).toEqual(["new", "a", "c"]);
  });
});

describe("the activity of a game", () => {
  it("counts only tables that a quick match would join as waiting", () => {
    const list = [
      row("1", "waiting", 1),
      row("2", "waiting", 1, { clock: { move: 1000 } }),
      row("3", "waiting", 1, { options: { fog: true } }),
      row("4", "waiting", 1, { game: "gomoku" }),
      row("5", "waiting", 1),
      row("6", "playing", 1, { clock: { move: 1000 } }),
    ];
    expect(activityOf(list, "chess", ["5"])).toEqual({ waiting: 1, special: 2, playing: 1 });
    expect(activityOf(list, "mahjong")).toEqual({ waiting: 0, special: 0, playing: 0 });
  });
});
