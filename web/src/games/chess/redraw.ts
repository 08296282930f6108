/** The mines and throws of a game, drawn again from its key. */

import type { Redraw } from "../game";
import { full, fullMinefield } from "./position";

/** What dice show that are used in order. */
const FACES = "PNBRQ";
const FIELD = [3, 4, 5, 6].flatMap((rank) => [..."abcdefgh"].map((file) => `${file}${rank}`));
/** After so many throws without a move the next shows only what can move, which needs the rules. */
const PATIENCE = 64;

export const redraw: Redraw<"chess"> = ({ options, positions }, dice) => {
  const { thrown, minefield } = full(positions.at(-1)!);
  if (options.older || options.trusting) return null;
  if (options.mines) {
    const drawn = dice.shuffle(FIELD).slice(0, options.mines).sort();
    const field = fullMinefield(minefield ?? { left: 0 });
    const laid = [...new Set([...field.all, ...field.blasts.map(({ square }) => square)])].sort();
    if (drawn.join() !== laid.join()) return false;
  }
  if (!options.dice) return true;
  if (options.dice !== "sequential" || idle(thrown.map(({ ply }) => ply)) >= PATIENCE) return null;
  return thrown.every((one) => one.dice === [0, 1, 2].map(() => FACES[dice.below(FACES.length)]).join(""));
};

/** Return the longest run of throws between two moves. */
function idle(plies: readonly number[]): number {
  let [most, run] = [0, 0];
  plies.forEach((ply, index) => {
    run = index > 0 && plies[index - 1] === ply ? run + 1 : 1;
    most = Math.max(most, run);
  });
  return most;
}
