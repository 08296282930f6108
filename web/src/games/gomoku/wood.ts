/** A slab of wood: the same grain every time, drawn with strokes so that it is sharp at any size. */

export interface Timber {
  light: string;
  deep: string;
  band: string;
  grain: string;
  pore: string;
}

const SEED = 0x5eed;

/** Return numbers between 0 and 1 that look like chance and are always the same. */
export function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cover a square of this many pixels with wood. */
export function drawWood(context: CanvasRenderingContext2D, size: number, timber: Timber): void {
  const next = sequence(SEED);
  const slope = context.createLinearGradient(0, 0, size, size);
  slope.addColorStop(0, timber.light);
  slope.addColorStop(1, timber.deep);
  context.fillStyle = slope;
  context.fillRect(0, 0, size, size);
  context.lineCap = "round";
  rings(context, size, timber.band, 26, () => 0.012 + 0.035 * next(), () => 0.05 + 0.09 * next(), next);
  rings(context, size, timber.grain, 150, () => 0.0006 + 0.0016 * next(), () => 0.07 + 0.2 * next(), next);
  pores(context, size, timber.pore, next);
  context.globalAlpha = 1;
}

/** All lines wander together, as the rings of one tree do, and each a little by itself. */
function rings(
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
      const x = start + flow(start, y) + lean * y + own * Math.sin(9 * y + phase);
      if (step === 0) context.moveTo(x * size, y * size);
      else context.lineTo(x * size, y * size);
    }
    context.stroke();
  }
}

/** How far the wood has grown aside here. */
function flow(x: number, y: number): number {
  return 0.03 * Math.sin(2.6 * y + 2.2 * x + 0.4) + 0.012 * Math.sin(6.1 * y - 3.1 * x + 1.9);
}

function pores(context: CanvasRenderingContext2D, size: number, colour: string, next: () => number): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(0.5, size * 0.0009);
  for (let number = 0; number < 520; number++) {
    const [x, y, length] = [next(), next(), 0.004 + 0.016 * next()];
    context.globalAlpha = 0.06 + 0.14 * next();
    context.beginPath();
    context.moveTo((x + flow(x, y)) * size, y * size);
    context.lineTo((x + flow(x, y + length)) * size, (y + length) * size);
    context.stroke();
  }
}
