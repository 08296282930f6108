/** The position of a game of Reversi, as the server sends it, and how events change it. */

export const SIZE = 8;
/** The first discs: d5 and e4 are black, d4 and e5 white. */
const START = [[28, "black"], [35, "black"], [27, "white"], [36, "white"]];

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position, event) {
  if (event.e !== "placed") return position;
  const { seat, square, flipped, turn, legal } = event;
  return { ...position, turn, legal, moves: [...position.moves, { seat, square, flipped }] };
}

/** Return the colour of a seat. */
export function colourOf(position, seat) {
  return seat === position.black ? "black" : "white";
}

/** Return the discs after this number of moves: the colour of each square, or undefined. */
export function discsAfter(position, step) {
  const discs = new Array(SIZE * SIZE);
  if (!position.empty_start) for (const [square, colour] of START) discs[square] = colour;
  for (const { seat, square, flipped } of position.moves.slice(0, step)) {
    for (const changed of [square, ...flipped]) discs[changed] = colourOf(position, seat);
  }
  return discs;
}

/** Return the number of discs of a seat. */
export function countDiscs(position, seat) {
  const colour = colourOf(position, seat);
  return discsAfter(position, position.moves.length).filter((disc) => disc === colour).length;
}

/** Return whether the seat to move moves again, because the other one could not. */
export function hasPassed({ moves, turn, legal }) {
  return legal.length > 0 && moves.at(-1)?.seat === turn;
}

/** Return the name of a square: a1 is at the top left, h8 at the bottom right. */
export function squareName(square) {
  return "abcdefgh"[square % SIZE] + String(Math.floor(square / SIZE) + 1);
}
