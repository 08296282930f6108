import { describe, expect, it } from "vitest";
import { LANGUAGES as MAIN, language, pick, winText, type Language } from "../src/i18n";
import { TEXTS as LOBBY } from "../src/i18n/lobby";
import { TEXTS as PAST } from "../src/i18n/past";
import { TEXTS as ROOM } from "../src/i18n/room";

const together = (language: Language) => ({ main: MAIN[language], lobby: LOBBY[language], past: PAST[language], room: ROOM[language] });
const LANGUAGES = { "zh-Hant": together("zh-Hant"), "zh-Hans": together("zh-Hans"), en: together("en") };

function leaves(part: unknown, path = ""): [string, unknown][] {
  if (typeof part !== "object" || part === null) return [[path, part]];
  return Object.entries(part).flatMap(([key, value]) => leaves(value, path ? `${path}.${key}` : key));
}

const texts = (words: object) =>
  leaves(words).map(([path, leaf]) => [path, typeof leaf === "function" ? String(leaf(3, 2)) : leaf] as const);

describe("the languages", () => {
  it("have the same texts, none of them empty", () => {
    const keys = Object.values(LANGUAGES).map((words) => leaves(words).map(([path]) => path).sort());
    for (const other of keys) expect(other).toEqual(keys[0]);
    for (const words of Object.values(LANGUAGES)) {
      for (const [path, text] of texts(words)) expect(text, path).toMatch(/\S/);
    }
  });

  it("are really translated", () => {
    const english = new Map(texts(LANGUAGES.en));
    for (const chinese of [LANGUAGES["zh-Hant"], LANGUAGES["zh-Hans"]]) {
      for (const [path, text] of texts(chinese)) expect(text, path).not.toBe(english.get(path));
    }
  });

  it("do not mix the two ways of writing Chinese", () => {
    const onlySimplified = /[们这对开关连务进输赢号请观战网链实时钟线]/u;
    const onlyTraditional = /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線]/u;
    for (const [path, text] of texts(LANGUAGES["zh-Hant"])) expect(text, path).not.toMatch(onlySimplified);
    for (const [path, text] of texts(LANGUAGES["zh-Hans"])) expect(text, path).not.toMatch(onlyTraditional);
  });

  it("follow the browser", () => {
    expect(pick(["zh-TW", "en"])).toBe("zh-Hant");
    expect(pick(["zh-Hant-CN"])).toBe("zh-Hant");
    expect(pick(["zh-HK"])).toBe("zh-Hant");
    expect(pick(["yue"])).toBe("zh-Hant");
    expect(pick(["zh-CN"])).toBe("zh-Hans");
    expect(pick(["zh-Hans-TW"])).toBe("zh-Hans");
    expect(pick(["zh"])).toBe("zh-Hans");
    expect(pick(["de", "zh-SG"])).toBe("zh-Hans");
    expect(pick(["fr"])).toBe("en");
    expect(pick([])).toBe("en");
  });

  it("name one winner, several, or none, each as it is said", () => {
    const said = (spoken: Language) => {
      language.value = spoken;
      return [["Ada"], ["Ada", "Bo", "Cy"], []].map(winText);
    };
    expect(said("en")).toEqual(["Ada wins the match", "Ada, Bo, and Cy win the match", "The match is a draw"]);
    expect(said("zh-Hant")[1]).toBe("Ada、Bo和Cy 獲勝");
    expect(said("zh-Hans")[1]).toBe("Ada、Bo和Cy 获胜");
    language.value = "en";
  });
});
