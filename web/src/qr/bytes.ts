/** A text as the bytes of a QR code (ISO/IEC 18004, byte mode, correction M). */

import { correction } from "./correction";

/** Bytes of correction in each block, and blocks, from version 1 on. */
const BLOCKS: readonly (readonly [correction: number, blocks: number])[] = [
  [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5], [30, 5], [22, 8], [22, 9],
  [24, 9], [24, 10],
];

/** How many squares a side has. */
export const sizeOf = (version: number): number => 17 + 4 * version;

/** How many alignment patterns a row has; version 1 has none. */
export const alignedIn = (version: number): number => (version === 1 ? 0 : Math.floor(version / 7) + 2);

/** Return how many whole bytes a version has room for, correction included. */
function room(version: number): number {
  const aligned = alignedIn(version);
  // All squares without finders, timing and format; then without alignment, which shares squares with the timing.
  const free = sizeOf(version) ** 2 - 3 * 64 - 2 * (sizeOf(version) - 16) - 31 - (version >= 7 ? 36 : 0);
  return Math.floor((free - (aligned ? (aligned ** 2 - 3) * 25 - (aligned - 2) * 10 : 0)) / 8);
}

/** The version that a text needs, and its bytes in the order they are drawn. */
export interface Encoded {
  version: number;
  bytes: readonly number[];
}

/** Return a text in the smallest code that holds it; null if none does. */
export function encode(text: string): Encoded | null {
  const letters = [...new TextEncoder().encode(text)];
  const version = 1 + BLOCKS.findIndex((_, place) => letters.length <= space(place + 1) - (place < 9 ? 2 : 3));
  return version === 0 ? null : { version, bytes: woven(version, padded(version, letters)) };
}

/** Return how many bytes of its own a version carries. */
function space(version: number): number {
  const [check, blocks] = BLOCKS[version - 1]!;
  return room(version) - check * blocks;
}

/** Put mode, length, letters and filling one after the other. */
function padded(version: number, letters: readonly number[]): readonly number[] {
  const length = letters.length.toString(2).padStart(version < 10 ? 8 : 16, "0");
  const bits = `0100${length}${letters.map((letter) => letter.toString(2).padStart(8, "0")).join("")}0000`;
  const bytes = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2));
  for (let filling = 0xec; bytes.length < space(version); filling ^= 0xec ^ 0x11) bytes.push(filling);
  return bytes;
}

/** Take a byte of each block in turn, first of the text's, then of the correction's. */
function woven(version: number, bytes: readonly number[]): readonly number[] {
  const [check, count] = BLOCKS[version - 1]!;
  const short = Math.floor(bytes.length / count);
  const blocks: (readonly number[])[] = [];
  for (let start = 0; blocks.length < count; ) {
    // The later blocks are longer by one where it does not divide.
    const end = start + short + Number(blocks.length >= count - (bytes.length % count));
    blocks.push(bytes.slice(start, end));
    start = end;
  }
  return [...turns(blocks), ...turns(blocks.map((block) => correction(block, check)))];
}

function turns(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, place) => blocks.flatMap((block) => block.slice(place, place + 1))).flat();
}
