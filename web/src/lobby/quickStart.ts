/** Starts a game with one press: default table rules, seat and bot level. */

import { partsOf } from "../games/gameRegistry";
import { texts } from "../i18n/language";
import { clockText } from "./tableSummary";
import { clockPlanOf, clockPresets } from "../dialogs/ClockForm";
import { openTable } from "../net/commands";
import type { GameDescription, Seat } from "../net/protocol";
import { tableRulesFrom, mediumBot, loadOptions } from "../dialogs/newTableOptions";

/** Open an unlisted table with the options chosen last. */
export function playFriend(card: GameDescription): void {
  const game = card.name;
  const parts = partsOf(game);
  const chosen = loadOptions(card, parts?.defaultOptions);
  const seat = seatForSide(card, chosen.seat);
  openTable({
    game,
    // Bots may take some seats, but not all.
    ...(chosen.bots !== null && { bot: chosen.bot, bots: chosen.bots }),
    listed: false,
    clock: clockPlanOf(chosen.clock, clockPresets(parts), seat),
    ...(parts?.OptionsForm && { options: chosen.options }),
    ...(parts?.sides && { seat }),
    rules: tableRulesFrom(card, chosen),
  });
}

/** Play against a bot with default rules and no clock; the game waits for a disconnected player. */
export function playComputer(card: GameDescription, bot = lastBotLevel(card)): void {
  const game = card.name;
  localStorage.setItem(levelKey(card), bot);
  const { sides, defaultOptions } = partsOf(game) ?? {};
  const seat = sides !== undefined && { seat: seatForSide(card, loadOptions(card).seat) };
  openTable({ game, bot, listed: false, ...seat, ...(defaultOptions && { options: defaultOptions }), rules: { disconnect_timeout: 0 } });
}

/** Return the chosen seat, or a random one if the sides differ. */
export function seatForSide(card: GameDescription, chosen: Seat | null): Seat {
  return partsOf(card.name)?.sides ? (chosen ?? (Math.random() < 0.5 ? 0 : 1)) : 0;
}

/** Return a short description of the game a friend is invited to. */
export function friendGameText(card: GameDescription): string {
  const parts = partsOf(card.name);
  const { bot, bots, clock, options } = loadOptions(card, parts?.defaultOptions);
  const plan = clockPlanOf(clock, clockPresets(parts), 0);
  const tags = parts?.tags?.(options, texts.value) ?? [];
  const company = bot && bots !== null ? [texts.value.createTable.botsOf(bots, card.seats - 1 - bots)] : [];
  return [...tags, ...company, plan ? clockText(plan, texts.value) : texts.value.createTable.noClock].join(" · ");
}

const levelKey = (card: GameDescription) => `qipai.bot.${card.name}`;

/** Return the bot played against last. */
export function lastBotLevel(card: GameDescription): string {
  const last = localStorage.getItem(levelKey(card)) ?? "";
  return card.bots.includes(last) ? last : mediumBot(card);
}
