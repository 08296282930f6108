/** Types of all texts: those of the page, and those that each game adds. */

import type { CommonTexts } from "./common";
import type { DialogTexts } from "./dialogs";
import type { FinishedGamesTexts } from "./finishedGames";
import type { InvitationTexts } from "./invitation";
import type { LobbyTexts } from "./lobby";
import type { ReplayTexts } from "./replay";
import type { BotTexts, TableTexts } from "./table";

/** Texts of the page; a language without one of them does not compile. */
export interface PageTexts extends CommonTexts, LobbyTexts, DialogTexts, TableTexts, InvitationTexts, ReplayTexts, FinishedGamesTexts {}

/** Texts that every game has. */
export interface BaseGameTexts {
  name: string;
  /** Reasons for the end of a game that other games do not have. */
  reasons?: Readonly<Record<string, string>>;
  /** Bots that other games do not have. */
  bots?: Readonly<Record<string, BotTexts>>;
}

/** Texts by game; each game declares its own in `texts/types.ts`. */
export interface GameTexts {}

/** All texts of one language. */
export interface Texts extends PageTexts {
  games: GameTexts;
}
