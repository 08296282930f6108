/** Recomputes mines and dice of a game from its seed. */

import type { VerifyGame } from "../gameInterface";
import { fullPosition, fullMinefield } from "./position";

/** Faces of dice that are used in order. */
const FACES = "PNBRQ";
const MINE_SQUARES = [3, 4, 5, 6].flatMap((rank) => [..."abcdefgh"].map((file) => `${file}${rank}`));
/** After this many rolls without a move, the next roll depends on the legal moves. */
const MAX_SKIPPED = 64;

export const verifyGame: VerifyGame<"chess"> = ({ options, positions }, dice) => {
  const { rolls, minefield } = fullPosition(positions.at(-1)!);
  if (options.legacy_rules || options.unchecked_moves) return null;
  if (options.mines) {
    const drawn = dice.shuffle(MINE_SQUARES).slice(0, options.mines).sort();
    const field = fullMinefield(minefield ?? { left: 0 });
    const laid = [...new Set([...field.all, ...field.explosions.map(({ square }) => square)])].sort();
    if (drawn.join() !== laid.join()) return false;
  }
  if (!options.dice) return true;
  if (options.dice !== "sequential" || unusedRolls(rolls.map(({ ply }) => ply)) >= MAX_SKIPPED) return null;
  return rolls.every((one) => one.dice === [0, 1, 2].map(() => FACES[dice.below(FACES.length)]).join(""));
};

/** Return the largest number of rolls between two moves. */
function unusedRolls(plies: readonly number[]): number {
  let [most, run] = [0, 0];
  plies.forEach((ply, index) => {
    run = index > 0 && plies[index - 1] === ply ? run + 1 : 1;
    most = Math.max(most, run);
  });
  return most;
}
