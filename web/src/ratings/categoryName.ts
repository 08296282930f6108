/** Names of rating categories. */

import { gameName } from "../i18n/language";
import type { RatingTexts } from "../i18n/types/ratings";
import { twistName } from "../profile/twistName";

/** Return the game of a category such as `chess-blitz`. */
export const gameOf = (category: string): string => category.split("-")[0]!;

/** Return the name of a category within its game. */
export function categoryName(category: string, text: RatingTexts): string {
  const [game = "", kind = ""] = category.split("-");
  return (text.speeds as Partial<Record<string, string>>)[kind] ?? (twistName(game, kind) || gameName(game));
}
