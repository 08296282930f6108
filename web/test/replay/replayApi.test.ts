/** Replays and the verification of their randomness. */

import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { bytesFromHex, Random, hexFromBytes } from "../../src/fairness/randomness";
import { randomKey, verifyRandomness, verifyReplay } from "../../src/fairness/verify";
import { viewpointsOf, fetchReplay, frameAtHand, frameAtMove, frameAtVersion, visibleSteps } from "../../src/replay/replayApi";
import { verifyGame as redrawChess } from "../../src/games/chess/verifyRandomness";
import { visiblePart } from "../../src/games/mahjong/position";
import { verifyGame } from "../../src/games/tictactoe/boardDrawing";
import type { DrawVerification } from "../../src/games/gameInterface";
import type { ChessPosition, Frame, GameName, MahjongPosition, Replay, TictactoePosition } from "../../src/net/protocol";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const START: ChessPosition = { white: 0, turn: 0, fen: "8/8/8/8/8/8/8/8 w - - 0 1" };
const CELLS: TictactoePosition = {
  left: 0, x: 0, first: 0, turn: 0, board: ".........", round: 0, wins: [0, 0], draws: 0, resting: false, taken: null, lines: [],
};

const PLAYER = { wind: 0, score: 0, count: 13 };
const HAND: MahjongPosition = { stage: "claiming", turn: 1, dealer: 0, players: [PLAYER, PLAYER, PLAYER, PLAYER] };

const frame = (version: number, moves: readonly string[], events: Frame["events"] = []): Frame => ({
  version, at: version, actor: 0, events, position: { ...START, moves }, to_act: [0], clock: null,
});

const COMPACT = { version: [1], at: [5], actor: [0], events: [[]], patch: [[0, CELLS]], to_act: [[0]], clock: [null] };

const answer = (status: number, body: unknown) => (() => Promise.resolve(new Response(JSON.stringify(body), { status }))) as typeof fetch;

describe("a finished game", () => {
  it("starts at a hand that a link names", () => {
    const at = (version: number, place: number): Frame => ({ ...frame(version, []), position: { ...HAND, place } });
    const frames = [at(1, 0), at(2, 0), at(3, 1), at(4, 1), at(5, 2)];
    const handOf = (position: Frame["position"]) => String((position as MahjongPosition).place);
    expect([1, 2, 3].map((hand) => frameAtHand(frames, hand, handOf))).toEqual([0, 2, 4]);
    expect(frameAtHand(frames, 4, handOf)).toBe(0);
    expect(frameAtHand(frames, 2, undefined)).toBe(0);
  });

  it("is requested by room, match and viewpoint", async () => {
    const asked: string[] = [];
    const ask = ((path: string) => {
      asked.push(path);
      return answer(200, { frames: COMPACT, seats: ["all", "0", "1"] })(path);
    }) as typeof fetch;
    const found = await fetchReplay("ab-c", 2, 1, ask);
    await fetchReplay("ab-c", 2, null, ask);
    expect(asked).toEqual(["/api/games/ab-c/2?seat=1&form=compact", "/api/games/ab-c/2?form=compact"]);
    expect(viewpointsOf(found as Replay)).toEqual(["all", 0, 1]);
    expect((found as Replay).frames).toEqual([{ version: 1, at: 5, actor: 0, events: [], position: CELLS, to_act: [0], clock: null }]);
  });

  it("that does not exist is distinguished from a failed request", async () => {
    expect(await fetchReplay("a", 1, null, answer(404, {}))).toBe("notFound");
    expect(await fetchReplay("a", 1, null, answer(500, {}))).toBe("failed");
    expect(await fetchReplay("a", 1, null, (() => Promise.reject(new TypeError("no line"))) as typeof fetch)).toBe("failed");
  });

  it("has a step for each change of the board and keeps how it ended", () => {
    const over = { e: "game_over", winners: [0], reason: "resigned", seed: SEED } as const;
    const frames = [frame(1, []), frame(2, []), frame(3, ["e2e4"]), frame(4, ["e2e4"]), frame(5, ["e2e4"], [over])];
    const steps = visibleSteps(frames);
    expect(steps.map(({ version }) => version)).toEqual([1, 3]);
    expect(steps.at(-1)!.events).toEqual([over]);
    expect(frameAtMove(steps, 1)).toBe(1);
    expect(frameAtMove(steps, 0)).toBe(0);
  });

  it("has no step for hidden changes, and keeps its place when the viewpoint changes", () => {
    const asked: MahjongPosition = { ...HAND, private: { tiles: [1], pong: true, passed: true } };
    const positions: MahjongPosition[] = [
      asked,
      { ...asked, answered: [2] },
      { ...asked, answered: [0, 2], private: { tiles: [1], pong: true, answer: { do: "pass" }, passed: true } },
      { ...HAND, stage: "discarding", private: { tiles: [1, 5], drawn: 5 } },
    ];
    const frames = positions.map((position, place): Frame => ({ ...frame(place + 1, []), position }));
    const steps = visibleSteps(frames, (position) => visiblePart(position as MahjongPosition));
    expect(steps.map(({ version }) => version)).toEqual([1, 4]);
    expect([0, 1, 3, 4, 9].map((version) => frameAtVersion(steps, version))).toEqual([0, 0, 0, 1, 1]);
  });
});

