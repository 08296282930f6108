import { afterEach, describe, expect, it } from "vitest";
import { absent, consequence } from "../src/absence";
import { houseOf } from "../src/house";
import { language } from "../src/i18n";
import { TEXTS } from "../src/i18n/room";
import { nameOf, recall, speaker, toggled, type Muted } from "../src/muted";
import { complete } from "../src/room";
import { ABSENCE, type ChairView, type Table } from "../src/wire";

const NOW = 1_000_000;
const away = (more: Partial<ChairView> = {}): ChairView => ({ name: "Bo", away: true, lost: NOW, ...more });
const table = (rules: Table, bo: ChairView) =>
  complete({
    id: "r", code: "1", game: "chess", options: {}, table: rules, phase: "playing",
    chairs: [{ name: "Ada" }, bo], match: 1, commitment: "c",
  });

describe("somebody who is away", () => {
  afterEach(() => void (language.value = "en"));

  it("is counted down, waited for, or played for, and the page says which", () => {
    const said = (rules: Table, bo: ChairView, now: number) => consequence(table(rules, bo), 1, now).replace(/\u00a0/g, " ");
    expect(said({}, away({ until: NOW + 43_000 }), NOW)).toBe("Bo is away and loses in 43 s unless they come back.");
    expect(said({ away: 0 }, away(), NOW)).toBe("Bo is away. The game waits.");
    expect(said({ standin: "easy" }, away(), NOW + ABSENCE - 5_000)).toBe("Bo is away. In 5 s Novice plays for them.");
    expect(said({ standin: "easy" }, away(), NOW + ABSENCE)).toBe("Bo is away. Novice plays for them until they come back.");
    language.value = "zh-Hant";
    expect(said({}, away({ until: NOW + 43_000 }), NOW)).toBe("Bo 離線了，43 秒內沒回來就判負。");
  });

  it("counts only while a game runs, and only if he is a person", () => {
    expect(absent(table({}, away()))).toEqual([1]);
    expect(absent(table({}, away({ bot: "easy" })))).toEqual([]);
    expect(absent({ ...table({}, away()), phase: "over" })).toEqual([]);
  });
});

describe("the house rules", () => {
  it("are what everybody plays by unless the table says otherwise", () => {
    const usual = { listed: true, watchers: true, away: 60, delay: 0, takebacks: true, standin: "" };
    expect(houseOf({})).toEqual(usual);
    expect(houseOf({ public: false, takebacks: false, delay: 30 })).toEqual({ ...usual, listed: false, takebacks: false, delay: 30 });
  });
});

describe("muting", () => {
  it("tells a player from a watcher of the same name", () => {
    expect(speaker({ seat: 0, name: "Bo B" })).not.toBe(speaker({ name: "Bo B" }));
    expect([speaker({ seat: 0, name: "Bo B" }), speaker({ name: "Bo B" })].map(nameOf)).toEqual(["Bo B", "Bo B"]);
  });

  it("is for one table, and is taken back", () => {
    const once = toggled({}, "r", "0 Bo");
    expect(once).toEqual({ r: ["0 Bo"] });
    expect(toggled(toggled(once, "s", "- Cy"), "r", "0 Bo")).toEqual({ s: ["- Cy"] });
  });

  it("forgets the oldest tables, and survives a spoilt memory", () => {
    let muted: Muted = {};
    for (let number = 0; number < 100; number++) muted = toggled(muted, `room${number}`, "0 Bo");
    expect(Object.keys(muted)).toHaveLength(30);
    expect(muted).toHaveProperty("room99");
    for (const text of ["{", "null", "3"]) expect(recall({ getItem: () => text, setItem: () => undefined })).toEqual({});
  });
});

describe("the texts beside the board", () => {
  const leaves = (part: unknown, path = ""): [string, unknown][] =>
    typeof part === "object" && part !== null
      ? Object.entries(part).flatMap(([key, value]) => leaves(value, `${path}.${key}`))
      : [[path, typeof part === "function" ? String(part("3", "2", "1")) : part]];

  it("are there in all languages and in no other", () => {
    const english = new Map(leaves(TEXTS.en));
    const others = { "zh-Hant": /[们这对开关连务进输赢号请观战网链实时钟线]/u, "zh-Hans": /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線]/u };
    for (const [tag, foreign] of Object.entries(others)) {
      const texts = leaves(TEXTS[tag as keyof typeof others]);
      expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
      for (const [path, text] of texts) {
        expect(text, path).toMatch(/\S/);
        expect(text, path).not.toBe(english.get(path));
        expect(text, path).not.toMatch(foreign);
      }
    }
  });
});
