/** The measured rating of a bot, where its level is chosen. */

import { partsOf } from "../games/gameRegistry";
import { texts } from "../i18n/language";
import type { AnyOptions, GameDescription } from "../net/protocol";

/** Return "about 1450" for a bot in a game with these options; empty if that was not measured. */
export function botRatingText({ name, bots, bot_ratings = [] }: GameDescription, bot: string, options: AnyOptions): string {
  const twist = partsOf(name)?.twistOf?.(options) ?? "";
  const rating = bot_ratings.find((one) => one.twist === twist)?.ratings[bots.indexOf(bot)];
  return rating ? texts.value.rated.about(rating) : "";
}
