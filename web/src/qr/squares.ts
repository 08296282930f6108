/** Where the black squares of a QR code are (ISO/IEC 18004). */

import { alignedIn, encode, sizeOf } from "./bytes";
import { penalty } from "./penalty";

/** Rows from the top; true is black. */
export type Squares = readonly (readonly boolean[])[];

type Drawing = (boolean | null)[][];

/** The eight ways to stir the bytes, so that no code looks like a pattern. */
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

/** Return the code of a text; null if the text is too long. */
export function squares(text: string): Squares | null {
  const encoded = encode(text);
  if (encoded === null) return null;
  const blank = frame(encoded.version);
  const drawings = MASKS.map((_, mask) => filled(blank, encoded.bytes, mask));
  const points = drawings.map(penalty);
  return drawings[points.indexOf(Math.min(...points))]!;
}

/** Draw what every code of a version has; what is null is left for the bytes. */
function frame(version: number): Drawing {
  const size = sizeOf(version);
  const drawing: Drawing = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  for (let at = 0; at < size; at++) drawing[6]![at] = drawing[at]![6] = at % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) rings(drawing, x, y, 4, [2, 4]);
  const lines = alignments(version);
  for (const y of lines) {
    for (const x of lines) if (!inFinder(x, y, size)) rings(drawing, x, y, 2, [1]);
  }
  if (version >= 7) {
    const bits = checked(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const [along, across] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      drawing[along]![across] = drawing[across]![along] = Boolean((bits >> bit) & 1);
    }
  }
  return format(drawing, 0);
}

/** Draw rings around a middle: these are white, the others black. */
function rings(drawing: Drawing, middleX: number, middleY: number, reach: number, white: readonly number[]): void {
  for (let y = middleY - reach; y <= middleY + reach; y++) {
    for (let x = middleX - reach; x <= middleX + reach; x++) {
      const distance = Math.max(Math.abs(x - middleX), Math.abs(y - middleY));
      if (drawing[y]?.[x] !== undefined) drawing[y]![x] = !white.includes(distance);
    }
  }
}

/** Return where the middles of alignment patterns are, in both directions. */
function alignments(version: number): readonly number[] {
  const count = alignedIn(version);
  const last = sizeOf(version) - 7;
  const step = Math.ceil((last - 6) / (2 * (count - 1))) * 2;
  return Array.from({ length: count }, (_, place) => (place === 0 ? 6 : last - step * (count - 1 - place)));
}

function inFinder(x: number, y: number, size: number): boolean {
  return (x < 9 && y < 9) || (x < 9 && y > size - 9) || (x > size - 9 && y < 9);
}

/** Return a few bits followed by their remainder, which tells a reader when they were misread. */
function checked(bits: number, more: number, divisor: number): number {
  let rest = bits << more;
  for (let at = 31 - Math.clz32(rest); at >= more; at = 31 - Math.clz32(rest)) rest ^= divisor << (at - more);
  return (bits << more) | rest;
}

/** Write twice how the code is to be read: correction M (00) and the mask. */
function format(drawing: Drawing, mask: number): Drawing {
  const bits = checked(mask, 10, 0x537) ^ 0x5412;
  const size = drawing.length;
  for (let bit = 0; bit < 15; bit++) {
    const black = Boolean((bits >> bit) & 1);
    // Both copies step over the timing line.
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
    const far = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit;
    drawing[near]![8] = black;
    drawing[8]![far] = black;
  }
  drawing[size - 8]![8] = true;
  return drawing;
}

/** Write the bytes in columns of two, from the right, up and down by turns. */
function filled(blank: Drawing, bytes: readonly number[], mask: number): boolean[][] {
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
  return format(drawing, mask) as boolean[][];
}
