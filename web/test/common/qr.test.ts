/** QR codes, decoded by the standard. */

import { describe, expect, it } from "vitest";
import { QUIET_ZONE, qrModules, type Modules } from "../../src/common/qrModules";
import { TestRandom } from "../testRandom";

/** Blocks of each version by the standard's table 9 (M): how many, bytes of each in all, bytes of text in each. */
const TABLE: readonly (readonly (readonly [blocks: number, all: number, text: number])[])[] = [
  [[1, 26, 16]], [[1, 44, 28]], [[1, 70, 44]], [[2, 50, 32]], [[2, 67, 43]], [[4, 43, 27]], [[4, 49, 31]],
  [[2, 60, 38], [2, 61, 39]], [[3, 58, 36], [2, 59, 37]], [[4, 69, 43], [1, 70, 44]], [[1, 80, 50], [4, 81, 51]],
  [[6, 58, 36], [2, 59, 37]], [[8, 59, 37], [1, 60, 38]], [[4, 64, 40], [5, 65, 41]], [[5, 65, 41], [5, 66, 42]],
];
/** Middles of alignment patterns by the standard's annex E. */
const ALIGNED = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54],
  [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70],
];
/** The format of correction M by the standard's annex C, for masks 0 to 7. */
const FORMATS = [
  "101010000010010", "101000100100101", "101111001111100", "101101101001011", "100010111111001", "100000011001110",
  "100111110010111", "100101010100000",
];
const MASKS: readonly ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => ((i >> 1) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];
const FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];

/** Multiply bit by bit, as the field is defined. */
function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 128 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

