import { describe, expect, it } from "vitest";
import { bytesOf, Dice, hexOf } from "../src/chance";
import { keyOf, prove } from "../src/fair";
import { eyesOf, fetchAccount, frameOf, placeOf, turning, type Account } from "../src/finished";
import { redraw as redrawChess } from "../src/games/chess/redraw";
import { seen } from "../src/games/mahjong/position";
import { redraw } from "../src/games/tictactoe/drawing";
import { sha256 } from "../src/hash";
import type { ChessPosition, Frame, MahjongPosition, TictactoePosition } from "../src/wire";

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

const answer = (status: number, body: unknown) => (() => Promise.resolve(new Response(JSON.stringify(body), { status }))) as typeof fetch;

describe("a finished game", () => {
  it("is asked for by its room, its number and whose eyes", async () => {
    const asked: string[] = [];
    const ask = ((path: string) => {
      asked.push(path);
      return answer(200, { frames: [frame(1, [])], seats: ["all", "0", "1"] })(path);
    }) as typeof fetch;
    const found = await fetchAccount("ab-c", 2, 1, ask);
    expect(asked).toEqual(["/api/games/ab-c/2?seat=1"]);
    expect(eyesOf(found as Account)).toEqual(["all", 0, 1]);
  });

  it("that is not there is told from one that could not be fetched", async () => {
    expect(await fetchAccount("a", 1, null, answer(404, {}))).toBe("gone");
    expect(await fetchAccount("a", 1, null, answer(500, {}))).toBe("lost");
    expect(await fetchAccount("a", 1, null, (() => Promise.reject(new TypeError("no line"))) as typeof fetch)).toBe("lost");
  });

  it("has a step for each change of the board and keeps how it ended", () => {
    const over = { e: "over", winners: [0], reason: "resigned", seed: SEED } as const;
    const frames = [frame(1, []), frame(2, []), frame(3, ["e2e4"]), frame(4, ["e2e4"]), frame(5, ["e2e4"], [over])];
    const steps = turning(frames);
    expect(steps.map(({ version }) => version)).toEqual([1, 3]);
    expect(steps.at(-1)!.events).toEqual([over]);
    expect(frameOf(steps, 1)).toBe(1);
    expect(frameOf(steps, 0)).toBe(0);
  });

  it("has no step for what nobody sees, and stays at its moment when other eyes look", () => {
    const asked: MahjongPosition = { ...HAND, own: { tiles: [1], pong: true, passed: true } };
    const positions: MahjongPosition[] = [
      asked,
      { ...asked, voted: [2] },
      { ...asked, voted: [0, 2], own: { tiles: [1], pong: true, vote: { do: "pass" }, passed: true } },
      { ...HAND, stage: "discarding", own: { tiles: [1, 5], drawn: 5 } },
    ];
    const frames = positions.map((position, place): Frame => ({ ...frame(place + 1, []), position }));
    const steps = turning(frames, (position) => seen(position as MahjongPosition));
    expect(steps.map(({ version }) => version)).toEqual([1, 4]);
    expect([0, 1, 3, 4, 9].map((version) => placeOf(steps, version))).toEqual([0, 0, 0, 1, 1]);
  });
});

describe("its chance", () => {
  const seal = async () => ({ seed: SEED, commitment: hexOf(await sha256(bytesOf(SEED))), luck: [] });

  it("follows from the sealed seed, or does not", async () => {
    const dice = new Dice(bytesOf(SEED));
    const [left, x] = [dice.below(2), dice.below(2)];
    const sealed = await seal();
    const ended = (first: TictactoePosition) => ({ options: {}, positions: [first] });
    expect(await prove(sealed, ended({ ...CELLS, left, x }), redraw)).toEqual({ holds: "good", draws: 2 });
    expect(await prove(sealed, ended({ ...CELLS, left, x: 1 - x }), redraw)).toEqual({ holds: "badDraw" });
    expect(await prove({ ...sealed, seed: SEED.replace("00", "01") }, ended(CELLS), redraw)).toEqual({ holds: "badSeal" });
  });

  it("takes in what players added: the seed, then each length and what was added", async () => {
    expect(hexOf(await keyOf({ seed: SEED, luck: ["", ""] }))).toBe(SEED);
    const mixed = await sha256(bytesOf(`${SEED}02abcd00`));
    expect(hexOf(await keyOf({ seed: SEED, luck: ["abcd", ""] }))).toBe(hexOf(mixed));
  });

  it("of dice in order and mines is drawn again; dice in any order need the rules", async () => {
    const dice = new Dice(bytesOf(SEED));
    const field = [3, 4, 5, 6].flatMap((rank) => [..."abcdefgh"].map((file) => `${file}${rank}`));
    const all = dice.shuffle(field).slice(0, 4);
    const faces = () => [0, 1, 2].map(() => "PNBRQ"[dice.below(5)]).join("");
    const thrown = [0, 1].map((ply) => ({ ply, seat: ply, dice: faces(), used: "...", again: false }));
    const last: ChessPosition = { ...START, thrown, minefield: { left: 4, all } };
    const ended = (kind: "sequential" | "free", position = last) => ({ options: { dice: kind, mines: 4 }, positions: [position] });
    expect((await prove(await seal(), ended("sequential"), redrawChess)).holds).toBe("good");
    expect((await prove(await seal(), ended("free"), redrawChess)).holds).toBe("sealed");
    const moved = { ...last, minefield: { left: 4, all: ["a3", "a4", "a5", "a6"] } };
    expect((await prove(await seal(), ended("free", moved), redrawChess)).holds).toBe("badDraw");
  });
});
