/** Names of twists. */

import { partsOf } from "../games/gameRegistry";
import { texts } from "../i18n/language";

/** Return the name of a twist; empty if a game has none, or if it is not known. */
export function twistName(game: string, twist: string): string {
  const parts = partsOf(game);
  if (!twist || !parts) return twist;
  return parts.twistName?.(twist, texts.value) ?? parts.presets?.find(({ id }) => id === twist)?.texts(texts.value).name ?? twist;
}
