/** Call-outs, what is asked, and the ranking of a match. */

import { afterEach, describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { announceMahjong, mahjongStatus } from "../../src/games/mahjong/announcements";
import { autoActions } from "../../src/games/mahjong/autoActions";
import { fullPosition, fullPrivateView } from "../../src/games/mahjong/position";
import { axisMarks, scoreCourses, spreadLabels, standings } from "../../src/games/mahjong/ranking/standings";
import { changeText, scoreText } from "../../src/games/mahjong/scoring/scoreText";
import { offeredActions } from "../../src/games/mahjong/table/availableActions";
import { callsBetween } from "../../src/games/mahjong/table/calls";
import type { MahjongMeld, MahjongPosition, MahjongPrivateView } from "../../src/net/protocol";

const player = (some: object = {}) => ({ wind: 0, score: 0, count: 16, ...some });
const position = (some: Partial<MahjongPosition> = {}): MahjongPosition => ({
  stage: "discarding",
  turn: 0,
  dealer: 0,
  players: [player(), player(), player(), player()],
  ...some,
});
const melds = (seat: number, ...made: MahjongMeld[]) =>
  fullPosition(position({ players: [0, 1, 2, 3].map((one) => player(one === seat ? { melds: made } : {})) as unknown as MahjongPosition["players"] }));
const NONE = fullPosition(position());
const PONG: MahjongMeld = { form: "pong", tiles: [0, 1, 2], taken: 0, source: 1 };

describe("call-outs", () => {
  it("are made at the seat of a new meld", () => {
    expect(callsBetween(NONE, melds(2, PONG))).toEqual([{ seat: 2, name: "pong" }]);
    expect(callsBetween(NONE, melds(1, { ...PONG, form: "chow" }))).toEqual([{ seat: 1, name: "chow" }]);
    expect(callsBetween(melds(2, PONG), melds(2, PONG, { form: "ckong" }))).toEqual([{ seat: 2, name: "kong" }]);
    expect(callsBetween(melds(2, PONG), melds(2, { ...PONG, form: "akong" }))).toEqual([{ seat: 2, name: "kong" }]);
  });

  it("are made for every winner, and tell a self-draw from a discard", () => {
    const win = (seat: number, drawn: boolean) => ({ seat, tai: 1, patterns: [], hand: [], win: 0, drawn });
    const over = (...winners: ReturnType<typeof win>[]) => fullPosition(position({ stage: "hand_over", result: { delta: [0, 0, 0, 0], winners } }));
    expect(callsBetween(NONE, over(win(3, true)))).toEqual([{ seat: 3, name: "drawn" }]);
    expect(callsBetween(NONE, over(win(1, false), win(2, false)))).toEqual([{ seat: 1, name: "hu" }, { seat: 2, name: "hu" }]);
    expect(callsBetween(over(win(1, false)), over(win(1, false)))).toEqual([]);
  });

  it("are not made without a call, nor between two hands", () => {
    expect(callsBetween(NONE, NONE)).toEqual([]);
    expect(callsBetween(melds(2, PONG), melds(2, PONG))).toEqual([]);
    expect(callsBetween(NONE, { ...melds(2, PONG), streak: 1 })).toEqual([]);
    expect(callsBetween(melds(2, PONG), { ...NONE, place: 1 })).toEqual([]);
  });
});

describe("a claim", () => {
  const at = { stage: "claiming", turn: 1, tile: 92, last: 92, discarder: 1 } as const;
  const scene = (mine: Partial<MahjongPrivateView>) => ({
    position: position({ ...at, private: { tiles: [93, 94], ...mine } }),
    you: 0,
    room: { id: "r", match: 1, phase: "playing", seats: [], to_act: [0, 2] },
    texts: TEXTS.en,
    mayMove: true,
    draft: null,
    nameAt: (seat: number) => ["Ada", "Bo", "Cy", "Di"][seat],
  }) as unknown as Parameters<typeof mahjongStatus>[0];
  const status = (mine: Partial<MahjongPrivateView>) => mahjongStatus(scene(mine))?.text;
  afterEach(() => void (autoActions.value = { noCalls: false, autoDiscard: false }));

  it("names the discarder, the tile and the calls that are possible", () => {
    expect(status({ pong: true })).toBe("Bo discarded 6 of bamboos. Pong?");
    expect(status({ pong: true, chows: [[84, 88]] })).toBe("Bo discarded 6 of bamboos. Pong or Chow?");
  });

  it("is answered only by a player who was asked", () => {
    const answered = TEXTS.en.games.mahjong.status.waits;
    expect(status({ pong: true, answer: { do: "pass" } })).toBe(answered);
    expect(status({ answer: { do: "pass" } })).not.toBe(answered);
  });

  it("that is passed by a switch is neither shown nor announced", () => {
    autoActions.value = { noCalls: true, autoDiscard: false };
    const mine = { tiles: [93, 94], pong: true };
    const { claims } = TEXTS.en.games.mahjong.status;
    expect(offeredActions(fullPosition(position(at)), fullPrivateView(mine), autoActions.value)).toEqual([]);
    expect(status(mine)).toBe(claims);
    expect(status({ ...mine, answer: { do: "pass" } })).toBe(claims);
    expect(announceMahjong({ e: "private_view_changed", private: mine }, scene(mine))).toBeNull();
    expect(status({ ...mine, hu: true })).toContain("Win or Pong?");
  });
});

describe("the ranking", () => {
  const scored = (...scores: number[]) => scores.map((score) => player({ score })) as unknown as MahjongPosition["players"];
  const match = fullPosition(
    position({
      players: scored(60, -160, 60, 40),
      hands: [
        { place: 0, streak: 0, delta: [120, -120, 0, 0], winners: [0], payer: 1 },
        { place: 1, streak: 0, delta: [0, 0, 0, 0] },
        { place: 1, streak: 1, delta: [-60, -60, 60, 60], winners: [2, 3] },
      ],
    }),
  );

  it("has the highest score first; equal scores share a rank", () => {
    expect(standings(match).map(({ seat, rank }) => [seat, rank])).toEqual([[0, 1], [2, 1], [3, 3], [1, 4]]);
  });

  it("counts wins, self-draws and discards that lost", () => {
    const [ada, cy, , bo] = standings(match);
    expect(ada).toMatchObject({ wins: 1, selfDrawn: 0, dealtIn: 0 });
    expect(cy).toMatchObject({ wins: 1, selfDrawn: 1 });
    expect(bo).toMatchObject({ wins: 0, dealtIn: 1 });
  });

  it("has a course that ends with the scores, also if the first hands are not known", () => {
    expect(scoreCourses(match)).toEqual([[0, 120, 120, 60], [20, -100, -100, -160], [0, 0, 0, 60], [-20, -20, -20, 40]]);
  });

  it("has round marks around all scores and zero", () => {
    expect(axisMarks([0, 360, -580])).toEqual([-600, -300, 0, 300, 600]);
    expect(axisMarks([0])).toEqual([0, 1]);
    for (const scores of [[7], [-3, 12_345], [-20, -10]]) {
      const marks = axisMarks(scores);
      expect(marks[0]).toBeLessThanOrEqual(Math.min(0, ...scores));
      expect(marks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...scores));
      expect(marks).toContain(0);
      expect(marks.length).toBeLessThan(8);
    }
  });

  it("keeps the names beside the lines apart and in order", () => {
    expect(spreadLabels([10, 10, 100, 99], 17, 0, 104)).toEqual([10, 27, 104, 87]);
    const placed = spreadLabels([0, 0, 0, 0], 17, 0, 200);
    expect([...placed].sort((one, other) => one - other)).toEqual([0, 17, 34, 51]);
  });

  it("writes a minus sign, and a plus for a gain", () => {
    expect([scoreText(-1200), changeText(660), changeText(0), changeText(-20)]).toEqual(["−1,200", "+660", "0", "−20"]);
  });
});
