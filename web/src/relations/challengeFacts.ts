/** What a challenge is about, in words. */

import { partsOf } from "../games/gameRegistry";
import { gameName, texts } from "../i18n/language";
import { shortClockText } from "../lobby/tableSummary";
import type { ChallengeMade } from "../net/protocol";

/** Return game, twist, clock and whether it is rated, for example "Chess · Dice · 5+3 · Rated". */
export function challengeFacts({ game, options, clock, rated }: ChallengeMade): string {
  const { createTable, rated: ratedTexts } = texts.value;
  const tags = partsOf(game)?.tags?.(options, texts.value) ?? [];
  return [gameName(game), ...tags, clock ? shortClockText(clock, texts.value) : createTable.noClock, ...(rated ? [ratedTexts.name] : [])].join(" · ");
}
