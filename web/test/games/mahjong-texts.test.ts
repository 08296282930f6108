/** Names, announcements and score requests of mahjong. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { optionTags } from "../../src/games/mahjong/optionTags";
import { fullPosition } from "../../src/games/mahjong/position";
import { withTile, requestBody, EMPTY_REQUEST, requestFromResult, tileCount, type ScoreRequest } from "../../src/games/mahjong/scoring/scoreRequest";
import { factsOf, taiNote } from "../../src/games/mahjong/scoring/taiNotes";
import { texts as notes } from "../../src/games/mahjong/learn/texts/zh-hant";
import { announceMahjong, mahjongStatus } from "../../src/games/mahjong/announcements";
import type { Room } from "../../src/net/roomReducer";
import { nameAt } from "../../src/table/turn";
import type { MahjongOptions, MahjongPosition } from "../../src/net/protocol";

const player = (wind: number) => ({ wind, score: 0, count: 13 });
const AT_DEAL: MahjongPosition = {
  stage: "discarding",
  turn: 1,
  dealer: 1,
  players: [player(3), { ...player(0), count: 14 }, player(1), player(2)],
  left: 91,
  drawable: 91,
  private: { tiles: [0, 4, 8, 20, 21] },
  commitment: "c0ffee",
};

describe("names", () => {
  const room = (...seats: unknown[]) => ({ seats }) as unknown as Room;

  it("number several bots of one kind", () => {
    const table = room({ name: "Ann" }, { name: "Normal", bot: "normal" }, { name: "Easy", bot: "easy" }, { name: "Normal", bot: "normal" });
    const [, one, easy, other] = [0, 1, 2, 3].map((seat) => nameAt(table, seat));
    expect(one).toMatch(/ 1$/);
    expect(other).toBe(one?.replace(/1$/, "2"));
    expect(easy).not.toMatch(/\d/);
    expect(nameAt(table, 0)).toBe("Ann");
  });

  it("show a reserved seat as open", () => {
    const table = room({ name: "", reserved: true, away: true }, null);
    expect(nameAt(table, 0)).toBe(nameAt(table, 1));
    expect(nameAt(table, 0)).not.toBe("");
  });
});

describe("tags", () => {
  it("name options that differ from the default, and at the table always length and stakes", () => {
    const tags = (options: MahjongOptions, atTable?: boolean) => optionTags(options, TEXTS["zh-Hant"], atTable);
    expect(tags({ tiles: 16 })).toEqual(["16 張"]);
    expect(tags({ tiles: 16 }, true)).toEqual(["16 張", "4 圈", "底 100 · 每台 20"]);
    expect(tags({ rounds: 1, base: 50, unit: 10 })).toEqual(["13 張", "1 圈", "50/10"]);
    expect(tags({ rounds: 1, base: 50, unit: 10 }, true)).toEqual(["13 張", "1 圈", "底 50 · 每台 10"]);
  });
});

describe("announcements", () => {
  const scene = (position: MahjongPosition, some: object = {}) =>
    ({
      position,
      you: 0,
      texts: TEXTS["zh-Hant"],
      room: { phase: "playing", seats: [], to_act: [0, 2, 3] },
      nameAt: (seat: number) => `P${seat}`,
      mayMove: true,
      draft: null,
      ...some,
    }) as unknown as Parameters<typeof announceMahjong>[1];

  it("name players by their wind", () => {
    expect(announceMahjong({ e: "discarded", seat: 2, tile: 9 }, scene(AT_DEAL))).toBe("南家打出三萬。");
    expect(announceMahjong({ e: "melded", seat: 3, place: 0, meld: { form: "chow", tiles: [0, 4, 8], taken: 4, source: 2 } }, scene(AT_DEAL))).toBe("西家吃二萬。");
    expect(announceMahjong({ e: "melded", seat: 3, place: 0, meld: { form: "ckong" } }, scene(AT_DEAL))).toBe("西家暗槓。");
  });

  it("contain only the user's own draw", () => {
    expect(announceMahjong({ e: "drew", seat: 0, tile: 124 }, scene(AT_DEAL))).toBe("你摸到紅中。");
    expect(announceMahjong({ e: "drew", seat: 2 }, scene(AT_DEAL))).toBeNull();
    expect(announceMahjong({ e: "drew", seat: 2, flowers: [136, 140] }, scene(AT_DEAL))).toBe("南家補花：梅、春。");
  });

  it("ask only for possible calls", () => {
    const claiming: MahjongPosition = { ...AT_DEAL, stage: "claiming", tile: 12 };
    expect(mahjongStatus(scene(claiming))).toEqual({ text: "等待吃碰槓胡", mine: false });
    expect(mahjongStatus(scene({ ...claiming, private: { tiles: [13, 14], pong: true } }))).toEqual({ text: "要碰嗎？", mine: true });
    expect(mahjongStatus(scene({ ...claiming, private: { tiles: [], answer: { do: "pass" } } }))?.mine).toBe(false);
  });

  it("name whose turn it is, and what a second tap does", () => {
    expect(mahjongStatus(scene(AT_DEAL))).toEqual({ text: "輪到東家", mine: false });
    expect(mahjongStatus(scene({ ...AT_DEAL, turn: 0 }, { draft: { do: "discard", tile: 0 } }))).toEqual({ text: "一萬？再點一次打出。", mine: true });
  });

  it("are translated", () => {
    const leaves = (part: unknown): [string, unknown][] =>
      typeof part !== "object" || part === null
        ? [["", part]]
        : Object.entries(part).flatMap(([key, value]) => leaves(value).map(([path, leaf]): [string, unknown] => [`${key}.${path}`, leaf]));
    const said = (leaf: unknown) => (typeof leaf === "function" ? String(leaf("莊家", 2)) : String(leaf));
    const english = new Map(leaves(TEXTS.en.games.mahjong.table));
    const onlySimplified = /[们这对开关连务进输赢号请观战网链实时钟线听庄]/u;
    const onlyTraditional = /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線聽莊]/u;
    for (const [path, leaf] of leaves(TEXTS["zh-Hant"].games.mahjong.table)) {
      expect(said(leaf), path).not.toBe(said(english.get(path)));
      expect(said(leaf), path).not.toMatch(onlySimplified);
    }
    for (const [path, leaf] of leaves(TEXTS["zh-Hans"].games.mahjong.table)) {
      if (path.startsWith("pattern")) expect(said(leaf)).toBe("庄家");
      else expect(said(leaf).replace("莊家", ""), path).not.toMatch(onlyTraditional);
    }
  });

  it("say what a pattern counts for, about a win or in general", () => {
    const facts = { roundWind: "東", seatWind: "西", tile: "八筒" };
    const note = (name: string, about: typeof facts | null = facts) => taiNote(notes, name, about);
    expect(note("獨聽")).toBe("只聽八筒");
    expect(note("獨聽", null)).toBe("只聽一種牌");
    expect(note("正花 秋")).toBe("西家的花牌");
    expect(note("花槓(春夏秋冬)")).toBe("同組四張花牌");
    expect(note("連二拉二")).toBe("每連莊一次都算");
    expect(note("新台")).toBe("");
    expect(factsOf(fullPosition({ ...AT_DEAL, wind: 0 }), { seat: 3, tai: 1, patterns: [], hand: [64], win: 64, drawn: true }, TEXTS["zh-Hant"])).toEqual({ ...facts, tile: "八筒" });
  });

  it("translate the names of scoring patterns", () => {
    const { pattern } = TEXTS.en.games.mahjong.table;
    expect(pattern("碰碰胡")).toBe("All pongs 碰碰胡");
    expect(pattern("三元牌 中")).toBe("Dragon pong 三元牌 中");
    expect(pattern("花槓(春夏秋冬)")).toBe("Flower kong 花槓 春夏秋冬");
    expect(pattern("連二拉二")).toBe("Dealer streak 連二拉二");
    expect(pattern("新台")).toBe("新台");
  });
});

describe("a score request", () => {
  it("grows by tiles and sets, as long as there are any", () => {
    let question: ScoreRequest = { ...EMPTY_REQUEST, variant: 13 };
    for (const kind of [0, 0, 0, 0, 0]) question = withTile(question, kind, null);
    expect(question.hand).toEqual([0, 0, 0, 0]);
    expect(withTile(question, 0, "pong")).toBe(question);
    expect(withTile(question, 8, "chow").melds).toEqual([{ form: "chow", kinds: [6, 7, 8] }]);
    expect(withTile(question, 27, "chow")).toBe(question);
    expect(withTile(question, 36, "pong").flowers).toEqual([36]);
    expect(tileCount(withTile(question, 31, "kong"))).toEqual({ have: 7, need: 14 });
  });

  it("uses the server's notation", () => {
    const question = { ...EMPTY_REQUEST, variant: 13 as const, hand: [1, 2, 3, 31, 31], melds: [{ form: "chow" as const, kinds: [18, 19, 20] }], flowers: [34, 41] };
    expect(requestBody(question)).toEqual({
      variant: 13, hand: "234mRR", win: "R", melds: [["chow", "123s"]], self_draw: false, seat_wind: "S", round_wind: "E",
      is_dealer: false, flowers: [1, 8], flags: [], rules: {},
    });
  });

  it("can be taken from a result", () => {
    const sets = [{ form: "akong", tiles: [124, 125, 126, 127], taken: 124, source: 2 }] as const;
    const game = fullPosition({ ...AT_DEAL, wind: 1, players: [{ ...player(3), melds: sets, flowers: [139] }, ...AT_DEAL.players.slice(1)] as unknown as MahjongPosition["players"] });
    const question = requestFromResult(game, { seat: 0, tai: 3, patterns: [{ name: "槓上開花", tai: 1 }], hand: [0, 1, 4, 8, 12, 36, 40, 44, 72, 76, 80], win: 4, drawn: true });
    expect(question).toMatchObject({
      variant: 13, hand: [0, 0, 2, 3, 9, 10, 11, 18, 19, 20, 1], melds: [{ form: "kong", kinds: [31, 31, 31, 31] }], flowers: [37],
      selfDraw: true, seatWind: 3, roundWind: 1, dealer: false, flags: ["kong_bloom"],
    });
  });
});