/** Thousands of squares are looked at, so this is quicker than `expect`. */
function same<T>(found: T, wanted: T, what: string): void {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

const versionOfSize = (size: number) => (size - 17) / 4;

function versionOf(text: string): number | null {
  const code = qrModules(text);
  return code && versionOfSize(withoutBorder(code).length);
}

/** Return a code without its quiet zone, which must be light. */
function withoutBorder(code: Modules): Modules {
  const inside = (place: number) => place >= QUIET_ZONE && place < code.length - QUIET_ZONE;
  code.forEach((row, y) => row.forEach((dark, x) => inside(x) && inside(y) || same(dark, false, "quiet zone")));
  return code.slice(QUIET_ZONE, -QUIET_ZONE).map((row) => row.slice(QUIET_ZONE, -QUIET_ZONE));
}

/** Read a code as the standard says, and complain about anything that is out of place. */
function read(code: Modules): { text: string; version: number; mask: number } {
  const size = code.length;
  const version = versionOfSize(size);
  const at = (row: number, column: number) => (code[row]![column] ? "1" : "0");
  const taken = code.map((row) => row.map(() => false));
  const take = (row: number, column: number) => (taken[row]![column] = true);

  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]] as const) {
    for (let row = -1; row < 8; row++) {
      for (let column = -1; column < 8; column++) {
        const [y, x] = [top + row, left + column];
        if (y < 0 || x < 0 || y >= size || x >= size) continue;
        same(at(y, x), FINDER[row]?.[column] ?? "0", "finder");
        take(y, x);
      }
    }
  }
  for (const y of ALIGNED[version - 1]!) {
    for (const x of ALIGNED[version - 1]!) {
      if (taken[y]![x]) continue;
      for (let row = -2; row <= 2; row++) {
        for (let column = -2; column <= 2; column++) {
          same(at(y + row, x + column), Math.max(Math.abs(row), Math.abs(column)) === 1 ? "0" : "1", "alignment");
          take(y + row, x + column);
        }
      }
    }
  }
  for (let place = 8; place < size - 8; place++) {
    same(at(6, place) + at(place, 6), place % 2 ? "00" : "11", "timing");
    take(6, place);
    take(place, 6);
  }
  // From bit 14 down to bit 0, around the first finder; and again beside the other two.
  const around: (readonly [number, number])[] = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => [8, x]);
  around.push(...[7, 5, 4, 3, 2, 1, 0].map((y) => [y, 8] as const));
  const apart: (readonly [number, number])[] = [1, 2, 3, 4, 5, 6, 7].map((y) => [size - y, 8]);
  apart.push(...[8, 7, 6, 5, 4, 3, 2, 1].map((x) => [8, size - x] as const));
  const format = around.map(([y, x]) => at(y, x)).join("");
  same(apart.map(([y, x]) => at(y, x)).join(""), format, "second format");
  const mask = FORMATS.indexOf(format);
  same(mask >= 0, true, "format");
  same(at(size - 8, 8), "1", "the one that is always black");
  for (const [y, x] of [...around, ...apart, [size - 8, 8] as const]) take(y, x);
  if (version >= 7) {
    for (let bit = 0; bit < 18; bit++) {
      same(at(size - 11 + (bit % 3), Math.floor(bit / 3)), at(Math.floor(bit / 3), size - 11 + (bit % 3)), "version");
      take(size - 11 + (bit % 3), Math.floor(bit / 3));
      take(Math.floor(bit / 3), size - 11 + (bit % 3));
    }
  }

  let bits = "";
  let up = true;
  for (const right of [...Array(size).keys()].filter((x) => (x > 6 ? x % 2 === 0 : x % 2 === 1)).reverse()) {
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!taken[y]![x]) bits += MASKS[mask]!(y, x) ? (at(y, x) === "1" ? "0" : "1") : at(y, x);
      }
    }
    up = !up;
  }
  const bytes = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2));
  const kinds = TABLE[version - 1]!.flatMap(([count, all, text]) => Array.from({ length: count }, () => ({ all, text })));
  const blocks = kinds.map(() => [] as number[]);
  let next = 0;
  for (let place = 0; place < 99; place++) {
    kinds.forEach(({ text }, block) => place < text && blocks[block]!.push(bytes[next++]!));
  }
  const texts = blocks.map((block) => [...block]);
  for (let place = 0; place < 99; place++) {
    kinds.forEach(({ all, text }, block) => place < all - text && blocks[block]!.push(bytes[next++]!));
  }
  same(next, bytes.length, "length");
  blocks.forEach((block, number) => {
    const { all, text } = kinds[number]!;
    for (let power = 0, root = 1; power < all - text; power++, root = times(root, 2)) {
      same(block.reduce((sum, byte) => times(sum, root) ^ byte, 0), 0, "correction");
    }
  });
  const stream = texts.flat().map((byte) => byte.toString(2).padStart(8, "0")).join("");
  same(stream.slice(0, 4), "0100", "mode");
  const wide = version < 10 ? 8 : 16;
  const length = parseInt(stream.slice(4, 4 + wide), 2);
  const letters = stream.slice(4 + wide, 4 + wide + 8 * length).match(/.{8}/g) ?? [];
  return { text: new TextDecoder().decode(Uint8Array.from(letters, (letter) => parseInt(letter, 2))), version, mask };
}

describe("a QR code", () => {
  it("is no larger than its text needs, by the standard's table of capacities", () => {
    const most = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412];
    most.forEach((count, place) => {
      expect(versionOf("a".repeat(count))).toBe(place + 1);
      expect(versionOf("a".repeat(count + 1))).toBe(place === 14 ? null : place + 2);
    });
  });

  it("can be decoded, in every version and with every mask", () => {
    const random = new TestRandom(18004);
    const letters = [...":/.#?=-_abcXYZ0123456789棋牌é"];
    const [masks, versions] = [new Set<number>(), new Set<number>()];
    const lengths = [...Array.from({ length: 27 }, (_, place) => 12 * place + 1), ...Array<number>(100).fill(12)];
    for (const length of lengths) {
      const text = Array.from({ length }, () => random.one(letters)).join("");
      const decoded = read(withoutBorder(qrModules(text)!));
      expect(decoded.text).toBe(text);
      masks.add(decoded.mask);
      versions.add(decoded.version);
    }
    expect([masks.size, versions.size]).toEqual([8, TABLE.length]);
  }, 20_000);

  it("contains its version from version 7", () => {
    const code = withoutBorder(qrModules("a".repeat(110))!);
    const size = code.length;
    const bits = Array.from({ length: 18 }, (_, bit) => (code[size - 11 + (bit % 3)]![Math.floor(bit / 3)] ? "1" : "0"));
    // Version 7 by the standard's annex D.
    expect(bits.reverse().join("")).toBe("000111110010010100");
  });
});
