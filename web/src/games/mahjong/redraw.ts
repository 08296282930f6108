/** The dice and the walls of a match, drawn again from its key. */

import { hexOf, type Dice } from "../../chance";
import type { Redraw } from "../game";
import { full, type Full } from "./position";

const WORDS = 8;

export const redraw: Redraw<"mahjong"> = ({ positions }, dice) => {
  const games = positions.map(full);
  const [first] = games;
  // Where players throw by themselves, the order in which they did is told in events only.
  if (!first || first.opening.length === 0) return null;
  const thrown = (shown: readonly number[]) => shown.every((eyes) => eyes === 1 + dice.below(6));
  return thrown(first.seating) && thrown(first.choosing) && hands(games).every((hand) => thrown(hand.opening) && sown(hand, dice));
};

/** Return each hand as it was last seen. */
function hands(games: readonly Full[]): readonly Full[] {
  const last = new Map(games.map((game) => [`${game.place}/${game.streak}`, game]));
  return [...last.values()];
}

/** Tell whether a hand's own seed is next; one that was broken off keeps it to itself. */
function sown({ seed }: Full, dice: Dice): boolean {
  const words = Uint32Array.from({ length: WORDS }, () => dice.below(2 ** 32));
  const bytes = new Uint8Array(4 * WORDS);
  words.forEach((word, place) => new DataView(bytes.buffer).setUint32(4 * place, word, true));
  return seed === "" || seed === hexOf(bytes);
}
