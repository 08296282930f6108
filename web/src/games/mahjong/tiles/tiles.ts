/** The 144 tiles: ids, kinds, notation. */

/** Kinds: 0-8 萬, 9-17 筒, 18-26 條, 27-30 東南西北, 31-33 中發白, 34-41 梅蘭竹菊春夏秋冬. */
export const TILES = 144;
export const EAST = 27;
export const DRAGON = 31;
export const FLOWER = 34;
export const KINDS = 42;
const COPIES = 4;
const SUITS = "mps";
const HONOURS = "ESWNRGB";

export type Suit = "characters" | "dots" | "bamboos" | "wind" | "dragon" | "flower";

/** Return the kind of a tile. */
export function kindOf(tile: number): number {
  return tile < FLOWER * COPIES ? tile >> 2 : tile - FLOWER * (COPIES - 1);
}

/** Return the suit of a kind, and its value from 1. */
export function faceOf(kind: number): { suit: Suit; value: number } {
  if (kind < EAST) return { suit: (["characters", "dots", "bamboos"] as const)[Math.floor(kind / 9)]!, value: (kind % 9) + 1 };
  if (kind < DRAGON) return { suit: "wind", value: kind - EAST + 1 };
  if (kind < FLOWER) return { suit: "dragon", value: kind - DRAGON + 1 };
  return { suit: "flower", value: kind - FLOWER + 1 };
}

/** Return the corner text of a tile: its value, or the letter of a wind or dragon. */
export function cornerOf(kind: number): string {
  if (kind < EAST) return String((kind % 9) + 1);
  return kind < FLOWER ? HONOURS[kind - EAST]! : String(((kind - FLOWER) % 4) + 1);
}

/** Return kinds in hand notation: "234m567p99sEER". */
export function notation(kinds: readonly number[]): string {
  const sorted = [...kinds].sort((one, other) => one - other).filter((kind) => kind < FLOWER);
  const suits = [...SUITS].map((suit, number) => {
    const values = sorted.filter((kind) => kind < EAST && Math.floor(kind / 9) === number);
    return values.length ? values.map((kind) => (kind % 9) + 1).join("") + suit : "";
  });
  return suits.join("") + sorted.filter((kind) => kind >= EAST).map((kind) => HONOURS[kind - EAST]).join("");
}

/** Return a wind in notation. */
export function windLetter(wind: number): string {
  return HONOURS[wind] ?? "E";
}
