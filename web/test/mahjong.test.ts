import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LANGUAGES } from "../src/i18n";
import { TEXTS } from "../src/i18n/mahjong/table";
import { automatic, choicesOf, claimsOf } from "../src/games/mahjong/choices";
import { isCovered, take, veiled } from "../src/games/mahjong/covered";
import { habits, hesitation, show } from "../src/games/mahjong/habits";
import { allowed, told } from "../src/games/mahjong/hinting";
import { mahjong } from "../src/games/mahjong";
import { COLUMNS, lying, ROWS, spacing } from "../src/games/mahjong/pool";
import { around, full, fullOwn, reduce, type Kept } from "../src/games/mahjong/position";
import { added, asked, NOTHING, questionOf, sizeOf, type Question } from "../src/games/mahjong/question";
import { announce, statusOf } from "../src/games/mahjong/said";
import { cornerOf, faceOf, kindOf, notation } from "../src/games/mahjong/tiles";
import type { Room } from "../src/room";
import { nameAt } from "../src/turn";
import type { MahjongOwn, MahjongPosition } from "../src/wire";

const player = (wind: number) => ({ wind, score: 0, count: 13 });
const AT_DEAL: MahjongPosition = {
  stage: "discarding",
  turn: 1,
  dealer: 1,
  players: [player(3), { ...player(0), count: 14 }, player(1), player(2)],
  left: 91,
  drawable: 91,
  own: { tiles: [0, 4, 8, 20, 21] },
  commitment: "c0ffee",
};

const own = (some: Partial<MahjongOwn>) => fullOwn({ tiles: [], ...some });

describe("tiles", () => {
  it("have four copies of each kind, and one of each flower", () => {
    const kinds = Array.from({ length: 144 }, (_, tile) => kindOf(tile));
    for (let kind = 0; kind < 42; kind++) expect(kinds.filter((one) => one === kind)).toHaveLength(kind < 34 ? 4 : 1);
    expect(kinds).toEqual([...kinds].sort((one, other) => one - other));
  });

  it("are named in three languages", () => {
    const named = (kind: number) => Object.values(LANGUAGES).map(({ mahjong }) => mahjong.tiles[kind]);
    for (const { mahjong } of Object.values(LANGUAGES)) expect(new Set(mahjong.tiles).size).toBe(42);
    expect(named(2)).toEqual(["3萬", "3万", "3 of characters"]);
    expect(named(9)).toEqual(["1筒", "1筒", "1 of dots"]);
    expect(named(26)).toEqual(["9條", "9条", "9 of bamboos"]);
    expect(named(28)).toEqual(["南風", "南风", "South wind"]);
    expect(named(33)).toEqual(["白板", "白板", "white dragon"]);
    expect(named(35)).toEqual(["蘭", "兰", "orchid"]);
  });

  it("have faces and signs", () => {
    expect(faceOf(17)).toEqual({ suit: "dots", value: 9 });
    expect(faceOf(41)).toEqual({ suit: "flower", value: 8 });
    expect([0, 26, 27, 30, 31, 33, 34, 38].map(cornerOf)).toEqual(["1", "9", "E", "N", "R", "B", "1", "1"]);
  });

  it("are written as hands are", () => {
    expect(notation([1, 2, 3, 13, 14, 15, 26, 26, 27, 27, 31])).toBe("234m567p99sEER");
    expect(notation([33, 0])).toBe("1mB");
  });
});

