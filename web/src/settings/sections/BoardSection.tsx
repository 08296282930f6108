/** Settings of how boards are used: coordinates, confirmation of moves, zen mode. */

export function BoardSection() {
  return null;
}