describe("its randomness", () => {
  const committed = () => ({ seed: SEED, commitment: hexFromBytes(sha256(bytesFromHex(SEED))), playerEntropy: [] });

  it("is verified against the commitment", () => {
    const dice = new Random(bytesFromHex(SEED));
    const [left, x] = [dice.below(2), dice.below(2)];
    const seed = committed();
    const ended = (first: TictactoePosition) => ({ options: {}, positions: [first] });
    expect(verifyRandomness(seed, ended({ ...CELLS, left, x }), verifyGame)).toEqual({ result: "good", draws: 2 });
    expect(verifyRandomness(seed, ended({ ...CELLS, left, x: 1 - x }), verifyGame)).toEqual({ result: "drawsDiffer" });
    expect(verifyRandomness({ ...seed, seed: SEED.replace("00", "01") }, ended(CELLS), verifyGame)).toEqual({ result: "seedDiffers" });
  });

  it("is recomputed only by the rules that the page knows; the seed is always verified", async () => {
    const dice = new Random(bytesFromHex(SEED));
    const [left, x] = [dice.below(2), dice.below(2)];
    const replay = (rules: number, first: TictactoePosition, seed = SEED) =>
      ({ ...committed(), seed, rules, match: 1, player_entropy: [], options: {}, frames: [{ ...frame(1, []), position: first }] }) as unknown as Replay;
    const draws = { rules: 1, load: () => Promise.resolve(verifyGame) } as unknown as DrawVerification<GameName>;
    const dealt = { ...CELLS, left, x };
    expect(await verifyReplay(replay(1, dealt), draws)).toEqual({ result: "good", draws: 2 });
    expect(await verifyReplay(replay(1, { ...dealt, x: 1 - x }), draws)).toEqual({ result: "drawsDiffer" });
    expect(await verifyReplay(replay(2, { ...dealt, x: 1 - x }), draws)).toEqual({ result: "otherRules" });
    expect(await verifyReplay(replay(2, dealt, SEED.replace("00", "01")), draws)).toEqual({ result: "seedDiffers" });
    expect(await verifyReplay(replay(1, dealt), undefined)).toEqual({ result: "seedOnly" });
  });

  it("includes the player entropy: the seed, then each length and value", () => {
    expect(hexFromBytes(randomKey({ seed: SEED, playerEntropy: ["", ""] }))).toBe(SEED);
    const mixed = sha256(bytesFromHex(`${SEED}02abcd00`));
    expect(hexFromBytes(randomKey({ seed: SEED, playerEntropy: ["abcd", ""] }))).toBe(hexFromBytes(mixed));
  });

  it("of sequential dice and mines is recomputed; free dice need the rules", () => {
    const dice = new Random(bytesFromHex(SEED));
    const field = [3, 4, 5, 6].flatMap((rank) => [..."abcdefgh"].map((file) => `${file}${rank}`));
    const all = dice.shuffle(field).slice(0, 4);
    const faces = () => [0, 1, 2].map(() => "PNBRQ"[dice.below(5)]).join("");
    const rolls = [0, 1].map((ply) => ({ ply, seat: ply, dice: faces(), used: "...", again: false }));
    const last: ChessPosition = { ...START, rolls, minefield: { left: 4, all } };
    const ended = (kind: "sequential" | "free", position = last) => ({ options: { dice: kind, mines: 4 }, positions: [position] });
    expect(verifyRandomness(committed(), ended("sequential"), redrawChess).result).toBe("good");
    expect(verifyRandomness(committed(), ended("free"), redrawChess).result).toBe("seedOnly");
    const moved = { ...last, minefield: { left: 4, all: ["a3", "a4", "a5", "a6"] } };
    expect(verifyRandomness(committed(), ended("free", moved), redrawChess).result).toBe("drawsDiffer");
  });
});
