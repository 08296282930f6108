/** Times as operators read them. */

import { language } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import type { Millis } from "../../net/protocol";

export const timeText = (at: Millis): string => new Date(at).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });

export const dayText = (at: Millis): string => new Date(at).toLocaleDateString(language.value, { dateStyle: "medium" });

export const endText = (ends: Millis | null, text: OperatorTexts): string => (ends === null ? text.forGood : text.until(timeText(ends)));
