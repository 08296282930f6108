/** Reed–Solomon: the bytes that let a reader repair a damaged code. */

/** Powers of two in the field of 256 elements that x⁸+x⁴+x³+x²+1 makes. */
const POWERS: number[] = [];
const LOGS: number[] = [];
for (let power = 0, value = 1; power < 255; power++) {
  POWERS.push(value);
  LOGS[value] = power;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

function times(one: number, other: number): number {
  return one && other ? POWERS[(LOGS[one]! + LOGS[other]!) % 255]! : 0;
}

/** Return the product of all (x − 2ⁱ) below the degree, without its leading one. */
function generator(degree: number): readonly number[] {
  let factors = [1];
  for (let power = 0; power < degree; power++) {
    const root = POWERS[power]!;
    factors = [...factors, 0].map((factor, place) => factor ^ times(factors[place - 1] ?? 0, root));
  }
  return factors.slice(1);
}

/** Return the `count` bytes of correction for some bytes. */
export function correction(bytes: readonly number[], count: number): readonly number[] {
  const factors = generator(count);
  return bytes.reduce<number[]>((rest, byte) => {
    const first = byte ^ rest[0]!;
    return [...rest.slice(1), 0].map((value, place) => value ^ times(factors[place]!, first));
  }, Array<number>(count).fill(0));
}
