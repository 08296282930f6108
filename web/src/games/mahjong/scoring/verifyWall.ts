/** Verifies the wall of a hand against its commitment. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesFromHex, hexFromBytes, shuffledNumbers } from "../../../fairness/randomness";
import { TILES } from "../tiles/tiles";

export interface CommittedWall {
  /** Hex. */
  seed: string;
  /** Commitment shown at the deal; empty if the page was not open. */
  commitmentAtDeal: string;
  /** Commitment shown with the seed. */
  commitment: string;
  wall: readonly number[];
}

export interface WallVerification {
  /** The seed matches the commitment; `commitmentSeen`: which the page has seen at the deal. */
  commitmentMatches: boolean;
  commitmentSeen: boolean;
  /** The wall follows from the seed. */
  wallMatches: boolean;
}

/** Verify the seed and wall of a hand. */
export function verifyWall({ seed, commitmentAtDeal, commitment, wall }: CommittedWall): WallVerification {
  const bytes = bytesFromHex(seed);
  const seedMatches = bytes.length === 32 && hexFromBytes(sha256(bytes)) === commitment;
  const shuffled = bytes.length === 32 ? shuffledNumbers(bytes, TILES) : [];
  return {
    commitmentMatches: seedMatches && (commitmentAtDeal === "" || commitmentAtDeal === commitment),
    commitmentSeen: commitmentAtDeal !== "",
    wallMatches: wall.length === TILES && wall.every((tile, index) => tile === shuffled[index]),
  };
}
