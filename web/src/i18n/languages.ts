/** The list of languages: one line each; the texts are in the folder with the tag in lower case. */

interface LanguageEntry {
  /** Name in the language itself. */
  name: string;
  /** Short form for a narrow header. */
  short: string;
  /** Language tags of browsers that mean this language. */
  browser: readonly string[];
  /** Tag of its voices, if it is another one. */
  voice?: string;
}

const list = {
  "zh-Hant": { name: "繁體中文", short: "繁", browser: ["zh-Hant", "zh-TW", "zh-HK", "zh-MO", "yue"], voice: "zh-TW" },
  "zh-Hans": { name: "简体中文", short: "简", browser: ["zh-Hans", "zh", "yue-Hans"], voice: "zh-CN" },
  en: { name: "English", short: "EN", browser: ["en"] },
} as const satisfies Record<string, LanguageEntry>;

export type Language = keyof typeof list;

export const LANGUAGES: Readonly<Record<Language, LanguageEntry>> = list;

export const DEFAULT_LANGUAGE: Language = "en";
