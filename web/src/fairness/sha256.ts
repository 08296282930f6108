/** SHA-256: the browser's own, or this one on pages without TLS (FIPS 180-4). */

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256InScript(bytes);
}

const PRIMES = firstPrimes(64);
const ROUND_CONSTANTS = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_HASH = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

/** Return the hash without the Web Crypto API. */
export function sha256InScript(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = Uint32Array.from(INITIAL_HASH);
  for (let start = 0; start < padded.length; start += 64) compress(hash, view, start);
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => out.setUint32(4 * index, word));
  return new Uint8Array(out.buffer);
}

const rotateRight = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function compress(hash: Uint32Array, view: DataView, start: number): void {
  const words = new Uint32Array(64);
  for (let index = 0; index < 64; index++) {
    if (index < 16) {
      words[index] = view.getUint32(start + 4 * index);
      continue;
    }
    const [late, early] = [words[index - 2]!, words[index - 15]!];
    const one = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const other = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16]! + one + words[index - 7]! + other;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index++) {
    const up = h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[index]! + words[index]!;
    const down = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + up) >>> 0, c, b, a, (up + down) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = hash[index]! + word));
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}
