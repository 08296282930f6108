/** What a new table will be, in words. */

import type { GameParts } from "../../games/gameInterface";
import type { Texts } from "../../i18n/types";
import { presetOf } from "../../lobby/quickStart";
import { shortClockText } from "../../lobby/tableSummary";
import type { ClockPlanView, GameDescription, GameName } from "../../net/protocol";
import { clockPlanOf, clockPresets, compensatesLag, mayCompensateLag } from "../clockChoice";
import { absencePolicyOf, type NewTableOptions } from "../newTableOptions";

type Parts = GameParts<GameName> | undefined;

/** Return the game, its twist and its clock, for example "Chess with Dice, 5+3". */
export function tableText(game: string, parts: Parts, options: NewTableOptions, texts: Texts): string {
  const preset = presetOf(parts, options.options);
  const twist = preset ? [preset.texts(texts).name] : (parts?.tags?.(options.options, texts) ?? []);
  const plan = chosenPlan(parts, options);
  const isDefault = preset !== undefined && preset === parts?.presets?.[0];
  return texts.createTable.opens(game, isDefault ? "" : twist.join(texts.punctuation.comma), plan ? shortClockText(plan, texts) : "");
}

/** Return who finds the table, or against whom it is played. */
export function visibilityText(card: GameDescription, options: NewTableOptions, { createTable, tableRules }: Texts): string {
  if (isOnlyBots(card, options)) return options.listed ? createTable.computerShown : createTable.computerHidden;
  return options.listed ? tableRules.listed : tableRules.unlisted;
}

/** Return the folded choices in short, so that none is a surprise. */
export function foldedText(card: GameDescription, parts: Parts, options: NewTableOptions, texts: Texts): string {
  const { summary, time } = texts.tableRules;
  const sides = parts?.sides?.(texts);
  const plan = chosenPlan(parts, options);
  const absence = {
    wait: summary.wait,
    bot: summary.bot,
    forfeit: summary.forfeit(time(options.forfeitAfter)),
  }[absencePolicyOf(card, options)];
  return [
    ...(sides ? [options.seat === null ? summary.sideRandom : sides[options.seat]!] : []),
    ...(plan && mayCompensateLag(plan) ? [compensatesLag(plan) ? summary.lag : summary.noLag] : []),
    ...(options.spectators ? [] : [summary.noSpectators]),
    ...(options.spectators && options.delay ? [summary.delay(time(options.delay))] : []),
    ...(parts?.offerKinds.includes("undo") ? [options.undoAllowed ? summary.undo : summary.noUndo] : []),
    ...(mayAllowSeesHidden(parts, options) && options.seesHiddenAllowed ? [summary.seesHidden] : []),
    ...(isOnlyBots(card, options) ? [] : [absence]),
  ].join(" · ");
}

/** Return the plan of the clock as it will be sent; null: no clock. */
export function chosenPlan(parts: Parts, { clock }: NewTableOptions): ClockPlanView | null {
  return clockPlanOf(clock, clockPresets(parts), 0);
}

/** Tell whether all other seats are for bots: nobody waits for such a player. */
export const isOnlyBots = (card: GameDescription, { bot, bots }: NewTableOptions): boolean => bot !== "" && (bots ?? card.seats - 1) >= card.seats - 1;

/** Tell whether the game hides something with these options that an older client would receive. */
export function mayAllowSeesHidden(parts: Parts, { options }: NewTableOptions): boolean {
  return parts?.olderClientSeesHidden === true && parts.hidesInformation?.(options) === true;
}
