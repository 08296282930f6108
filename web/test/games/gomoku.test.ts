/** Position, board geometry, move navigation and SGF of gomoku. */

import { describe, expect, it, vi } from "vitest";
import { intersection, middle } from "../../src/games/gomoku/board/geometry";
import { shownMove, showMove, type GomokuScene } from "../../src/games/gomoku/moveNavigation";
import { coordinate, colourOf, reduce, SIZE, stageOf, stones } from "../../src/games/gomoku/position";
import { readSgf } from "../../src/games/gomoku/sgfReader";
import { writeSgf } from "../../src/games/gomoku/sgfWriter";
import { status } from "../../src/games/gomoku/status";
import { texts } from "../../src/games/gomoku/texts/en";
import type { GomokuPosition } from "../../src/net/protocol";
import { CASES, TestRandom } from "../testRandom";

const START: GomokuPosition = { black: 1, turn: 1, moves: [], line: [] };
const cell = (x: number, y: number) => x + SIZE * y;

describe("gomoku", () => {
  it("gives black to the seat that has it", () => {
    expect([colourOf(START, 0), colourOf(START, 1)]).toEqual(["white", "black"]);
  });

  it("puts a stone on its point and passes the turn", () => {
    const one = reduce(START, { e: "placed", seat: 1, x: 7, y: 6 });
    expect(one).toEqual({ black: 1, turn: 0, moves: [cell(7, 6)], line: [] });
    const two = reduce(one, { e: "placed", seat: 0, x: 0, y: 14 });
    expect(two).toMatchObject({ turn: 1, moves: [cell(7, 6), cell(0, 14)] });
    expect([...stones(two.moves)]).toEqual([[cell(7, 6), "black"], [cell(0, 14), "white"]]);
  });

  it("remembers the winning line", () => {
    expect(reduce(START, { e: "five_in_row", cells: [0, 1, 2, 3, 4] }).line).toEqual([0, 1, 2, 3, 4]);
  });

  it("ignores an unknown event", () => {
    expect(reduce(START, { e: "earthquake" } as never)).toBe(START);
  });

  it("names the points from the bottom left", () => {
    const names = [cell(0, 14), cell(0, 0), cell(14, 0), cell(14, 14), cell(7, 7)].map((each) => coordinate(each, SIZE));
    expect(names).toEqual(["A1", "A15", "O15", "O1", "H8"]);
    expect([0, 18, 180, 360].map((each) => coordinate(each, 19))).toEqual(["A19", "S19", "J10", "S1"]);
  });
});

