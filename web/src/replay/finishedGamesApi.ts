/** Fetches and searches the list of finished games; names and result of a game in it. */

import { botTexts, endedEarly, nameList, resultText, shownName, texts } from "../i18n/language";
import type { Millis, RoomId, Seat } from "../net/protocol";

export interface FinishedGame {
  room: RoomId;
  match: number;
  game: string;
  title: string;
  began: Millis;
  ended: Millis;
  names: readonly string[];
  /** Empty for a human player. */
  bots: readonly string[];
  /** The seats of accounts for which programs played. */
  bot_accounts?: readonly Seat[];
  winners: readonly Seat[];
  reason: string;
  moves: number;
  /** Empty for a game that has none, or whose twist is not known. */
  twist: string;
  /** By seat: the present name of a player who has an account, or an empty text. */
  profiles: readonly string[];
}

export interface GameFilter {
  player: string;
  /** Empty for every game. */
  game: string;
}

/** Games per page. */
export const PAGE_SIZE = 20;

/** Return the URL of the next page after a game. */
export function finishedGamesPath({ player, game }: GameFilter, after?: FinishedGame): string {
  const requested = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (player.trim()) requested.set("player", player.trim());
  if (game) requested.set("game", game);
  if (after) requested.set("after", `${after.ended}-${after.room}-${after.match}`);
  return `/api/games?${requested}`;
}

/** Fetch games; null if the request failed. */
export async function fetchFinishedGames(filter: GameFilter, after?: FinishedGame, ask = fetch): Promise<readonly FinishedGame[] | null> {
  try {
    const answer = await ask(finishedGamesPath(filter, after), { headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as { games: readonly FinishedGame[] }).games : null;
  } catch {
    return null;
  }
}

/** Return the name of a player; that of a bot is in the language of the page. */
export function playerName({ game, names, bots }: FinishedGame, seat: Seat): string {
  return bots[seat] ? botTexts(game, bots[seat]).name : shownName(names[seat] ?? "");
}

/** Return the seats that won; none if the game ended early. */
export function winnersOf({ winners, reason, bots }: FinishedGame): readonly Seat[] {
  return endedEarly({ winners, reason }, bots) ? [] : winners;
}

/** Return who won and how. */
export function gameResult(game: FinishedGame): string {
  const { won, drawn } = texts.value.finishedGames;
  const names = winnersOf(game).map((seat) => playerName(game, seat)).filter(Boolean);
  return resultText(game.game, names.length > 0 ? won(nameList(names)) : drawn, names.length > 0, game.reason);
}
