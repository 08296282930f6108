/** Starts a game with one press: default table rules, seat and bot level. */

import type { GameParts } from "../games/gameInterface";
import { partsOf } from "../games/gameRegistry";
import { clockPlanOf, clockPresets, compensatesLag } from "../dialogs/clockChoice";
import { openTable, quickMatch } from "../net/commands";
import type { AnyOptions, ClockPlanView, GameDescription, GameName, LobbyRow, RoomId, Seat } from "../net/protocol";
import { state } from "../net/session";
import { withoutBots, withRatedRules } from "../dialogs/ratedChoice";
import { tableRulesFrom, mediumBot, loadOptions, type NewTableOptions } from "../dialogs/newTableOptions";

/** Open an unlisted table with the options chosen last. */
export function playFriend(card: GameDescription): void {
  const game = card.name;
  const parts = partsOf(game);
  const { bot, bots } = chosenOptions(card);
  const chosen = withRatedRules(parts, { ...chosenOptions(card), bot: bots === null ? "" : bot }, state.value.account);
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

/** Play against a bot with the options chosen last and no clock; the game waits for a disconnected player. */
export function playComputer(card: GameDescription, bot = lastBotLevel(card), options?: AnyOptions): void {
  const game = card.name;
  const parts = partsOf(game);
  const chosen = chosenOptions(card);
  const seat = parts?.sides && { seat: seatForSide(card, chosen.seat) };
  const rules = parts?.OptionsForm && { options: options ?? chosen.options };
  openTable({ game, bot, listed: false, ...seat, ...rules, rules: { disconnect_timeout: 0 } });
}

/** Play anyone who wants the options and the clock chosen last. */
export function playAnyone(card: GameDescription): void {
  const parts = partsOf(card.name);
  const { clock, options, rated } = optionsForAnyone(card);
  quickMatch(card.name, parts?.OptionsForm && options, clockPlanOf(clock, clockPresets(parts), 0), rated);
}

/** Return the waiting tables of others that such a match would join. */
export function waitingFor(card: GameDescription, rows: Iterable<LobbyRow>, mine: readonly RoomId[]): number {
  return waitingRows(card, rows, mine, true).length;
}

/** Return a table where a person waits for the same game with other options or another clock. */
export function waitingOtherwise(card: GameDescription, rows: Iterable<LobbyRow>, mine: readonly RoomId[]): LobbyRow | undefined {
  return waitingRows(card, rows, mine, false).find((row) => firstWaiting(row));
}

/** Return the name of a person who is there and waits at a table. */
export const firstWaiting = ({ names, seats }: LobbyRow): string | null | undefined =>
  names.find((name, seat) => name && !seats?.[seat]?.bot && !seats?.[seat]?.disconnected);

function waitingRows(card: GameDescription, rows: Iterable<LobbyRow>, mine: readonly RoomId[], fits: boolean): LobbyRow[] {
  const { clock, options, rated } = optionsForAnyone(card);
  const wanted = [plain(options), plainClock(clockPlanOf(clock, clockPresets(partsOf(card.name)), 0)), rated].join();
  return [...rows].filter(
    (row) =>
      row.game === card.name &&
      row.phase === "waiting" &&
      row.names.includes(null) &&
      !mine.includes(row.id) &&
      (!row.rated || state.value.account) &&
      ([plain(row.options), plainClock(row.clock), row.rated ?? false].join() === wanted) === fits,
  );
}

/** Return the options of a match with anyone: of a rated one, those that it allows. */
function optionsForAnyone(card: GameDescription): NewTableOptions {
  return withRatedRules(partsOf(card.name), withoutBots(chosenOptions(card)), state.value.account);
}

/** Return the options chosen last for a game, or its defaults. */
export const chosenOptions = (card: GameDescription): NewTableOptions => loadOptions(card, partsOf(card.name)?.defaultOptions);

const plainClock = (plan: ClockPlanView | null | undefined): string => plain(plan && { ...plan, lag_compensation: compensatesLag(plan) });

/** Return a value without its defaults, as a text that can be compared. */
export function plain(value: object | null | undefined): string {
  return JSON.stringify(Object.entries(value ?? {}).filter(([, one]) => Boolean(one)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Return the preset with these options. */
export function presetOf(parts: GameParts<GameName> | undefined, options: AnyOptions) {
  return parts?.presets?.find((one) => plain(one.options) === plain(options));
}

/** Return the chosen seat, or a random one if the sides differ. */
export function seatForSide(card: GameDescription, chosen: Seat | null): Seat {
  return partsOf(card.name)?.sides ? (chosen ?? (Math.random() < 0.5 ? 0 : 1)) : 0;
}

const levelKey = (card: GameDescription) => `qipai.bot.${card.name}`;

/** Remember the bot to play against. */
export function chooseBotLevel(card: GameDescription, bot: string): void {
  localStorage.setItem(levelKey(card), bot);
}

/** Return the bot played against last. */
export function lastBotLevel(card: GameDescription): string {
  const last = localStorage.getItem(levelKey(card)) ?? "";
  return card.bots.includes(last) ? last : mediumBot(card);
}
