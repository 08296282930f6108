/** Lessons of all games: their texts are complete, and every listed move gets its answer. */

import { describe, expect, it, vi } from "vitest";
import { explainMove } from "../../src/games/chess/learn/explainMove";
import type { GameModule } from "../../src/games/gameInterface";
import { outsideGames } from "../../src/games/outsideGames";
import { OWN_GAMES } from "../../src/games/gameRegistry";
import { texts } from "../../src/i18n/language";
import { LANGUAGES } from "../../src/i18n/languages";
import { isReading, judge, nextMoment, positionAt, sameMove } from "../../src/learn/judge";
import { gamesWithLessons, lessonsOf } from "../../src/learn/loadLessons";
import type { LessonTexts, Step } from "../../src/learn/lessonTypes";
import type { LearnTexts } from "../../src/learn/texts/types";
import type { ChessPosition, GameName } from "../../src/net/protocol";

// The boards that lessons use keep unsent commands there.
vi.hoisted(() => Object.assign(globalThis, { sessionStorage: { getItem: () => null, setItem: () => undefined } }));

const TAGS = Object.keys(LANGUAGES).map((tag) => tag.toLowerCase());
const FRAME = import.meta.glob<LearnTexts>(["../../src/learn/texts/*.ts", "!../../src/learn/texts/types.ts"], { import: "texts", eager: true });

const loaded = await Promise.all(
  gamesWithLessons().map(async (game) => {
    const lessons = await lessonsOf(game);
    const languages = await Promise.all(TAGS.map(async (tag) => [tag, await lessons.loadTexts(tag)] as const));
    return { game, lessons, languages: new Map<string, LessonTexts>(languages) };
  }),
);
const steps = loaded.flatMap(({ game, lessons, languages }) =>
  lessons.pages.flatMap((page) => page.steps.map((step) => ({ name: `${game}/${page.id}/${step.id}`, lessons, languages, page, step: step as Step<GameName> }))),
);

function leaves(part: unknown, path = ""): [string, string][] {
  if (typeof part === "function") return [[path, String(part(3, 2, true))]];
  if (typeof part !== "object" || part === null) return [[path, String(part)]];
  return Object.entries(part).flatMap(([key, value]) => leaves(value, `${path}.${key}`));
}

const inAllLanguages = [
  ...loaded.map(({ game, languages }) => [game, languages] as const),
  ["learn", new Map(Object.entries(FRAME).map(([path, all]) => [/([^/]+)\.ts$/.exec(path)![1]!, all]))] as const,
];

describe("the texts of lessons", () => {
  it("exist for every game in every language", () => {
    expect(loaded.map(({ game }) => game).sort()).toEqual([...OWN_GAMES].sort());
    for (const [game, languages] of inAllLanguages) expect([...languages.keys()].sort(), game).toEqual([...TAGS].sort());
  });

  it("have the same keys, none of them empty, and are translated", () => {
    for (const [game, languages] of inAllLanguages) {
      const english = leaves(languages.get("en"));
      for (const [tag, all] of languages) {
        const found = leaves(all);
        expect(found.map(([path]) => path), `${game} ${tag}`).toEqual(english.map(([path]) => path));
        for (const [path, text] of found) expect(text, `${game} ${tag} ${path}`).toMatch(/\S/);
        if (tag !== "en") for (const [index, [path, text]] of found.entries()) expect(text, path).not.toBe(english[index]![1]);
      }
    }
  });

  it("do not mix Traditional and Simplified Chinese", () => {
    const onlySimplified = /[们这对开关连务进输赢号请观战网链实时钟线张门东车马将军应双杠庄湾凑风过]/u;
    const onlyTraditional = /[們這對開關連務進輸贏號請觀戰網鏈實時鐘線張門東車馬將軍應雙槓莊灣湊風過]/u;
    for (const [game, languages] of inAllLanguages) {
      for (const [path, text] of leaves(languages.get("zh-hant"))) expect(text, `${game} ${path}`).not.toMatch(onlySimplified);
      for (const [path, text] of leaves(languages.get("zh-hans"))) {
        expect(text, `${game} ${path}`).not.toMatch(onlyTraditional);
      }
    }
  });

  it.each(steps)("$name has a text for every stage", ({ languages, page, step }) => {
    for (const [tag, { pages }] of languages) {
      expect(Object.keys(pages[page.id]!.steps), tag).toEqual(page.steps.map(({ id }) => id));
      const { tasks = [], done = "" } = pages[page.id]!.steps[step.id]!;
      expect(tasks.length, tag).toBe(isReading(step) ? 0 : step.stages.length);
      if (!isReading(step)) expect(done, tag).toMatch(/\S/);
    }
  });
});

