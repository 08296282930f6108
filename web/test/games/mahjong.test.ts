/** Tiles, events, layout, claims, hints and draws of mahjong. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TEXTS } from "../allTexts";
import { automaticMove, availableActions, availableClaims } from "../../src/games/mahjong/table/availableActions";
import { isCovered, turnDraw, withoutCoveredDraw } from "../../src/games/mahjong/table/coveredDraw";
import { autoActions, actionDelay, changeDisplay, movesItself } from "../../src/games/mahjong/autoActions";
import { allowedHints, hintsOption } from "../../src/games/mahjong/allowedHints";
import { game as mahjong } from "../../src/games/mahjong";
import { LONG_ROWS, placeDiscards, ROWS } from "../../src/games/mahjong/table/discardLayout";
import { seatsAround, fullPosition, fullPrivateView, reduce, type StoredPosition } from "../../src/games/mahjong/position";
import { announceMahjong, mahjongStatus } from "../../src/games/mahjong/announcements";
import { cornerOf, faceOf, kindOf, notation } from "../../src/games/mahjong/tiles/tiles";
import type { Room } from "../../src/net/roomReducer";
import type { MahjongPrivateView, MahjongPosition } from "../../src/net/protocol";

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

const own = (some: Partial<MahjongPrivateView>) => fullPrivateView({ tiles: [], ...some });

describe("tiles", () => {
  it("have four copies of each kind, and one of each flower", () => {
    const kinds = Array.from({ length: 144 }, (_, tile) => kindOf(tile));
    for (let kind = 0; kind < 42; kind++) expect(kinds.filter((one) => one === kind)).toHaveLength(kind < 34 ? 4 : 1);
    expect(kinds).toEqual([...kinds].sort((one, other) => one - other));
  });

  it("are named in three languages", () => {
    const named = (kind: number) => Object.values(TEXTS).map(({ games }) => games.mahjong.tiles[kind]);
    for (const { games } of Object.values(TEXTS)) expect(new Set(games.mahjong.tiles).size).toBe(42);
    expect(named(2)).toEqual(["三萬", "三万", "3 of characters"]);
    expect(named(9)).toEqual(["一筒", "一筒", "1 of dots"]);
    expect(named(26)).toEqual(["九條", "九条", "9 of bamboos"]);
    expect(named(28)).toEqual(["南風", "南风", "South wind"]);
    expect(named(33)).toEqual(["白板", "白板", "white dragon"]);
    expect(named(35)).toEqual(["蘭", "兰", "orchid"]);
  });

  it("have faces and corner texts", () => {
    expect(faceOf(17)).toEqual({ suit: "dots", value: 9 });
    expect(faceOf(41)).toEqual({ suit: "flower", value: 8 });
    expect([0, 26, 27, 30, 31, 33, 34, 38].map(cornerOf)).toEqual(["1", "9", "E", "N", "R", "B", "1", "1"]);
  });

  it("have a notation", () => {
    expect(notation([1, 2, 3, 13, 14, 15, 26, 26, 27, 27, 31])).toBe("234m567p99sEER");
    expect(notation([33, 0])).toBe("1mB");
  });
});

describe("events", () => {
  it("put a discard down and mark it as the last", () => {
    const next = fullPosition(reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 40 }));
    expect(next.players[1]).toMatchObject({ count: 13, discards: [{ tile: 40 }] });
    expect(next).toMatchObject({ last: 40, discarder: 1 });
  });

  it("open a claim window and clear earlier answers", () => {
    const answered = reduce(AT_DEAL, { e: "claim_answered", seat: 2 });
    expect(fullPosition(answered).answered).toEqual([2]);
    const next = fullPosition(reduce(answered, { e: "turn_changed", stage: "claiming", turn: 1, left: 91, drawable: 91, tile: 40 }));
    expect(next).toMatchObject({ stage: "claiming", tile: 40, claim_window: "", answered: [] });
  });

  it("keep the user's answer, and only that others have answered", () => {
    const next = fullPosition(reduce(reduce(AT_DEAL, { e: "claim_answered", seat: 0, answer: { do: "pong" } }), { e: "claim_answered", seat: 3 }));
    expect(next.private?.answer).toEqual({ do: "pong" });
    expect(next.answered).toEqual([0, 3]);
  });

  it("move a claimed discard to the set of its claimant", () => {
    const put = reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 40 });
    const set = { form: "pong", tiles: [40, 41, 42], taken: 40, source: 1 } as const;
    const next = fullPosition(reduce(put, { e: "melded", seat: 3, place: 0, meld: set }));
    expect(next.players[3]).toMatchObject({ count: 11, melds: [set] });
    expect(next.players[1]?.discards).toEqual([{ tile: 40, by: 3 }]);
    const added = { ...set, form: "akong", tiles: [40, 41, 42, 43] } as const;
    const again = fullPosition(reduce(reduce(put, { e: "melded", seat: 3, place: 0, meld: set }), { e: "melded", seat: 3, place: 0, meld: added }));
    expect(again.players[3]).toMatchObject({ count: 10, melds: [added] });
  });

  it("count concealed kongs that are not shown", () => {
    const next = fullPosition(reduce(AT_DEAL, { e: "melded", seat: 1, place: 0, meld: { form: "ckong" } }));
    expect(next.players[1]).toMatchObject({ count: 10, melds: [{ form: "ckong" }] });
  });

  it("draw and reveal flowers, unless the wall is empty or a flower may be robbed", () => {
    const drew = (some: object) => fullPosition(reduce(AT_DEAL, { e: "drew", seat: 2, ...some })).players[2];
    expect(drew({ flowers: [136] })).toMatchObject({ count: 14, flowers: [136] });
    expect(drew({ empty: true })).toMatchObject({ count: 13 });
    expect(drew({ flowers: [137], waiting: true })).toMatchObject({ count: 13, flowers: [137] });
  });

  it("keep the identity of all other players", () => {
    const before = fullPosition(AT_DEAL).players;
    const after = fullPosition(reduce(AT_DEAL, { e: "discarded", seat: 1, tile: 5 })).players;
    expect(after.map((one, seat) => one === before[seat])).toEqual([true, false, true, true]);
    const answered = fullPosition(reduce(AT_DEAL, { e: "claim_answered", seat: 2 })).players;
    expect(answered.map((one, seat) => one === before[seat])).toEqual([true, true, true, true]);
  });

  it("replace the private view", () => {
    expect(fullPosition(reduce(AT_DEAL, { e: "private_view_changed", private: { tiles: [3], hu: true } })).private).toEqual({ tiles: [3], hu: true });
  });

  it("keep the commitment of the deal until the hand is over", () => {
    const began = reduce(AT_DEAL, { e: "hand_started", position: { ...AT_DEAL, commitment: "5ea1" } });
    const over = reduce(began, { e: "hand_ended", position: { ...AT_DEAL, stage: "hand_over", commitment: "bad", seed: "00" } });
    expect(fullPosition(over)).toMatchObject({ commitmentAtDeal: "5ea1", commitment: "bad" });
    const watched = reduce(AT_DEAL, { e: "hand_ended", position: { ...AT_DEAL, stage: "hand_over" } });
    expect(fullPosition(watched).commitmentAtDeal).toBe("c0ffee");
  });

  it("roll for seats, then for the dealer", () => {
    const waiting: StoredPosition = { ...AT_DEAL, stage: "seating" };
    const rolled = reduce(waiting, { e: "dice_rolled", dice: [3, 4] });
    expect(rolled).toMatchObject({ stage: "choosing", seating: [3, 4] });
    expect(reduce(rolled, { e: "dice_rolled", dice: [1, 1], dealer: 2 })).toMatchObject({ stage: "dealing", dealer: 2, turn: 2 });
  });
});

describe("the table", () => {
  it("puts the next player on the right", () => {
    expect(seatsAround(0)).toEqual([0, 1, 2, 3]);
    expect(seatsAround(2)).toEqual([2, 3, 0, 1]);
  });

  it("lays discards in rows, without those that were claimed", () => {
    const discards = Array.from({ length: 10 }, (_, tile) => (tile === 1 ? { tile, by: 3 } : { tile }));
    const places = placeDiscards(discards);
    expect(places).toHaveLength(9);
    expect(places[0]).toEqual({ tile: 0, column: 0, row: 0 });
    expect(places[1]).toEqual({ tile: 2, column: 1, row: 0 });
    expect(places[ROWS.columns]).toEqual({ tile: 7, column: 0, row: 1 });
  });

  it.each([ROWS, LONG_ROWS])("lays no two discards on each other, however many there are: %o", (rows) => {
    for (const count of [0, 1, 21, 22, 24, 40]) {
      const places = placeDiscards(Array.from({ length: count }, (_, tile) => ({ tile })), rows);
      expect(new Set(places.map(({ column, row }) => `${column}/${row}`)).size).toBe(count);
      expect(Math.max(0, ...places.map(({ row }) => row))).toBeLessThan(rows.rows);
      expect(Math.max(0, ...places.map(({ column }) => column))).toBeLessThanOrEqual(rows.columns + 2);
    }
  });
});

describe("claims", () => {
  const claiming = fullPosition({ ...AT_DEAL, stage: "claiming", tile: 12 });

  it("offer only what is legal, best first, and passing", () => {
    const mine = own({ tiles: [4, 8, 13, 14, 15, 16, 20], hu: true, pong: true, kong: true, chows: [[4, 8], [8, 16], [16, 20]] });
    const choices = availableActions(claiming, mine);
    expect(choices.map(({ action }) => action)).toEqual(["hu", "kong", "pong", "chow", "pass"]);
    expect(choices[2]?.variants).toEqual([{ move: { do: "pong" }, tiles: [13, 14, 12] }]);
    expect(choices[3]?.variants.map(({ move, tiles }) => [move, tiles])).toEqual([
      [{ do: "chow", tiles: [4, 8] }, [4, 8, 12]],
      [{ do: "chow", tiles: [8, 16] }, [8, 12, 16]],
      [{ do: "chow", tiles: [16, 20] }, [12, 16, 20]],
    ]);
    expect(availableActions(claiming, own({ pong: true, tiles: [13, 14] })).map(({ action }) => action)).toEqual(["pong", "pass"]);
  });

  it("are not shown if there are none", () => {
    expect(availableActions(claiming, own({ tiles: [1, 2] }))).toEqual([]);
    expect(availableClaims(own({}), null)).toEqual([]);
  });

  it("offer kongs and a win in the user's turn", () => {
    const turn = fullPosition({ ...AT_DEAL, turn: 0 });
    expect(availableActions(turn, own({ hu: true, kongs: [8, 60] }))).toEqual([
      { action: "hu", variants: [{ move: { do: "hu" }, tiles: [] }] },
      { action: "kong", variants: [{ move: { do: "kong", tile: 8 }, tiles: [8] }, { move: { do: "kong", tile: 60 }, tiles: [60] }] },
    ]);
  });

  it("are passed automatically once if nothing can be claimed", () => {
    const idle = { noCalls: false, autoDiscard: false };
    expect(automaticMove(claiming, own({}), true, idle)).toEqual({ do: "pass" });
    expect(automaticMove(claiming, own({}), false, idle)).toBeNull();
    expect(automaticMove(claiming, own({ answer: { do: "pass" } }), true, idle)).toBeNull();
    expect(automaticMove(claiming, own({ pong: true }), true, idle)).toBeNull();
  });

  it("are not the user's turn if they are automatic", () => {
    const at = (more: object) => movesItself({ ...claiming, private: { ...own({}), ...more } } as never);
    expect(at({})).toBe(true);
    expect(at({ pong: true })).toBe(false);
    autoActions.value = { noCalls: true, autoDiscard: false };
    expect([at({ pong: true }), at({ hu: true })]).toEqual([true, false]);
    autoActions.value = { noCalls: false, autoDiscard: false };
    expect(movesItself({ ...claiming, private: null } as never)).toBe(false);
  });

  it("are passed after a random short delay", () => {
    const whiles = [0, 0.25, 0.5, 0.99].map(actionDelay);
    expect(new Set(whiles).size).toBe(whiles.length);
    expect(Math.min(...whiles)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...whiles)).toBeLessThan(1000);
  });

  it("are passed by a switch, but never a win", () => {
    const passing = { noCalls: true, autoDiscard: false };
    expect(automaticMove(claiming, own({ pong: true }), true, passing)).toEqual({ do: "pass" });
    expect(automaticMove(claiming, own({ hu: true, pong: true }), true, passing)).toBeNull();
  });

  it("leave the drawn tile to a switch, but never a win", () => {
    const turn = fullPosition({ ...AT_DEAL, turn: 0 });
    const discarding = { noCalls: false, autoDiscard: true };
    expect(automaticMove(turn, own({ drawn: 7 }), true, discarding)).toEqual({ do: "discard", tile: 7 });
    expect(automaticMove(turn, own({ drawn: 7, hu: true }), true, discarding)).toBeNull();
    expect(automaticMove(turn, own({}), true, discarding)).toBeNull();
    expect(automaticMove(turn, own({ drawn: 7 }), true, { noCalls: true, autoDiscard: false })).toBeNull();
  });
});

describe("hints", () => {
  it("may be forbidden all at once or each by itself", () => {
    expect(allowedHints()).toEqual({ waits: true, ready_discards: true, shanten: true });
    expect(allowedHints(false)).toEqual({ waits: false, ready_discards: false, shanten: false });
    expect(allowedHints({ ready_discards: false })).toEqual({ waits: true, ready_discards: false, shanten: true });
  });

  it("have a shortest form", () => {
    expect(hintsOption(allowedHints(true))).toBe(true);
    expect(hintsOption(allowedHints(false))).toBe(false);
    expect(allowedHints(hintsOption(allowedHints({ waits: false, ready_discards: false })))).toEqual({ waits: false, ready_discards: false, shanten: true });
  });

  it("that are forbidden are named at the table", () => {
    const texts = TEXTS["zh-Hant"];
    expect(mahjong.tags?.({}, texts)).toEqual(["13 張"]);
    expect(mahjong.tags?.({ hints: false }, texts)).toEqual(["13 張", "無提示"]);
    expect(mahjong.tags?.({ hints: { ready_discards: false } }, texts)).toEqual(["13 張", "不提示打哪張"]);
  });

  it("are listed with the other options that differ from the default", () => {
    const texts = TEXTS["zh-Hant"];
    const house = { several_winners: false, seven_pairs: false, ligu: false, declare_ting: true, no_swap_call: false };
    expect(mahjong.tags?.({ house, base: 300, unit: 100, rounds: 1 }, texts)).toEqual(["13 張", "1 圈", "300/100", "截胡", "不算七對子", "可報聽"]);
    expect(mahjong.tags?.({ tiles: 16, house: { ...house, cap: 16 } }, texts)).toEqual(["16 張", "截胡", "不算嚦咕嚦咕", "可報聽", "另有自訂規則"]);
  });
});

describe("a face-down draw", () => {
  const room = { id: "r", match: 1, phase: "playing", seats: [], to_act: [0] } as unknown as Room;
  const drew = { ...AT_DEAL, turn: 0, private: { tiles: [0, 4], drawn: 8, hu: true, kongs: [4], hints: { shanten: 0 } } };
  const game = fullPosition(drew);
  const mine = fullPrivateView(drew.private);
  const scene = { position: drew, you: 0, room, texts: TEXTS.en, mayMove: true, draft: null, nameAt: () => "" };
  const asScene = scene as unknown as Parameters<typeof announceMahjong>[1];

  beforeEach(() => {
    vi.stubGlobal("localStorage", { setItem: () => {} });
    changeDisplay({ autoDraw: false });
    autoActions.value = { noCalls: false, autoDiscard: false };
  });
  afterEach(() => {
    changeDisplay({ autoDraw: true });
    vi.unstubAllGlobals();
  });

  it("is revealed by neither status nor announcement until it is turned over", () => {
    expect(isCovered(room, game, mine)).toBe(true);
    expect(withoutCoveredDraw(mine)).toMatchObject({ tiles: [0, 4], drawn: null, hu: false, kongs: [], hints: null });
    expect(mahjongStatus(asScene)?.text).toContain("turn over your tile");
    expect(announceMahjong({ e: "drew", seat: 0, tile: 8 }, asScene)).not.toContain("3 of characters");
    expect(announceMahjong({ e: "private_view_changed", private: drew.private }, asScene)).toBeNull();
    turnDraw(room, game);
    expect(isCovered(room, game, mine)).toBe(false);
    expect(announceMahjong({ e: "private_view_changed", private: drew.private }, asScene)).toBe("You can call: Win, Kong.");
    expect(isCovered(room, fullPosition({ ...drew, left: 87 }), mine)).toBe(true);
  });

  it("is shown at once with auto-draw or auto-discard", () => {
    const later = fullPosition({ ...drew, left: 80 });
    expect(isCovered(room, later, mine)).toBe(true);
    autoActions.value = { noCalls: false, autoDiscard: true };
    expect(isCovered(room, later, mine)).toBe(false);
    autoActions.value = { noCalls: false, autoDiscard: false };
    changeDisplay({ autoDraw: true });
    expect(isCovered(room, later, mine)).toBe(false);
    expect(isCovered(room, fullPosition({ ...drew, stage: "claiming" }), mine)).toBe(false);
  });
});