describe("events", () => {
  it("put a discard down and mark it as the last", () => {
    const next = full(reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 40 }));
    expect(next.players[1]).toMatchObject({ count: 13, discards: [{ tile: 40 }] });
    expect(next).toMatchObject({ last: 40, dropper: 1 });
  });

  it("open a window for claims and forget earlier answers", () => {
    const voted = reduce(AT_DEAL, { e: "voted", seat: 2 });
    expect(full(voted).voted).toEqual([2]);
    const next = full(reduce(voted, { e: "turned", stage: "claiming", turn: 1, left: 91, drawable: 91, tile: 40 }));
    expect(next).toMatchObject({ stage: "claiming", tile: 40, window: "", voted: [] });
  });

  it("keep our own answer, and only that of others that they have one", () => {
    const next = full(reduce(reduce(AT_DEAL, { e: "voted", seat: 0, vote: { do: "pong" } }), { e: "voted", seat: 3 }));
    expect(next.own?.vote).toEqual({ do: "pong" });
    expect(next.voted).toEqual([0, 3]);
  });

  it("move a claimed discard to the set of its claimant", () => {
    const put = reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 40 });
    const set = { form: "pong", tiles: [40, 41, 42], taken: 40, source: 1 } as const;
    const next = full(reduce(put, { e: "melded", seat: 3, place: 0, set }));
    expect(next.players[3]).toMatchObject({ count: 11, sets: [set] });
    expect(next.players[1]?.discards).toEqual([{ tile: 40, by: 3 }]);
    const added = { ...set, form: "akong", tiles: [40, 41, 42, 43] } as const;
    const again = full(reduce(reduce(put, { e: "melded", seat: 3, place: 0, set }), { e: "melded", seat: 3, place: 0, set: added }));
    expect(again.players[3]).toMatchObject({ count: 10, sets: [added] });
  });

  it("count concealed kongs that are not shown", () => {
    const next = full(reduce(AT_DEAL, { e: "melded", seat: 1, place: 0, set: { form: "ckong" } }));
    expect(next.players[1]).toMatchObject({ count: 10, sets: [{ form: "ckong" }] });
  });

  it("draw, laying flowers open, unless nothing was left or a flower may be robbed", () => {
    const drew = (some: object) => full(reduce(AT_DEAL, { e: "drew", seat: 2, ...some })).players[2];
    expect(drew({ flowers: [136] })).toMatchObject({ count: 14, flowers: [136] });
    expect(drew({ empty: true })).toMatchObject({ count: 13 });
    expect(drew({ flowers: [137], waiting: true })).toMatchObject({ count: 13, flowers: [137] });
  });

  it("leave everybody else the same object, who need not be drawn again", () => {
    const before = full(AT_DEAL).players;
    const after = full(reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 5 })).players;
    expect(after.map((one, seat) => one === before[seat])).toEqual([true, false, true, true]);
    const answered = full(reduce(AT_DEAL, { e: "voted", seat: 2 })).players;
    expect(answered.map((one, seat) => one === before[seat])).toEqual([true, true, true, true]);
  });

  it("replace what only we see", () => {
    expect(full(reduce(AT_DEAL, { e: "yours", own: { tiles: [3], hu: true } })).own).toEqual({ tiles: [3], hu: true });
  });

  it("remember the seal of the deal until the hand is over", () => {
    const began = reduce(AT_DEAL, { e: "hand_began", position: { ...AT_DEAL, commitment: "5ea1" } });
    const over = reduce(began, { e: "hand_over", position: { ...AT_DEAL, stage: "hand_over", commitment: "bad", seed: "00" } });
    expect(full(over)).toMatchObject({ sealed: "5ea1", commitment: "bad" });
    const watched = reduce(AT_DEAL, { e: "hand_over", position: { ...AT_DEAL, stage: "hand_over" } });
    expect(full(watched).sealed).toBe("c0ffee");
  });

  it("throw for positions, then for the dealer", () => {
    const waiting: Kept = { ...AT_DEAL, stage: "seating" };
    const thrown = reduce(waiting, { e: "thrown", dice: [3, 4] });
    expect(thrown).toMatchObject({ stage: "choosing", seating: [3, 4] });
    expect(reduce(thrown, { e: "thrown", dice: [1, 1], dealer: 2 })).toMatchObject({ stage: "dealing", dealer: 2, turn: 2 });
  });
});