describe("the moves of lessons", () => {
  it.each(steps)("$name answers every listed move", ({ lessons, languages, page, step }) => {
    for (const lesson of languages.values()) {
      const text = lesson.pages[page.id]!.steps[step.id]!;
      const judged = (stage: Step<GameName>["stages"][number], move: object) =>
        judge(stage, move as never, { lessons, lesson, step: text, texts: texts.value, otherwise: "otherwise" });
      for (const stage of step.stages) {
        for (const [number, move] of stage.right.entries()) expect(judged(stage, move)).toEqual({ kind: "right", number });
        for (const [kind, moves] of [["refused", stage.refused ?? []], ["other", stage.other ?? []]] as const) {
          for (const { move } of moves) {
            const judgement = judged(stage, move);
            expect(judgement.kind).toBe(kind);
            expect(judgement).not.toHaveProperty("text", "otherwise");
          }
        }
      }
    }
  });

  it.each(steps)("$name goes on to its end", ({ step }) => {
    if (isReading(step)) return;
    expect(step.after.length).toBe(step.stages.at(-1)!.right.length);
    for (const [number, stage] of step.stages.slice(0, -1).entries()) {
      expect(stage.right.length).toBe(1);
      expect(nextMoment(step, number, 0)).toEqual({ stage: number + 1 });
      expect(positionAt(step, { stage: number + 1 })).toEqual(step.stages[number + 1]!.position);
    }
    const last = nextMoment(step, step.stages.length - 1, step.after.length - 1);
    expect(positionAt(step, last)).toEqual(step.after.at(-1));
  });

  it("are the same whatever the order of their fields", () => {
    expect(sameMove({ do: "place", x: 1, y: 2 }, { y: 2, x: 1, do: "place" })).toBe(true);
    expect(sameMove({ do: "place", x: 1, y: 2 }, { do: "place", x: 2, y: 1 })).toBe(false);
  });

  it("name the page for the options of a table", () => {
    const pageFor = (game: string, options: object) => loaded.find((one) => one.game === game)!.lessons.pageFor(options as never);
    expect(["", "sequential"].map((dice) => pageFor("chess", { dice }))).toEqual(["plain", "dice"]);
    expect([{ fog: true }, { mines: 5 }, { dice: "free", fog: true }].map((options) => pageFor("chess", options))).toEqual(["fog", "mines", "dice"]);
    expect([{}, { rule: "swap2" }, { rule: "renju" }].map((options) => pageFor("gomoku", options))).toEqual(["free", "swap2", "renju"]);
    expect([{ tiles: 16 }, { tiles: 13 }, {}].map((options) => pageFor("mahjong", options))).toEqual(["sixteen", "thirteen", "thirteen"]);
    for (const { game, lessons } of loaded) expect(lessons.pages.map(({ id }) => id)).toContain(pageFor(game, {}));
  });
});

describe("the lessons of a game from outside", () => {
  it("are loaded by its module, if it has any", async () => {
    const lessons = { pages: [], pageFor: () => "rules", loadTexts: () => Promise.resolve({ pages: {}, reasons: {} }) };
    const module = (more: object) => ({ game: more, reduce: (position: unknown) => position }) as unknown as GameModule;
    outsideGames.value = new Map([["reversi", module({ lessons: () => Promise.resolve(lessons) })], ["hex", module({})]]);
    expect(gamesWithLessons()).toEqual([...OWN_GAMES, "reversi"]);
    expect(await lessonsOf("reversi")).toBe(lessons);
    outsideGames.value = new Map();
  });
});

describe("refused chess moves", () => {
  const chess = steps.filter(({ name }) => name.startsWith("chess/"));
  it.each(chess)("$name: the reasons are those of the data", ({ step }) => {
    for (const { position, refused = [], right, other = [] } of step.stages) {
      for (const { move, reason } of refused) expect(explainMove(position as ChessPosition, (move as { uci: string }).uci)?.code, reason).toBe(reason);
      for (const move of [...right, ...other.map((one) => one.move)] as { do: string; uci: string }[]) {
        if (move.do === "move") expect(explainMove(position as ChessPosition, move.uci)).toBeNull();
      }
    }
  });

  it("are explained by the rule that forbids them", () => {
    const code = (fen: string, uci: string) => explainMove({ white: 0, turn: 0, fen } as ChessPosition, uci)?.code ?? null;
    const plain = "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1";
    expect(code(plain, "e1g1")).toBeNull();
    expect(code(plain, "e8e7")).toBe("notYours");
    expect(code(plain, "e1e3")).toBe("shape");
    expect(code("4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1", "e1g1")).toBe("castle");
    expect(code("4k3/8/8/8/8/8/4P3/RN2K2R w KQ - 0 1", "e1c1")).toBe("blocked");
    expect(code("k3r3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1")).toBe("castleCheck");
    expect(code("k5r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1")).toBe("kingDanger");
    expect(code("k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3")).toBe("pinned");
    expect(code("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4")).toBe("pawnBlocked");
    expect(code("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6")).toBe("pawnStep");
  });
});
