/** Texts of gomoku, English. */

import type { GomokuTexts } from "./types";

export const texts: GomokuTexts = {
  name: "Gomoku",
  reasons: {
    five: "with five in a row",
    full: "on a full board",
  },
  board: "Board",
  black: "black",
  white: "white",
  empty: "empty",
  lastStone: "last stone",
  inLine: "winning line",
  unconfirmed: "not confirmed",
  begins: "Black to move",
  stone: (number) => `Move ${number}`,
  placed: (colour, point) => `${colour === "black" ? "Black" : "White"} ${point}.`,
  five: "Five in a row.",
  undone: "The last move was taken back.",
  swapped: "Colours were swapped.",
  youPlay: (colour) => `You play ${colour}.`,
  tapAgain: (point) => `${point}? Tap again to place.`,
  place: (point) => `Place ${point}`,
  earlier: (step, total, news) => `Viewing move ${step} of ${total}.${news ? " A new move was played." : ""}`,
  backToGame: "Back to the game",
  end: "Last move",
  moves: "Moves",
  noMoves: "No moves yet. Black to move.",
  steps: "Step through the moves",
  first: "First move",
  previous: "Previous move",
  next: "Next move",
  last: "Last move",
  download: "Download SGF",
};