describe("the swap2 opening", () => {
  const begun: GomokuPosition = { black: 0, turn: 0, moves: [], line: [], rule: "swap2" };
  const place = (position: GomokuPosition, number: number) => reduce(position, { e: "placed", seat: position.turn, x: number, y: 0 });
  const three = [0, 1, 2].reduce(place, begun);

  it("gives the first three stones to one player and the choice to the other", () => {
    expect([0, 1, 2].map((count) => [0, 1, 2].slice(0, count).reduce(place, begun).turn)).toEqual([0, 0, 0]);
    expect([stageOf(begun), stageOf(three), three.turn]).toEqual(["first", "choice", 1]);
    expect([colourOf(three, 0), colourOf(three, 1)]).toEqual([null, null]);
  });

  it("ends with a colour, and white moves", () => {
    const white = reduce(three, { e: "chosen", seat: 1, choice: "white", black: 0 });
    expect([stageOf(white), white.black, white.turn, colourOf(white, 1)]).toEqual([null, 0, 1, "white"]);
    const black = reduce(three, { e: "chosen", seat: 1, choice: "black", black: 1 });
    expect([stageOf(black), black.black, black.turn, colourOf(black, 1)]).toEqual([null, 1, 0, "black"]);
  });

  it("lets the first player choose after two more stones", () => {
    const more = reduce(three, { e: "chosen", seat: 1, choice: "two_more", black: 0 });
    expect([stageOf(more), more.turn]).toEqual(["more", 1]);
    const five = [3, 4].reduce(place, more);
    expect([stageOf(five), five.turn]).toEqual(["colour", 0]);
    const chosen = reduce(five, { e: "chosen", seat: 0, choice: "white", black: 1 });
    expect([stageOf(chosen), chosen.turn, colourOf(chosen, 0)]).toEqual([null, 0, "white"]);
  });

  const scene = (position: GomokuPosition, you: number | null): GomokuScene =>
    ({
      position, you, cursor: null, draft: null, pending: null, mayMove: you === position.turn, play: vi.fn(),
      room: { phase: "playing" }, texts: { games: { gomoku: texts } }, nameAt: (seat: number) => ["Ada", "Bo"][seat],
    }) as unknown as GomokuScene;

  it("shows the choices as buttons to the player who has them", () => {
    const own = scene(three, 1);
    expect(status(own)?.buttons?.map(({ label }) => label)).toEqual(["Play white", "Play black", "Place two more"]);
    status(own)!.buttons![2]!.press();
    expect(own.play).toHaveBeenCalledWith({ do: "choose", choice: "two_more" });
    expect(status(scene(three, 0))).toEqual({ text: "Bo chooses a colour, or places two more stones.", mine: false });
    expect(status(scene(begun, null))).toEqual({ text: "Ada places the first three stones.", mine: false });
    expect(status(scene(place(begun, 0), 0))?.text).toBe("Place three stones: black, white, black. Stone 2 of 3.");
  });

  it("says why a point is forbidden in renju, and offers no stone there", () => {
    const renju: GomokuPosition = { ...START, black: 0, turn: 0, rule: "renju", forbidden: [{ cell: 112, kind: "double_three" }] };
    const aimed = { ...scene(renju, 0), draft: { do: "place", x: 7, y: 7 } } as GomokuScene;
    expect(status(aimed)).toEqual({ text: "H8 is forbidden for Black: double-three (two open threes at once).", mine: true });
    expect(reduce(renju, { e: "placed", seat: 0, x: 0, y: 0 })).not.toHaveProperty("forbidden");
  });
});

describe.each([15, 19])("Property 4: Click-to-Intersection Snapping, %d lines", (lines) => {
  const random = new TestRandom(4);
  const anyBox = () => {
    const size = random.between(100, 2000);
    return { left: random.between(-500, 500), top: random.between(-500, 500), width: size, height: size };
  };

  it("finds the nearest of all intersections for any click on the board", () => {
    for (let number = 0; number < CASES; number++) {
      const box = anyBox();
      const [clientX, clientY] = [box.left + random.between(0, box.width), box.top + random.between(0, box.height)];
      const found = intersection(clientX, clientY, box, lines);
      const away = (x: number, y: number) =>
        Math.hypot(box.left + middle(x, box.width, lines) - clientX, box.top + middle(y, box.height, lines) - clientY);
      let least = Infinity;
      for (let x = 0; x < lines; x++) for (let y = 0; y < lines; y++) least = Math.min(least, away(x, y));
      expect(away(found.x, found.y)).toBeCloseTo(least, 6);
    }
  });

  it("stays between 0 and the last line wherever the click was, and never invents half a line", () => {
    for (let number = 0; number < CASES; number++) {
      const box = anyBox();
      const { x, y } = intersection(random.between(-5000, 5000), random.between(-5000, 5000), box, lines);
      for (const line of [x, y]) {
        expect(Number.isInteger(line) && line >= 0 && line < lines, `${line}`).toBe(true);
      }
    }
  });

  it("returns the intersection within half a line distance", () => {
    for (let number = 0; number < CASES; number++) {
      const box = anyBox();
      const [x, y, slack] = [random.below(lines), random.below(lines), (0.49 * box.width) / (lines + 1)];
      const clientX = box.left + middle(x, box.width, lines) + random.between(-slack, slack);
      const clientY = box.top + middle(y, box.height, lines) + random.between(-slack, slack);
      expect(intersection(clientX, clientY, box, lines)).toEqual({ x, y });
    }
  });

  it("accepts a board without a size", () => {
    expect(intersection(5, 5, { left: 0, top: 0, width: 0, height: 0 }, lines)).toEqual({ x: 0, y: 0 });
  });
});

