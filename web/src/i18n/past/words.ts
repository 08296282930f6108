/** The texts of the list of finished games. */

export interface PastWords {
  title: string;
  hint: string;
  player: string;
  search: string;
  all: string;
  game: string;
  loading: string;
  lost: string;
  /** Nothing was ever finished here. */
  none: string;
  /** Nothing of what was asked for. */
  nobody: string;
  more: string;
  watch: string;
  computer: string;
  moves: (count: number) => string;
  won: (names: string) => string;
  drawn: string;
}
