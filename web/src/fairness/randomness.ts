/** Randomness as on the server: ChaCha20 keystream (RFC 8439, zero nonce), draws, shuffles. */

import { chacha20 } from "@noble/ciphers/chacha.js";

/** Bytes of the keystream that are computed at a time: eight blocks. */
const CHUNK = 8 * 64;
const ZERO_NONCE = new Uint8Array(12);
const WORD_RANGE = 2 ** 32;

/** Return bytes of the keystream, from the start of a block. */
export function keystreamBytes(key: Uint8Array, block: number, length: number, nonce: Uint8Array = ZERO_NONCE): Uint8Array {
  return chacha20(key, nonce, new Uint8Array(length), undefined, block);
}

/** Yield the words of a keystream. */
function* keystream(key: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block += CHUNK / 64) {
    const bytes = new DataView(keystreamBytes(key, block, CHUNK).buffer);
    for (let at = 0; at < CHUNK; at += 4) yield bytes.getUint32(at, true);
  }
}

/** Draws numbers from a key without modulo bias. */
export class Random {
  /** Number of draws so far. */
  draws = 0;
  private readonly words: Generator<number, never>;

  constructor(key: Uint8Array) {
    this.words = keystream(key);
  }

  /** Return a number from 0 to `bound - 1`. */
  below(bound: number): number {
    const fair = WORD_RANGE - (WORD_RANGE % bound);
    this.draws += 1;
    for (;;) {
      const word = this.words.next().value;
      if (word < fair) return word % bound;
    }
  }

  /** Return the items in Fisher-Yates order, from the last index down. */
  shuffle<T>(items: readonly T[]): T[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
    }
    return mixed;
  }
}

/** Return the numbers from 0 as shuffled by a seed. */
export function shuffledNumbers(seed: Uint8Array, count: number): number[] {
  return new Random(seed).shuffle(Array.from({ length: count }, (_, number) => number));
}

export function bytesFromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (byte) => parseInt(byte, 16));
}

export function hexFromBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
