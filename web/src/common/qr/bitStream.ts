/** Encodes a text as the codewords of a QR code (ISO/IEC 18004, byte mode, error correction level M). */

import { correctionBytes } from "./errorCorrection";

/** Error correction bytes per block, and number of blocks, from version 1. */
const BLOCKS: readonly (readonly [correction: number, blocks: number])[] = [
  [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5], [30, 5], [22, 8], [22, 9],
  [24, 9], [24, 10],
];

/** Modules per side. */
export const modulesPerSide = (version: number): number => 17 + 4 * version;

/** Alignment patterns per row; version 1 has none. */
export const alignmentCount = (version: number): number => (version === 1 ? 0 : Math.floor(version / 7) + 2);

/** Return the number of codewords of a version, error correction included. */
function totalCodewords(version: number): number {
  const aligned = alignmentCount(version);
  // All modules minus finders, timing and format; then minus alignment patterns, which overlap the timing.
  const free = modulesPerSide(version) ** 2 - 3 * 64 - 2 * (modulesPerSide(version) - 16) - 31 - (version >= 7 ? 36 : 0);
  return Math.floor((free - (aligned ? (aligned ** 2 - 3) * 25 - (aligned - 2) * 10 : 0)) / 8);
}

/** Version of the code, and its codewords in drawing order. */
export interface EncodedText {
  version: number;
  bytes: readonly number[];
}

/** Encode a text in the smallest version that fits; null if none does. */
export function encode(text: string): EncodedText | null {
  const letters = [...new TextEncoder().encode(text)];
  const version = 1 + BLOCKS.findIndex((_, index) => letters.length <= dataCodewords(index + 1) - (index < 9 ? 2 : 3));
  return version === 0 ? null : { version, bytes: interleaved(version, dataBytes(version, letters)) };
}

/** Return the number of data codewords of a version. */
function dataCodewords(version: number): number {
  const [check, blocks] = BLOCKS[version - 1]!;
  return totalCodewords(version) - check * blocks;
}

/** Return mode, length, data and padding. */
function dataBytes(version: number, letters: readonly number[]): readonly number[] {
  const length = letters.length.toString(2).padStart(version < 10 ? 8 : 16, "0");
  const bits = `0100${length}${letters.map((letter) => letter.toString(2).padStart(8, "0")).join("")}0000`;
  const bytes = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2));
  for (let filling = 0xec; bytes.length < dataCodewords(version); filling ^= 0xec ^ 0x11) bytes.push(filling);
  return bytes;
}

/** Interleave the blocks: data first, then error correction. */
function interleaved(version: number, bytes: readonly number[]): readonly number[] {
  const [check, count] = BLOCKS[version - 1]!;
  const short = Math.floor(bytes.length / count);
  const blocks: (readonly number[])[] = [];
  for (let start = 0; blocks.length < count; ) {
    // If the division leaves a remainder, the last blocks are longer by one.
    const end = start + short + Number(blocks.length >= count - (bytes.length % count));
    blocks.push(bytes.slice(start, end));
    start = end;
  }
  return [...byColumn(blocks), ...byColumn(blocks.map((block) => correctionBytes(block, check)))];
}

function byColumn(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, index) => blocks.flatMap((block) => block.slice(index, index + 1))).flat();
}
