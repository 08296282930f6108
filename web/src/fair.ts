/** Proves that the chance of a game was the one sealed before it began. */

import { bytesOf, Dice, hexOf } from "./chance";
import type { Ended, Redraw } from "./games/game";
import { sha256 } from "./hash";
import type { GameName } from "./wire";

/** `sealed`: the seed is the sealed one, and a page cannot draw the rest again. */
export type Proof = { holds: "good"; draws: number } | { holds: "sealed" | "badSeal" | "badDraw" };

export interface Sealed {
  commitment: string;
  seed: string;
  /** Hex by seat; it counts for the first game of a table only. */
  luck: readonly string[];
}

/** Return the key of a game: its seed, hashed with what players added, if anybody did. */
export async function keyOf({ seed, luck }: Pick<Sealed, "seed" | "luck">): Promise<Uint8Array> {
  const bytes = bytesOf(seed);
  const added = luck.map(bytesOf);
  if (added.every((part) => part.length === 0)) return bytes;
  return sha256(Uint8Array.from([...bytes, ...added.flatMap((part) => [part.length, ...part])]));
}

/** Return what holds of a finished game. */
export async function prove<G extends GameName>(sealed: Sealed, ended: Ended<G>, redraw: Redraw<G> | undefined): Promise<Proof> {
  const seed = bytesOf(sealed.seed);
  if (seed.length !== 32 || hexOf(await sha256(seed)) !== sealed.commitment) return { holds: "badSeal" };
  const dice = new Dice(await keyOf(sealed));
  const same = redraw?.(ended, dice) ?? null;
  if (same === null) return { holds: "sealed" };
  return same ? { holds: "good", draws: dice.draws } : { holds: "badDraw" };
}