describe("the table", () => {
  it("seats the next player to our right", () => {
    expect(around(0)).toEqual([0, 1, 2, 3]);
    expect(around(2)).toEqual([2, 3, 0, 1]);
  });

  it("lays discards in rows, without those that were claimed", () => {
    const discards = Array.from({ length: 10 }, (_, tile) => (tile === 1 ? { tile, by: 3 } : { tile }));
    const places = lying(discards);
    expect(places).toHaveLength(9);
    expect(places[0]).toEqual({ tile: 0, column: 0, row: 0 });
    expect(places[1]).toEqual({ tile: 2, column: 1, row: 0 });
    expect(places[COLUMNS]).toEqual({ tile: 8, column: 0, row: 1 });
  });

  it("lays no two discards on each other, however many there are", () => {
    for (const count of [0, 1, 21, 22, 24, 40]) {
      const places = lying(Array.from({ length: count }, (_, tile) => ({ tile })));
      expect(new Set(places.map(({ column, row }) => `${column}/${row}`)).size).toBe(count);
      expect(Math.max(0, ...places.map(({ row }) => row))).toBeLessThan(ROWS);
      const width = Math.max(0, ...places.map(({ column, row }) => (row === ROWS - 1 ? column * spacing(places) : column)));
      expect(width).toBeLessThanOrEqual(COLUMNS + 2);
    }
  });
});

describe("claims", () => {
  const claiming = full({ ...AT_DEAL, stage: "claiming", tile: 12 });

  it("offer only what is legal, best first, and passing", () => {
    const mine = own({ tiles: [4, 8, 13, 14, 15, 16, 20], hu: true, pong: true, kong: true, chows: [[4, 8], [8, 16], [16, 20]] });
    const choices = choicesOf(claiming, mine);
    expect(choices.map(({ deed }) => deed)).toEqual(["hu", "kong", "pong", "chow", "pass"]);
    expect(choices[2]?.ways).toEqual([{ move: { do: "pong" }, tiles: [13, 14, 12] }]);
    expect(choices[3]?.ways.map(({ move, tiles }) => [move, tiles])).toEqual([
      [{ do: "chow", tiles: [4, 8] }, [4, 8, 12]],
      [{ do: "chow", tiles: [8, 16] }, [8, 12, 16]],
      [{ do: "chow", tiles: [16, 20] }, [12, 16, 20]],
    ]);
    expect(choicesOf(claiming, own({ pong: true, tiles: [13, 14] })).map(({ deed }) => deed)).toEqual(["pong", "pass"]);
  });

  it("are not shown where there are none", () => {
    expect(choicesOf(claiming, own({ tiles: [1, 2] }))).toEqual([]);
    expect(claimsOf(own({}), null)).toEqual([]);
  });

  it("offer kongs and a win in an own turn", () => {
    const turn = full({ ...AT_DEAL, turn: 0 });
    expect(choicesOf(turn, own({ hu: true, kongs: [8, 60] }))).toEqual([
      { deed: "hu", ways: [{ move: { do: "hu" }, tiles: [] }] },
      { deed: "kong", ways: [{ move: { do: "kong", tile: 8 }, tiles: [8] }, { move: { do: "kong", tile: 60 }, tiles: [60] }] },
    ]);
  });

  it("are passed by the page where nothing can be claimed, once", () => {
    const idle = { passing: false, discarding: false };
    expect(automatic(claiming, own({}), true, idle)).toEqual({ do: "pass" });
    expect(automatic(claiming, own({}), false, idle)).toBeNull();
    expect(automatic(claiming, own({ vote: { do: "pass" } }), true, idle)).toBeNull();
    expect(automatic(claiming, own({ pong: true }), true, idle)).toBeNull();
  });

  it("are passed by the page after a while that differs, quickly enough for everybody", () => {
    const whiles = [0, 0.25, 0.5, 0.99].map(hesitation);
    expect(new Set(whiles).size).toBe(whiles.length);
    expect(Math.min(...whiles)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...whiles)).toBeLessThan(1000);
  });

  it("are passed by a switch, but never a win", () => {
    const passing = { passing: true, discarding: false };
    expect(automatic(claiming, own({ pong: true }), true, passing)).toEqual({ do: "pass" });
    expect(automatic(claiming, own({ hu: true, pong: true }), true, passing)).toBeNull();
  });

  it("leave the drawn tile to a switch, but never a win", () => {
    const turn = full({ ...AT_DEAL, turn: 0 });
    const discarding = { passing: false, discarding: true };
    expect(automatic(turn, own({ drawn: 7 }), true, discarding)).toEqual({ do: "discard", tile: 7 });
    expect(automatic(turn, own({ drawn: 7, hu: true }), true, discarding)).toBeNull();
    expect(automatic(turn, own({}), true, discarding)).toBeNull();
    expect(automatic(turn, own({ drawn: 7 }), true, { passing: true, discarding: false })).toBeNull();
  });
});

