import type { PastWords } from "./words";

export const pastEn: PastWords = {
  title: "Finished games",
  hint: "Public games that were played here, the latest first.",
  player: "Player’s name",
  search: "Search",
  all: "All games",
  game: "Game",
  loading: "Looking…",
  lost: "The list could not be fetched.",
  none: "No public game has been finished here yet.",
  nobody: "No such game was found. Names must be whole.",
  more: "Show more",
  watch: "Watch",
  computer: "computer",
  moves: (count) => (count === 1 ? "1 move" : `${count} moves`),
  won: (names) => `${names} won`,
  drawn: "Draw",
};
