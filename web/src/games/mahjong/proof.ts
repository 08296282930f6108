/** Proves that the wall of a hand was the one sealed at its deal. */

import { bytesOf, hexOf, shuffled } from "../../chance";
import { sha256 } from "../../hash";
import { TILES } from "./tiles";

export interface Sealed {
  /** Hex. */
  seed: string;
  /** What the page was shown at the deal; empty if it was not there. */
  sealed: string;
  /** What is shown with the seed. */
  commitment: string;
  wall: readonly number[];
}

export interface Proof {
  /** The seal is the seed's; `known`: and it was on the page from the deal on. */
  seal: boolean;
  known: boolean;
  /** The wall is the seed's. */
  wall: boolean;
}

/** Return what holds of a hand's seed and wall. */
export async function prove({ seed, sealed, commitment, wall }: Sealed): Promise<Proof> {
  const bytes = bytesOf(seed);
  const seal = bytes.length === 32 && hexOf(await sha256(bytes)) === commitment;
  const again = bytes.length === 32 ? shuffled(bytes, TILES) : [];
  return {
    seal: seal && (sealed === "" || sealed === commitment),
    known: sealed !== "",
    wall: wall.length === TILES && wall.every((tile, place) => tile === again[place]),
  };
}
