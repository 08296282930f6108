/** Verifies the randomness of a finished game against its commitment. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesFromHex, Random, hexFromBytes } from "./randomness";
import type { DrawVerification, FinishedPositions, VerifyGame } from "../games/gameInterface";
import type { GameName, Replay } from "../net/protocol";

/** `seedOnly`, `otherRules`: the seed matches the commitment, but the page cannot recompute the draws, or not by the rules of that game. */
export type Verification = { result: "good"; draws: number } | { result: "seedOnly" | "otherRules" | "seedDiffers" | "drawsDiffer" };

export interface CommittedSeed {
  commitment: string;
  seed: string;
  /** Hex, by seat; used for the first match of a room only. */
  playerEntropy: readonly string[];
}

/** Return the random key of a match: its seed, hashed with the player entropy if there is any. */
export function randomKey({ seed, playerEntropy }: Pick<CommittedSeed, "seed" | "playerEntropy">): Uint8Array {
  const bytes = bytesFromHex(seed);
  const added = playerEntropy.map(bytesFromHex);
  if (added.every((part) => part.length === 0)) return bytes;
  return sha256(Uint8Array.from([...bytes, ...added.flatMap((part) => [part.length, ...part])]));
}

/** Verify a finished game. */
export function verifyRandomness<G extends GameName>(committed: CommittedSeed, ended: FinishedPositions<G>, redraw: VerifyGame<G> | undefined): Verification {
  const seed = bytesFromHex(committed.seed);
  if (seed.length !== 32 || hexFromBytes(sha256(seed)) !== committed.commitment) return { result: "seedDiffers" };
  const random = new Random(randomKey(committed));
  const same = redraw?.(ended, random) ?? null;
  if (same === null) return { result: "seedOnly" };
  return same ? { result: "good", draws: random.draws } : { result: "drawsDiffer" };
}

/** Verify the seed of a replay, and its draws if the page knows the rules by which they were made. */
export async function verifyReplay(replay: Replay, draws: DrawVerification<GameName> | undefined): Promise<Verification> {
  const committed = { ...replay, playerEntropy: addedEntropy(replay) };
  const ended = { options: replay.options, positions: replay.frames.map(({ position }) => position) };
  const known = draws?.rules === replay.rules;
  const found = verifyRandomness(committed, ended, known ? await draws.load() : undefined);
  return draws && !known && found.result === "seedOnly" ? { result: "otherRules" } : found;
}

/** Return the player entropy that entered the randomness of a replay: that of the first match only. */
export function addedEntropy(replay: Pick<Replay, "match" | "player_entropy">): readonly string[] {
  return replay.match === 1 ? replay.player_entropy : [];
}
