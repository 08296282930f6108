/** Options of a new table; remembers the last ones. */

import type { AnyOptions, GameDescription, Seat, TableRulesView } from "../net/protocol";
import { DEFAULT_CHOICE, type ClockChoice } from "./clockChoice";

/** What happens to a game when a player disconnects. */
export type AbsencePolicy = "wait" | "bot" | "forfeit";

export interface NewTableOptions {
  bot: string;
  /** Number of other seats for the bot; null: all. */
  bots: number | null;
  listed: boolean;
  clock: ClockChoice;
  options: AnyOptions;
  /** Null: random. */
  seat: Seat | null;
  spectators: boolean;
  /** Delay for spectators in seconds. */
  delay: number;
  undoAllowed: boolean;
  /** Whether the result counts for ratings. */
  rated: boolean;
  /** Whether programs that receive hidden information may take a seat. */
  seesHiddenAllowed: boolean;
  absencePolicy: AbsencePolicy;
  /** Seconds until a disconnected player forfeits. */
  forfeitAfter: number;
  /** Bot that plays on; empty: one of medium strength. */
  substituteBot: string;
}

/** Default of the server, and the only time at rated tables. */
export const DEFAULT_FORFEIT_AFTER = 60;

export const DEFAULT_OPTIONS: NewTableOptions = {
  bot: "",
  bots: null,
  listed: true,
  clock: DEFAULT_CHOICE,
  options: {},
  seat: null,
  spectators: true,
  delay: 0,
  undoAllowed: true,
  rated: false,
  seesHiddenAllowed: false,
  absencePolicy: "forfeit",
  forfeitAfter: DEFAULT_FORFEIT_AFTER,
  substituteBot: "",
};

export const SPECTATOR_DELAYS: readonly number[] = [0, 30, 60, 180, 300, 900];
export const FORFEIT_TIMES: readonly number[] = [30, 60, 120, 300, 900];

const storageKey = (game: string) => `qipai.table.${game}`;

/** Return the options chosen for this game last time; invalid ones get their default, which for its own options is `defaults`. */
export function loadOptions(card: GameDescription, defaults: AnyOptions = {}, memory: Storage = localStorage): NewTableOptions {
  const usual = { ...DEFAULT_OPTIONS, options: defaults };
  try {
    const options = { ...usual, ...(JSON.parse(memory.getItem(storageKey(card.name)) ?? "{}") as Partial<NewTableOptions>) };
    const known = (bot: string) => (card.bots.includes(bot) ? bot : "");
    return { ...options, options: { ...usual.options, ...options.options }, bot: known(options.bot), substituteBot: known(options.substituteBot) };
  } catch {
    return usual;
  }
}

/** Store the options for the next time. */
export function saveOptions(card: GameDescription, options: NewTableOptions, memory: Storage = localStorage): void {
  memory.setItem(storageKey(card.name), JSON.stringify(options));
}

/** Return a bot of medium strength, as a default. */
export function mediumBot({ bots }: GameDescription): string {
  return (bots.length < 3 ? bots.at(-1) : bots[Math.floor(bots.length / 3)]) ?? "";
}

/** Tell whether a bot always plays for absent players: with more than two seats nobody waits. */
export const mayAbsentPlayersReturn = (card: GameDescription): boolean => card.seats > 2;

/** Return the absence policy that applies to this game. */
export function absencePolicyOf(card: GameDescription, { absencePolicy, rated }: NewTableOptions): AbsencePolicy {
  if (rated) return "forfeit";
  if (mayAbsentPlayersReturn(card)) return "bot";
  return absencePolicy === "bot" && card.bots.length === 0 ? "wait" : absencePolicy;
}

/** Return the table rules that differ from the default. */
export function tableRulesFrom(card: GameDescription, options: NewTableOptions): TableRulesView {
  const { spectators, delay, undoAllowed, rated, seesHiddenAllowed, forfeitAfter, substituteBot } = options;
  return {
    ...(!spectators && { spectators: false }),
    ...(spectators && delay > 0 && { spectator_delay: delay }),
    ...(!undoAllowed && { undo_allowed: false }),
    ...(rated && { rated }),
    ...(seesHiddenAllowed && { sees_hidden_allowed: true }),
    ...absence(),
  };

  function absence(): TableRulesView {
    const policy = absencePolicyOf(card, options);
    if (policy === "wait") return { disconnect_timeout: 0 };
    if (policy === "forfeit") return forfeitAfter === DEFAULT_FORFEIT_AFTER ? {} : { disconnect_timeout: forfeitAfter };
    if (mayAbsentPlayersReturn(card)) return substituteBot ? { substitute_bot: substituteBot } : {};
    return { disconnect_timeout: 0, substitute_bot: substituteBot || mediumBot(card) };
  }
}
