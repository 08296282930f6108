import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIONS, tableRulesFrom, type NewTableOptions } from "../../src/dialogs/newTableOptions";
import { ratedObstacle, withRatedRules } from "../../src/dialogs/ratedChoice";
import { isUsual } from "../../src/games/chess/presets";
import type { GameParts } from "../../src/games/gameInterface";
import { ratedOptions } from "../../src/games/mahjong/ratedOptions";
import type { GameDescription, GameName } from "../../src/net/protocol";

const CLOCKS = { clockPresets: [null, { main: [300_000] }] };
const CHESS = { ...CLOCKS, ratedOptions: (options: object) => (isUsual(options) ? options : null) } as unknown as GameParts<GameName>;
const MAHJONG = { ...CLOCKS, ratedOptions } as unknown as GameParts<GameName>;
const UNRATED = { ...CLOCKS } as unknown as GameParts<GameName>;
const CARD = { name: "chess", seats: 2, bots: ["easy"], phrases: [], web: "" } as unknown as GameDescription;
const MAHJONG_CARD = { ...CARD, name: "mahjong", seats: 4 } as unknown as GameDescription;

function chosen(some: Partial<NewTableOptions> = {}): NewTableOptions {
  return { ...DEFAULT_OPTIONS, rated: true, clock: { ...DEFAULT_OPTIONS.clock, preset: 1 }, ...some };
}

const custom = (other: number | null) => ({ ...DEFAULT_OPTIONS.clock, preset: -1, other });

describe("what keeps a table from being rated", () => {
  it.each([
    ["nothing", null, CHESS, chosen()],
    ["nothing with twists as the lobby offers them", null, CHESS, chosen({ options: { fog: true, dice: "free", mines: 5 } })],
    ["nothing with custom times", null, CHESS, chosen({ clock: custom(null) })],
    ["a game without ratings", "game", UNRATED, chosen()],
    ["a bot", "bots", CHESS, chosen({ bot: "easy" })],
    ["no clock", "clock", CHESS, chosen({ clock: DEFAULT_OPTIONS.clock })],
    ["different times", "times", CHESS, chosen({ clock: custom(3) })],
    ["another number of mines", "options", CHESS, chosen({ options: { mines: 3 } })],
    ["another dice mode", "options", CHESS, chosen({ options: { dice: "sequential" } })],
    ["rerolls", "options", CHESS, chosen({ options: { dice: "free", rerolls: 1 } })],
    ["other stakes", "options", MAHJONG, chosen({ options: { tiles: 16, base: 50 } })],
    ["a house rule", "options", MAHJONG, chosen({ options: { tiles: 16, house: { declare_ting: true } } })],
    ["nothing with house rules of their usual value", null, MAHJONG, chosen({ options: { tiles: 16, house: { ligu: true } } })],
  ] as const)("%s", (_, obstacle, parts, options) => {
    expect(ratedObstacle(parts, options)).toBe(obstacle);
  });
});

describe("the rules of a rated table", () => {
  it("drop what it does not allow", () => {
    const applied = withRatedRules(CHESS, chosen({ absencePolicy: "bot", seesHiddenAllowed: true, forfeitAfter: 120 }), true);
    expect(tableRulesFrom(CARD, applied)).toEqual({ undo_allowed: false, rated: true });
  });

  it("have no substitute bot and no hints in mahjong", () => {
    const applied = withRatedRules(MAHJONG, chosen({ options: { tiles: 16, rounds: 1, hints: true } }), true);
    expect(tableRulesFrom(MAHJONG_CARD, applied)).toEqual({ undo_allowed: false, rated: true });
    expect(applied.options).toEqual({ tiles: 16, rounds: 1, hints: false });
  });

  it("do not apply to guests, nor where something rules them out", () => {
    for (const applied of [withRatedRules(CHESS, chosen(), false), withRatedRules(CHESS, chosen({ bot: "easy" }), true)]) {
      expect(applied.rated).toBe(false);
      expect(tableRulesFrom(CARD, applied)).toEqual({});
    }
  });
});
