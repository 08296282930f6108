/** What a new table will be, in words. */

import { describe, expect, it, vi } from "vitest";
import { TEXTS } from "../allTexts";
import type { GameParts } from "../../src/games/gameInterface";
import { DEFAULT_OPTIONS, type NewTableOptions } from "../../src/dialogs/newTableOptions";
import type { GameDescription, GameName } from "../../src/net/protocol";

vi.hoisted(() => Object.assign(globalThis, { sessionStorage: { getItem: () => null, setItem: () => undefined } }));

const { game: chess } = await import("../../src/games/chess");
const { game: gomoku } = await import("../../src/games/gomoku");
const { foldedText, tableText, visibilityText } = await import("../../src/dialogs/create/openingText");
const { presetOf } = await import("../../src/lobby/quickStart");

const CHESS = chess as unknown as GameParts<GameName>;
const GOMOKU = gomoku as unknown as GameParts<GameName>;
const TWO: GameDescription = { name: "chess", seats: 2, bots: ["level1"], phrases: [] };
const FOUR: GameDescription = { name: "mahjong", seats: 4, bots: ["easy"], phrases: [] };
const options = (some: Partial<NewTableOptions>): NewTableOptions => ({ ...DEFAULT_OPTIONS, ...some });
const clock = (preset: number, lagCompensation?: boolean) => ({ clock: { ...DEFAULT_OPTIONS.clock, preset, ...(lagCompensation !== undefined && { lagCompensation }) } });

describe("the text of a new table", () => {
  it("names the twist unless the game is plain", () => {
    expect(tableText("Chess", CHESS, options({}), TEXTS.en)).toBe("Chess, unlimited");
    expect(tableText("Chess", CHESS, options({ options: { dice: "free" }, ...clock(2) }), TEXTS.en)).toBe("Chess with Dice, 3+2");
    expect(tableText("Chess", CHESS, options({ options: { dice: "sequential", fog: true } }), TEXTS.en)).toBe("Chess with dice in order, fog of war, unlimited");
    expect(tableText("西洋棋", CHESS, options({ options: { fog: true } }), TEXTS["zh-Hant"])).toBe("西洋棋（迷霧），不計時");
    expect(tableText("Other", undefined, options({}), TEXTS.en), "not loaded yet").toBe("Other, unlimited");
  });

  it("says who finds it", () => {
    expect(visibilityText(TWO, options({}), TEXTS.en)).toBe("Shown in the lobby");
    expect(visibilityText(TWO, options({ listed: false }), TEXTS.en)).toBe("By link or code only");
    expect(visibilityText(TWO, options({ bot: "level1", listed: false }), TEXTS.en)).toBe("Against the computer");
    expect(visibilityText(FOUR, options({ bot: "easy", bots: 2 }), TEXTS.en), "one seat is open").toBe("Shown in the lobby");
  });
});

describe("the summary of the folded options", () => {
  it("names the side, the lag rule and the absence rule", () => {
    expect(foldedText(TWO, CHESS, options(clock(3)), TEXTS.en)).toBe("random side · network lag not charged · takebacks · forfeits after 1 min away");
    expect(foldedText(TWO, CHESS, options({ seat: 1, ...clock(3, false) }), TEXTS.en)).toContain("Black · network lag charged");
    expect(foldedText(TWO, CHESS, options({ bot: "level1" }), TEXTS.en), "no person can be absent").toBe("random side · takebacks");
    expect(foldedText(TWO, CHESS, options({ seesHiddenAllowed: true }), TEXTS.en), "nothing is hidden").not.toContain("hidden");
    expect(foldedText(TWO, CHESS, options({ seesHiddenAllowed: true, options: { fog: true } }), TEXTS.en)).toContain("hidden information may be seen");
  });
});

describe("presets", () => {
  it("of gomoku differ, and the first is the default", () => {
    const ids = GOMOKU.presets!.map(({ options: own }) => presetOf(GOMOKU, own)?.id);
    expect(ids).toEqual(["free", "swap2", "renju", "large"]);
    expect(presetOf(GOMOKU, {})?.id).toBe("free");
    expect(presetOf(GOMOKU, { rule: "swap2", size: 19 })).toBeUndefined();
  });
});