describe("move navigation", () => {
  const scene = (moves: number, cursor: GomokuScene["cursor"]) => {
    const setCursor = vi.fn();
    const position = { ...START, moves: Array.from({ length: moves }, (_, number) => number) };
    return { setCursor, scene: { position, cursor, setCursor } as unknown as GomokuScene };
  };

  it("shows the current position by default", () => {
    expect(shownMove(scene(3, null).scene)).toEqual({ step: 3, total: 3, earlier: false, newMoves: false });
    expect(shownMove({ position: null, cursor: null } as GomokuScene)).toMatchObject({ step: 0, total: 0 });
  });

  it("stays at its move when a stone is played, and says so", () => {
    expect(shownMove(scene(3, { step: 2, total: 3 }).scene)).toMatchObject({ step: 2, earlier: true, newMoves: false });
    expect(shownMove(scene(4, { step: 2, total: 3 }).scene)).toMatchObject({ step: 2, earlier: true, newMoves: true });
  });

  it("ends when the shown moves are taken back", () => {
    expect(shownMove(scene(2, { step: 2, total: 3 }).scene)).toMatchObject({ step: 2, earlier: false });
  });

  it("stays within the moves", () => {
    const { setCursor, scene: now } = scene(5, null);
    for (const step of [4, -1, 5, 9]) showMove(now, step);
    expect(setCursor.mock.calls).toEqual([[{ step: 4, total: 5 }], [{ step: 0, total: 5 }], [null], [null]]);
    const later = scene(7, { step: 2, total: 5 });
    showMove(later.scene, 3);
    expect(later.setCursor).toHaveBeenCalledWith({ step: 3, total: 5 });
  });
});

describe("a game as SGF", () => {
  const game = {
    black: 0,
    names: { black: "Ada", white: "Bo" },
    moves: [cell(7, 7), cell(0, 0), cell(14, 14)],
    result: { winners: [0], reason: "five" },
    day: new Date("2024-05-06T23:00:00Z"),
  };

  it("has headers and the stones in order", () => {
    expect(writeSgf(game)).toBe(
      "(;FF[4]GM[4]SZ[15]CA[UTF-8]AP[Qipai]PB[Ada]PW[Bo]DT[2024-05-06]RE[B+]\n;B[hh];W[aa];B[oo])\n",
    );
  });

  it("says how it ended", () => {
    const ended = (winners: number[], reason: string, black = 0) =>
      /RE\[(.*?)\]/.exec(writeSgf({ ...game, black, result: { winners, reason } }))?.[1];
    expect([ended([1], "resigned"), ended([0], "time"), ended([1], "left", 1)]).toEqual(["W+R", "B+T", "B+F"]);
    expect([ended([], "full"), ended([], "agreed"), ended([], "abandoned")]).toEqual(["0", "0", "Void"]);
  });

  it("escapes names", () => {
    expect(writeSgf({ ...game, names: { black: "a]b\\c", white: "d\ne" } })).toContain("PB[a\\]b\\\\c]PW[d e]");
  });

  it("has the size and the opening rule, and is read back", () => {
    const text = writeSgf({ ...game, rule: "renju", size: 19, moves: [360, 0, 18] });
    expect(text).toContain("SZ[19]CA[UTF-8]AP[Qipai]RU[Renju]PB[Ada]");
    expect(text).toContain(";B[ss];W[aa];B[sa]");
    const [read] = readSgf(text);
    expect(read?.read()).toMatchObject({ options: { rule: "renju", size: 19 }, position: { size: 19, moves: [360, 0, 18] } });
  });

  it("finds no line of six for black in renju", () => {
    const six = [0, 30, 1, 32, 2, 34, 4, 36, 5, 38, 3];
    const lineOf = (rule: "free" | "renju") => {
      const [read] = readSgf(writeSgf({ ...game, rule, moves: six }));
      const opened = read!.read();
      return "position" in opened ? opened.position.line.length : -1;
    };
    expect([lineOf("free"), lineOf("renju")]).toEqual([6, 0]);
  });

  it("keeps every stone of any game", () => {
    const random = new TestRandom(44);
    for (let number = 0; number < CASES; number++) {
      const moves = random.distinct(random.below(226), 225);
      const read = [...writeSgf({ ...game, moves }).matchAll(/;([BW])\[([a-o])([a-o])\]/g)];
      const cells = read.map(([, , x, y]) => cell(x!.charCodeAt(0) - 97, y!.charCodeAt(0) - 97));
      expect(cells).toEqual(moves);
      expect(read.every(([, colour], index) => colour === (index % 2 ? "W" : "B"))).toBe(true);
    }
  });
});
