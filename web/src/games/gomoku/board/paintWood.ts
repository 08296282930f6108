/** Paints the wood grain. */

export interface WoodColours {
  light: string;
  deep: string;
  band: string;
  grain: string;
  pore: string;
}

const SEED = 0x5eed;

/** Return a fixed pseudo-random sequence of numbers between 0 and 1. */
export function randomSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Paint wood on a square of this size. */
export function paintWood(context: CanvasRenderingContext2D, size: number, timber: WoodColours): void {
  const next = randomSequence(SEED);
  const slope = context.createLinearGradient(0, 0, size, size);
  slope.addColorStop(0, timber.light);
  slope.addColorStop(1, timber.deep);
  context.fillStyle = slope;
  context.fillRect(0, 0, size, size);
  context.lineCap = "round";
  paintRings(context, size, timber.band, 26, () => 0.012 + 0.035 * next(), () => 0.05 + 0.09 * next(), next);
  paintRings(context, size, timber.grain, 150, () => 0.0006 + 0.0016 * next(), () => 0.07 + 0.2 * next(), next);
  paintPores(context, size, timber.pore, next);
  context.globalAlpha = 1;
}

/** All grain lines follow a common curve, with small variations. */
function paintRings(
  context: CanvasRenderingContext2D,
  size: number,
  colour: string,
  count: number,
  width: () => number,
  strength: () => number,
  next: () => number,
): void {
  context.strokeStyle = colour;
  for (let number = 0; number < count; number++) {
    const start = -0.1 + (1.2 * (number + next())) / count;
    const [lean, phase, own] = [(next() - 0.5) * 0.01, next() * 6.28, 0.001 + next() * 0.003];
    context.globalAlpha = strength();
    context.lineWidth = Math.max(0.5, width() * size);
    context.beginPath();
    for (let step = 0; step <= 32; step++) {
      const y = step / 32;
      const x = start + paintGrain(start, y) + lean * y + own * Math.sin(9 * y + phase);
      if (step === 0) context.moveTo(x * size, y * size);
      else context.lineTo(x * size, y * size);
    }
    context.stroke();
  }
}

/** Horizontal offset of the grain at this height. */
function paintGrain(x: number, y: number): number {
  return 0.03 * Math.sin(2.6 * y + 2.2 * x + 0.4) + 0.012 * Math.sin(6.1 * y - 3.1 * x + 1.9);
}

function paintPores(context: CanvasRenderingContext2D, size: number, colour: string, next: () => number): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(0.5, size * 0.0009);
  for (let number = 0; number < 520; number++) {
    const [x, y, length] = [next(), next(), 0.004 + 0.016 * next()];
    context.globalAlpha = 0.06 + 0.14 * next();
    context.beginPath();
    context.moveTo((x + paintGrain(x, y)) * size, y * size);
    context.lineTo((x + paintGrain(x, y + length)) * size, (y + length) * size);
    context.stroke();
  }
}