describe("hints", () => {
  it("may be forbidden all at once or each by itself", () => {
    expect(allowed()).toEqual({ waits: true, keeps: true, shanten: true });
    expect(allowed(false)).toEqual({ waits: false, keeps: false, shanten: false });
    expect(allowed({ keeps: false })).toEqual({ waits: true, keeps: false, shanten: true });
  });

  it("are told to a new table in the shortest way", () => {
    expect(told(allowed(true))).toBe(true);
    expect(told(allowed(false))).toBe(false);
    expect(allowed(told(allowed({ waits: false, keeps: false })))).toEqual({ waits: false, keeps: false, shanten: true });
  });

  it("that are forbidden are named at the table", () => {
    const words = LANGUAGES["zh-Hant"];
    expect(mahjong.tags?.({}, words)).toEqual([]);
    expect(mahjong.tags?.({ hints: false }, words)).toEqual(["無提示"]);
    expect(mahjong.tags?.({ hints: { keeps: false } }, words)).toEqual(["不提示打哪張"]);
  });

  it("stand with every other rule that is not as usual", () => {
    const words = LANGUAGES["zh-Hant"];
    const house = { several_winners: false, seven_pairs: false, ligu: false, declare_ting: true, no_swap_call: false };
    expect(mahjong.tags?.({ house, base: 300, unit: 100, rounds: 1 }, words)).toEqual(["1 圈", "300/100", "截胡", "不算七對子", "可報聽"]);
    expect(mahjong.tags?.({ tiles: 16, house: { ...house, cap: 16 } }, words)).toEqual(["16 張", "截胡", "不算嚦咕嚦咕", "可報聽", "另有自訂規則"]);
  });
});

describe("a draw that waits to be taken", () => {
  const room = { id: "r", match: 1, phase: "playing", chairs: [], to_act: [0] } as unknown as Room;
  const drew = { ...AT_DEAL, turn: 0, own: { tiles: [0, 4], drawn: 8, hu: true, kongs: [4], hints: { shanten: 0 } } };
  const game = full(drew);
  const mine = fullOwn(drew.own);
  const scene = { position: drew, you: 0, room, words: LANGUAGES.en, mayMove: true, draft: null, nameAt: () => "" };
  const asScene = scene as unknown as Parameters<typeof announce>[1];

  beforeEach(() => {
    vi.stubGlobal("localStorage", { setItem: () => {} });
    show({ drawing: false });
    habits.value = { passing: false, discarding: false };
  });
  afterEach(() => {
    show({ drawing: true });
    vi.unstubAllGlobals();
  });

  it("lies face down until then, and neither the line nor the voice tells it", () => {
    expect(isCovered(room, game, mine)).toBe(true);
    expect(veiled(mine)).toMatchObject({ tiles: [0, 4], drawn: null, hu: false, kongs: [], hints: null });
    expect(statusOf(asScene)?.text).toContain("covered tile");
    expect(announce({ e: "drew", seat: 0, tile: 8 }, asScene)).not.toContain("3 of characters");
    expect(announce({ e: "yours", own: drew.own }, asScene)).toBeNull();
    take(room, game);
    expect(isCovered(room, game, mine)).toBe(false);
    expect(announce({ e: "yours", own: drew.own }, asScene)).toBe("You may Win, Kong.");
    expect(isCovered(room, full({ ...drew, left: 87 }), mine)).toBe(true);
  });

  it("comes open by itself as usual, and where all that comes is discarded", () => {
    const later = full({ ...drew, left: 80 });
    expect(isCovered(room, later, mine)).toBe(true);
    habits.value = { passing: false, discarding: true };
    expect(isCovered(room, later, mine)).toBe(false);
    habits.value = { passing: false, discarding: false };
    show({ drawing: true });
    expect(isCovered(room, later, mine)).toBe(false);
    expect(isCovered(room, full({ ...drew, stage: "claiming" }), mine)).toBe(false);
  });
});

