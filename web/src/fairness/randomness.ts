/** Randomness as on the server: ChaCha20 keystream (RFC 8439, zero nonce), draws, shuffles. */

/** "expand 32-byte k". */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
] as const;
const WORD_RANGE = 2 ** 32;

const rotateLeft = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/** Return a block of the keystream as sixteen words. */
export function chachaBlock(key: Uint8Array, counter: number, nonce: readonly number[] = [0, 0, 0]): Uint32Array {
  const view = new DataView(key.buffer, key.byteOffset, 32);
  const words = Array.from({ length: 8 }, (_, index) => view.getUint32(4 * index, true));
  const start = Uint32Array.from([...CONSTANTS, ...words, counter, ...nonce]);
  const state = start.slice();
  for (let times = 0; times < 10; times++) for (const [a, b, c, d] of ROUNDS) quarterRound(state, a, b, c, d);
  return state.map((word, index) => word + start[index]!);
}

function quarterRound(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  const mix = (to: number, from: number, turned: number, bits: number) => {
    state[to] = state[to]! + state[from]!;
    state[turned] = rotateLeft(state[turned]! ^ state[to]!, bits);
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}

/** Yield the words of a keystream. */
function* keystream(key: Uint8Array): Generator<number, never> {
  for (let counter = 0; ; counter++) yield* chachaBlock(key, counter);
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
