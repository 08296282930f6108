/** Games that begin with one press. */

import { partsOf } from "./games/boards";
import { words } from "./i18n";
import { clockText } from "./listing";
import { planOf, plansOf } from "./parts/plan";
import { openTable } from "./session";
import type { GameCard, GameName, Seat } from "./wire";
import { houseRules, middling, remembered } from "./wishes";

/** Open a table that only a link leads to, by the rules chosen last. */
export function playFriend(card: GameCard): void {
  const game = card.name as GameName;
  const wishes = remembered(card);
  const parts = partsOf(game);
  const seat = seatOf(card, wishes.seat);
  openTable({
    game,
    // Some seats may be a computer's, but not all.
    ...(wishes.bots !== null && { bot: wishes.bot, bots: wishes.bots }),
    listed: false,
    clock: planOf(wishes.clock, plansOf(parts), seat),
    ...(parts?.Settings && { options: wishes.options }),
    ...(parts?.sides && { seat }),
    house: houseRules(card, wishes),
  });
}

/** Play the computer by the usual rules, without a clock: it has time, and waits for whoever is cut off. */
export function playComputer(card: GameCard, bot = levelOf(card)): void {
  const game = card.name as GameName;
  localStorage.setItem(levelKey(card), bot);
  const sides = partsOf(game)?.sides !== undefined;
  const seat = sides && { seat: seatOf(card, remembered(card).seat) };
  openTable({ game, bot, listed: false, ...seat, house: { away: 0 } });
}

/** Return the seat that was wished for, or one by chance where sides differ. */
export function seatOf(card: GameCard, wish: Seat | null): Seat {
  return partsOf(card.name)?.sides ? (wish ?? (Math.random() < 0.5 ? 0 : 1)) : 0;
}

/** Return what a friend would be invited to, in a few words. */
export function friendly(card: GameCard): string {
  const parts = partsOf(card.name);
  const { bot, bots, clock, options } = remembered(card);
  const plan = planOf(clock, plansOf(parts), 0);
  const tags = parts?.tags?.(options, words.value) ?? [];
  const company = bot && bots !== null ? [words.value.create.botsOf(bots, card.seats - 1 - bots)] : [];
  return [...tags, ...company, plan ? clockText(plan, words.value) : words.value.create.noClock].join(" · ");
}

const levelKey = (card: GameCard) => `qipai.bot.${card.name}`;

/** Return the computer that was played last. */
export function levelOf(card: GameCard): string {
  const last = localStorage.getItem(levelKey(card)) ?? "";
  return card.bots.includes(last) ? last : middling(card);
}
