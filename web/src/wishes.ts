/** How a new table is to be, as it is asked for; and what was asked for last time. */

import type { AnyOptions, GameCard, Seat, Table } from "./wire";
import { USUAL, type Choice } from "./parts/plan";

/** What becomes of a game when somebody is cut off. */
export type Leaving = "wait" | "bot" | "forfeit";

export interface Wishes {
  bot: string;
  /** How many of the other seats are the bot's; null: all. */
  bots: number | null;
  listed: boolean;
  clock: Choice;
  options: AnyOptions;
  /** Null: either, by chance. */
  seat: Seat | null;
  watchers: boolean;
  /** Seconds that watchers are behind. */
  delay: number;
  takebacks: boolean;
  leaving: Leaving;
  /** Seconds after which it forfeits. */
  away: number;
  /** Who stands in; empty is a middling one. */
  standin: string;
}

/** What the server takes when nothing is said. */
const AWAY = 60;

export const FRESH: Wishes = {
  bot: "",
  bots: null,
  listed: true,
  clock: USUAL,
  options: {},
  seat: null,
  watchers: true,
  delay: 0,
  takebacks: true,
  leaving: "forfeit",
  away: AWAY,
  standin: "",
};

export const DELAYS: readonly number[] = [0, 30, 60, 180, 300, 900];
export const PATIENCE: readonly number[] = [30, 60, 120, 300, 900];

const key = (game: string) => `qipai.table.${game}`;

/** Return what was chosen for a game last time, as far as it is still understood. */
export function remembered(card: GameCard, memory: Storage = localStorage): Wishes {
  try {
    const wishes = { ...FRESH, ...(JSON.parse(memory.getItem(key(card.name)) ?? "{}") as Partial<Wishes>) };
    const known = (bot: string) => (card.bots.includes(bot) ? bot : "");
    return { ...wishes, bot: known(wishes.bot), standin: known(wishes.standin) };
  } catch {
    return FRESH;
  }
}

/** Keep what was chosen for the next time. */
export function remember(card: GameCard, wishes: Wishes, memory: Storage = localStorage): void {
  memory.setItem(key(card.name), JSON.stringify(wishes));
}

/** Return a bot of middling strength, where somebody has to be proposed. */
export function middling({ bots }: GameCard): string {
  return (bots.length < 3 ? bots.at(-1) : bots[Math.floor(bots.length / 3)]) ?? "";
}

/** Tell whether the others go on without whoever is gone: four people do not wait for one. */
export const goesOn = (card: GameCard): boolean => card.seats > 2;

/** Return the policy that counts for this game. */
export function leavingOf(card: GameCard, { leaving }: Wishes): Leaving {
  if (goesOn(card)) return "bot";
  return leaving === "bot" && card.bots.length === 0 ? "wait" : leaving;
}

/** Return the house rules that are not as usual. */
export function houseRules(card: GameCard, wishes: Wishes): Table {
  const { watchers, delay, takebacks, away, standin } = wishes;
  return {
    ...(!watchers && { watchers }),
    ...(watchers && delay > 0 && { delay }),
    ...(!takebacks && { takebacks }),
    ...absence(),
  };

  function absence(): Table {
    const leaving = leavingOf(card, wishes);
    if (leaving === "wait") return { away: 0 };
    if (leaving === "forfeit") return away === AWAY ? {} : { away };
    if (goesOn(card)) return standin ? { standin } : {};
    return { away: 0, standin: standin || middling(card) };
  }
}
