/** Recomputes dice and walls of a match from its seed. */

import { hexFromBytes, type Random } from "../../fairness/randomness";
import type { VerifyGame } from "../gameInterface";
import { fullPosition, type FullPosition } from "./position";

const WORDS = 8;

export const verifyGame: VerifyGame<"mahjong"> = ({ positions }, dice) => {
  const games = positions.map(fullPosition);
  const [first] = games;
  // If players roll dice themselves, the order of the rolls is only in the events.
  if (!first || first.opening.length === 0) return null;
  const rolledByServer = (shown: readonly number[]) => shown.every((die) => die === 1 + dice.below(6));
  return rolledByServer(first.seating) && rolledByServer(first.choosing) && handsOf(games).every((hand) => rolledByServer(hand.opening) && seedWords(hand, dice));
};

/** Return the last position of each hand. */
function handsOf(games: readonly FullPosition[]): readonly FullPosition[] {
  const last = new Map(games.map((game) => [`${game.place}/${game.streak}`, game]));
  return [...last.values()];
}

/** Tell whether the seed of a hand follows; an interrupted hand does not reveal its seed. */
function seedWords({ seed }: FullPosition, dice: Random): boolean {
  const texts = Uint32Array.from({ length: WORDS }, () => dice.below(2 ** 32));
  const bytes = new Uint8Array(4 * WORDS);
  texts.forEach((word, index) => new DataView(bytes.buffer).setUint32(4 * index, word, true));
  return seed === "" || seed === hexFromBytes(bytes);
}
