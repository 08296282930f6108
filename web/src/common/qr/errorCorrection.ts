/** Reed–Solomon error correction codewords of a QR code. */

/** Powers of two in GF(256) with the polynomial x⁸+x⁴+x³+x²+1. */
const POWERS: number[] = [];
const LOGS: number[] = [];
for (let power = 0, value = 1; power < 255; power++) {
  POWERS.push(value);
  LOGS[value] = power;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

function multiply(one: number, other: number): number {
  return one && other ? POWERS[(LOGS[one]! + LOGS[other]!) % 255]! : 0;
}

/** Return the generator polynomial of this degree without its leading coefficient. */
function generator(degree: number): readonly number[] {
  let factors = [1];
  for (let power = 0; power < degree; power++) {
    const root = POWERS[power]!;
    factors = [...factors, 0].map((factor, index) => factor ^ multiply(factors[index - 1] ?? 0, root));
  }
  return factors.slice(1);
}

/** Return `count` error correction bytes for the data. */
export function correctionBytes(bytes: readonly number[], count: number): readonly number[] {
  const factors = generator(count);
  return bytes.reduce<number[]>((rest, byte) => {
    const first = byte ^ rest[0]!;
    return [...rest.slice(1), 0].map((value, index) => value ^ multiply(factors[index]!, first));
  }, Array<number>(count).fill(0));
}
