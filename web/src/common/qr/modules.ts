/** Places the modules of a QR code (ISO/IEC 18004). */

import { alignmentCount, encode, modulesPerSide } from "./bitStream";
import { maskPenalty } from "./maskPenalty";

/** Rows from the top; true is dark. */
export type Modules = readonly (readonly boolean[])[];

type Draft = (boolean | null)[][];

/** The eight mask patterns. */
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Return the modules for a text; null if the text is too long. */
export function qrModules(text: string): Modules | null {
  const encoded = encode(text);
  if (encoded === null) return null;
  const blank = functionPatterns(encoded.version);
  const drawings = MASKS.map((_, mask) => withData(blank, encoded.bytes, mask));
  const points = drawings.map(maskPenalty);
  return drawings[points.indexOf(Math.min(...points))]!;
}

/** Draw the function patterns of a version; null modules are left for data. */
function functionPatterns(version: number): Draft {
  const size = modulesPerSide(version);
  const drawing: Draft = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  for (let at = 0; at < size; at++) drawing[6]![at] = drawing[at]![6] = at % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) drawRings(drawing, x, y, 4, [2, 4]);
  const lines = alignments(version);
  for (const y of lines) {
    for (const x of lines) if (!inFinder(x, y, size)) drawRings(drawing, x, y, 2, [1]);
  }
  if (version >= 7) {
    const bits = withCheckBits(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const [along, across] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      drawing[along]![across] = drawing[across]![along] = Boolean((bits >> bit) & 1);
    }
  }
  return withFormat(drawing, 0);
}

/** Draw concentric rings; the listed distances are light, the others dark. */
function drawRings(drawing: Draft, middleX: number, middleY: number, reach: number, white: readonly number[]): void {
  for (let y = middleY - reach; y <= middleY + reach; y++) {
    for (let x = middleX - reach; x <= middleX + reach; x++) {
      const distance = Math.max(Math.abs(x - middleX), Math.abs(y - middleY));
      if (drawing[y]?.[x] !== undefined) drawing[y]![x] = !white.includes(distance);
    }
  }
}

/** Return the centre coordinates of the alignment patterns. */
function alignments(version: number): readonly number[] {
  const count = alignmentCount(version);
  const last = modulesPerSide(version) - 7;
  const step = Math.ceil((last - 6) / (2 * (count - 1))) * 2;
  return Array.from({ length: count }, (_, index) => (index === 0 ? 6 : last - step * (count - 1 - index)));
}

function inFinder(x: number, y: number, size: number): boolean {
  return (x < 9 && y < 9) || (x < 9 && y > size - 9) || (x > size - 9 && y < 9);
}

/** Return bits followed by their BCH check bits. */
function withCheckBits(bits: number, more: number, divisor: number): number {
  let rest = bits << more;
  for (let at = 31 - Math.clz32(rest); at >= more; at = 31 - Math.clz32(rest)) rest ^= divisor << (at - more);
  return (bits << more) | rest;
}

/** Write both copies of the format: level M (00) and the mask. */
function withFormat(drawing: Draft, mask: number): Draft {
  const bits = withCheckBits(mask, 10, 0x537) ^ 0x5412;
  const size = drawing.length;
  for (let bit = 0; bit < 15; bit++) {
    const black = Boolean((bits >> bit) & 1);
    // Both copies skip the timing pattern.
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
    const far = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit;
    drawing[near]![8] = black;
    drawing[8]![far] = black;
  }
  drawing[size - 8]![8] = true;
  return drawing;
}

/** Place the data in columns of two from the right, alternating up and down. */
function withData(blank: Draft, bytes: readonly number[], mask: number): boolean[][] {
  const size = blank.length;
  const drawing = blank.map((row) => [...row]);
  const covers = MASKS[mask]!;
  let bit = 0;
  for (let column = size - 1; column > 0; column -= 2) {
    if (column === 6) column--;
    const upwards = ((column + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [column, column - 1]) {
        if (blank[y]![x] !== null) continue;
        const on = Boolean((bytes[bit >> 3] ?? 0) & (128 >> (bit & 7)));
        drawing[y]![x] = on !== covers(x, y);
        bit++;
      }
    }
  }
  return withFormat(drawing, mask) as boolean[][];
}
