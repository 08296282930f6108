/// <reference types="vite/client" />
/** Texts of all languages. */

import { describe, expect, it } from "vitest";
import { pickLanguage, setLanguage, winText } from "../../src/i18n/language";
import type { Language } from "../../src/i18n/languages";
import { TEXTS } from "../allTexts";

function leaves(part: unknown, path = ""): [string, unknown][] {
  if (typeof part !== "object" || part === null) return [[path, part]];
  return Object.entries(part).flatMap(([key, value]) => leaves(value, path ? `${path}.${key}` : key));
}

/** The names of scoring patterns are translated by a function of their Chinese names; the tests of mahjong cover it. */
const texts = (all: object) =>
  leaves(all)
    .filter(([path]) => path !== "games.mahjong.table.pattern")
    .map(([path, leaf]) => [path, typeof leaf === "function" ? String(leaf(3, 2)) : leaf] as const);

/** Texts that are loaded later, by path without the tag of the language. */
const LATER = import.meta.glob<object>(["../../src/i18n/*/settings.ts", "../../src/i18n/*/operator.ts", "../../src/i18n/*/notices.ts", "../../src/games/*/settings/texts/*.ts", "!**/types.ts", "!**/types/*.ts"], {
  eager: true,
});

/** All texts of a language, also those that are loaded later. */
const ALL = Object.fromEntries(
  (Object.keys(TEXTS) as Language[]).map((tag) => {
    const later = Object.entries(LATER).filter(([path]) => path.split(/[/.]/).includes(tag.toLowerCase()));
    return [tag, { ...TEXTS[tag], later: Object.fromEntries(later.map(([path, module]) => [path.replace(tag.toLowerCase(), "*"), module])) }];
  }),
) as unknown as Record<Language, object>;

describe("the languages", () => {
  it("have the same texts, none of them empty", () => {
    const keys = Object.values(ALL).map((words) => leaves(words).map(([path]) => path).sort());
    for (const other of keys) expect(other).toEqual(keys[0]);
    for (const words of Object.values(ALL)) {
      for (const [path, text] of texts(words)) expect(text, path).toMatch(/\S/);
    }
  });

  it("are really translated", () => {
    const english = new Map(texts(ALL.en));
    for (const chinese of [ALL["zh-Hant"], ALL["zh-Hans"]]) {
      for (const [path, text] of texts(chinese)) expect(text, path).not.toBe(english.get(path));
    }
  });

  it("do not mix Traditional and Simplified Chinese", () => {
    const onlySimplified = /[们这对开关连务进输赢号请观战网链实时钟线]/u;
    const onlyTraditional = /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線]/u;
    for (const [path, text] of texts(ALL["zh-Hant"])) expect(text, path).not.toMatch(onlySimplified);
    for (const [path, text] of texts(ALL["zh-Hans"])) expect(text, path).not.toMatch(onlyTraditional);
  });

  it("follow the browser", () => {
    expect(pickLanguage(["zh-TW", "en"])).toBe("zh-Hant");
    expect(pickLanguage(["zh-Hant-CN"])).toBe("zh-Hant");
    expect(pickLanguage(["zh-HK"])).toBe("zh-Hant");
    expect(pickLanguage(["yue"])).toBe("zh-Hant");
    expect(pickLanguage(["zh-CN"])).toBe("zh-Hans");
    expect(pickLanguage(["zh-Hans-TW"])).toBe("zh-Hans");
    expect(pickLanguage(["zh"])).toBe("zh-Hans");
    expect(pickLanguage(["tlh", "zh-SG"])).toBe("zh-Hans");
    expect(pickLanguage(["fr"])).toBe("en");
    expect(pickLanguage([])).toBe("en");
  });

  it("name one winner, several, or none", async () => {
    const wins = async (language: Language) => {
      await setLanguage(language);
      return [["Ada"], ["Ada", "Bo", "Cy"], []].map(winText);
    };
    expect(await wins("en")).toEqual(["Ada won", "Ada, Bo, and Cy won", "Draw"]);
    expect((await wins("zh-Hant"))[1]).toBe("Ada、Bo和Cy 獲勝");
    expect((await wins("zh-Hans"))[1]).toBe("Ada、Bo和Cy 获胜");
    await setLanguage("en");
  });
});