describe("names", () => {
  const room = (...chairs: unknown[]) => ({ chairs }) as unknown as Room;

  it("number the bots of one kind where there are several", () => {
    const table = room({ name: "Ann" }, { name: "Normal", bot: "normal" }, { name: "Easy", bot: "easy" }, { name: "Normal", bot: "normal" });
    const [, one, easy, other] = [0, 1, 2, 3].map((seat) => nameAt(table, seat));
    expect(one).toMatch(/ 1$/);
    expect(other).toBe(one?.replace(/1$/, "2"));
    expect(easy).not.toMatch(/\d/);
    expect(nameAt(table, 0)).toBe("Ann");
  });

  it("call nobody what is a vacant seat", () => {
    const table = room({ name: "", vacant: true, away: true }, null);
    expect(nameAt(table, 0)).toBe(nameAt(table, 1));
    expect(nameAt(table, 0)).not.toBe("");
  });
});

describe("what is said", () => {
  const scene = (position: MahjongPosition, some: object = {}) =>
    ({
      position,
      you: 0,
      words: LANGUAGES["zh-Hant"],
      room: { phase: "playing", chairs: [], to_act: [0, 2, 3] },
      nameAt: (seat: number) => `P${seat}`,
      mayMove: true,
      draft: null,
      ...some,
    }) as unknown as Parameters<typeof announce>[1];

  it("names players by their wind", () => {
    expect(announce({ e: "discarded", seat: 2, tile: 9 }, scene(AT_DEAL))).toBe("南家打出3萬。");
    expect(announce({ e: "melded", seat: 3, place: 0, set: { form: "chow", tiles: [0, 4, 8], taken: 4, source: 2 } }, scene(AT_DEAL))).toBe("西家吃2萬。");
    expect(announce({ e: "melded", seat: 3, place: 0, set: { form: "ckong" } }, scene(AT_DEAL))).toBe("西家暗槓。");
  });

  it("says our own draw and nobody else's", () => {
    expect(announce({ e: "drew", seat: 0, tile: 124 }, scene(AT_DEAL))).toBe("你摸到紅中。");
    expect(announce({ e: "drew", seat: 2 }, scene(AT_DEAL))).toBeNull();
    expect(announce({ e: "drew", seat: 2, flowers: [136, 140] }, scene(AT_DEAL))).toBe("南家補花：梅、春。");
  });

  it("asks for a claim only where there is one", () => {
    const claiming: MahjongPosition = { ...AT_DEAL, stage: "claiming", tile: 12 };
    expect(statusOf(scene(claiming))).toEqual({ text: "等待吃碰槓胡", mine: false });
    expect(statusOf(scene({ ...claiming, own: { tiles: [13, 14], pong: true } }))).toEqual({ text: "要吃、碰、槓、胡嗎？", mine: true });
    expect(statusOf(scene({ ...claiming, own: { tiles: [], vote: { do: "pass" } } }))?.mine).toBe(false);
  });

  it("says whose turn it is, and what a second tap would do", () => {
    expect(statusOf(scene(AT_DEAL))).toEqual({ text: "輪到東家", mine: false });
    expect(statusOf(scene({ ...AT_DEAL, turn: 0 }, { draft: { do: "discard", tile: 0 } }))).toEqual({ text: "1萬？再點一次打出。", mine: true });
  });

  it("is written in all languages at the table, too", () => {
    const leaves = (part: unknown): [string, unknown][] =>
      typeof part !== "object" || part === null
        ? [["", part]]
        : Object.entries(part).flatMap(([key, value]) => leaves(value).map(([path, leaf]): [string, unknown] => [`${key}.${path}`, leaf]));
    const said = (leaf: unknown) => (typeof leaf === "function" ? String(leaf("莊家", 2)) : String(leaf));
    const english = new Map(leaves(TEXTS.en));
    const onlySimplified = /[们这对开关连务进输赢号请观战网链实时钟线听庄]/u;
    const onlyTraditional = /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線聽莊]/u;
    for (const [path, leaf] of leaves(TEXTS["zh-Hant"])) {
      expect(said(leaf), path).not.toBe(said(english.get(path)));
      expect(said(leaf), path).not.toMatch(onlySimplified);
    }
    for (const [path, leaf] of leaves(TEXTS["zh-Hans"])) {
      if (path.startsWith("pattern")) expect(said(leaf)).toBe("庄家");
      else expect(said(leaf).replace("莊家", ""), path).not.toMatch(onlyTraditional);
    }
  });

  it("translates the rows of the tai table, whatever they carry with them", () => {
    const { pattern } = TEXTS.en;
    expect(pattern("碰碰胡")).toBe("All pungs 碰碰胡");
    expect(pattern("三元牌 中")).toBe("Dragon pung 三元牌 中");
    expect(pattern("花槓(春夏秋冬)")).toBe("Flower kong 花槓 春夏秋冬");
    expect(pattern("連二拉二")).toBe("Dealer's streak 連二拉二");
    expect(pattern("新台")).toBe("新台");
  });
});

