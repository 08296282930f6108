/** A game from outside for tests: the smallest module that the page accepts. */

import { h } from "preact";

interface Position {
  count: number;
}

interface Event {
  e: string;
  by: number;
}

const Nothing = () => h("span", null);

export const game = {
  Board: Nothing,
  Badge: Nothing,
  Score: Nothing,
  Icon: Nothing,
  LobbyPicture: Nothing,
  boardDrawing: async () => () => undefined,
  usesRandomness: () => false,
  offerKinds: [],
  possibleOffers: () => [],
  heading: (position: Position) => String(position.count),
  status: () => null,
  announce: () => null,
};

export const SHARED_MOVES = ["add"];

export function reduce(position: Position, event: Event): Position {
  return event.e === "added" ? { count: position.count + event.by } : position;
}
