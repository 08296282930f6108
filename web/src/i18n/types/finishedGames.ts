/** Type of the texts of the list of finished games. */

export interface FinishedGamesTexts {
  finishedGames: {
    title: string;
    hint: string;
    player: string;
    search: string;
    all: string;
    game: string;
    loading: string;
    failed: string;
    /** There are no finished games at all. */
    none: string;
    /** No game matches the filter. */
    notFound: string;
    more: string;
    watch: string;
    computer: string;
    moves: (count: number) => string;
    won: (names: string) => string;
    drawn: string;
  };
}
