/** Texts of the list of finished games, English. */

import type { FinishedGamesTexts } from "../types/finishedGames";

export const finishedGames: FinishedGamesTexts = {
  finishedGames: {
    title: "Finished games",
    hint: "Public games on this server, latest first.",
    player: "Player name",
    search: "Search",
    all: "All games",
    game: "Game",
    loading: "Loading games…",
    failed: "The list could not be loaded. Check your connection and try again.",
    none: "No finished public games yet.",
    notFound: "No games found. Enter the full name.",
    more: "Show more",
    watch: "Replay",
    computer: "bot",
    moves: (count) => (count === 1 ? "1 move" : `${count} moves`),
    won: (names) => `${names} won`,
    drawn: "Draw",
  },
};
