/** The server's chance, done again: a ChaCha20 keystream and what is drawn from it (RFC 8439, zero nonce). */

/** "expand 32-byte k". */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
] as const;
const SPAN = 2 ** 32;

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/** Return a block of the keystream as sixteen words. */
export function block(key: Uint8Array, counter: number, nonce: readonly number[] = [0, 0, 0]): Uint32Array {
  const view = new DataView(key.buffer, key.byteOffset, 32);
  const words = Array.from({ length: 8 }, (_, place) => view.getUint32(4 * place, true));
  const start = Uint32Array.from([...CONSTANTS, ...words, counter, ...nonce]);
  const state = start.slice();
  for (let times = 0; times < 10; times++) for (const [a, b, c, d] of ROUNDS) quarter(state, a, b, c, d);
  return state.map((word, place) => word + start[place]!);
}

function quarter(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  const mix = (to: number, from: number, turned: number, bits: number) => {
    state[to] = state[to]! + state[from]!;
    state[turned] = rotate(state[turned]! ^ state[to]!, bits);
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}

/** Yield the words of a keystream. */
function* keystream(key: Uint8Array): Generator<number, never> {
  for (let counter = 0; ; counter++) yield* block(key, counter);
}

/** Return the numbers from 0 in the order that a seed shuffles them into: Fisher-Yates from the last index down. */
export function shuffled(seed: Uint8Array, count: number): number[] {
  const words = keystream(seed);
  const below = (bound: number): number => {
    const fair = SPAN - (SPAN % bound);
    for (;;) {
      const word = words.next().value;
      if (word < fair) return word % bound;
    }
  };
  const mixed = Array.from({ length: count }, (_, number) => number);
  for (let last = count - 1; last > 0; last--) {
    const other = below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