describe("a hand to be counted", () => {
  it("grows by tiles and sets, as long as there are any", () => {
    let question: Question = { ...NOTHING, variant: 13 };
    for (const kind of [0, 0, 0, 0, 0]) question = added(question, kind, null);
    expect(question.hand).toEqual([0, 0, 0, 0]);
    expect(added(question, 0, "pong")).toBe(question);
    expect(added(question, 8, "chow").melds).toEqual([{ form: "chow", kinds: [6, 7, 8] }]);
    expect(added(question, 27, "chow")).toBe(question);
    expect(added(question, 36, "pong").flowers).toEqual([36]);
    expect(sizeOf(added(question, 31, "kong"))).toEqual({ have: 7, need: 14 });
  });

  it("is asked in the server's notation", () => {
    const question = { ...NOTHING, variant: 13 as const, hand: [1, 2, 3, 31, 31], melds: [{ form: "chow" as const, kinds: [18, 19, 20] }], flowers: [34, 41] };
    expect(asked(question)).toEqual({
      variant: 13, hand: "234mRR", win: "R", melds: [["chow", "123s"]], self_draw: false, seat_wind: "S", round_wind: "E",
      is_dealer: false, flowers: [1, 8], flags: [], rules: {},
    });
  });

  it("can be taken from a result", () => {
    const sets = [{ form: "akong", tiles: [124, 125, 126, 127], taken: 124, source: 2 }] as const;
    const game = full({ ...AT_DEAL, wind: 1, players: [{ ...player(3), sets, flowers: [139] }, ...AT_DEAL.players.slice(1)] as unknown as MahjongPosition["players"] });
    const question = questionOf(game, { seat: 0, tai: 3, patterns: [{ name: "槓上開花", tai: 1 }], hand: [0, 1, 4, 8, 12, 36, 40, 44, 72, 76, 80], win: 4, drawn: true });
    expect(question).toMatchObject({
      variant: 13, hand: [0, 0, 2, 3, 9, 10, 11, 18, 19, 20, 1], melds: [{ form: "kong", kinds: [31, 31, 31, 31] }], flowers: [37],
      selfDraw: true, seatWind: 3, roundWind: 1, dealer: false, flags: ["kong_bloom"],
    });
  });
});
