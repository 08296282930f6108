/** Games from outside: their module, texts and reducer. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { isHarmlessRefusal, reducePosition } from "../../src/games/gameReducers";
import { allGames, OWN_GAMES, partsOf } from "../../src/games/gameRegistry";
import type { GameModule } from "../../src/games/gameInterface";
import { ErrorBoundary, withoutErrors } from "../../src/games/outsideGameErrors";
import { checkedModule, fetchTexts, loadOutsideGame, retryUrl } from "../../src/games/outsideGameLoader";
import { missingStatus } from "../../src/games/outsideGameRequests";
import { failedGames, outsideGames, retryGame } from "../../src/games/outsideGames";
import { botTexts, gameName, reasonText, resultText, setLanguage } from "../../src/i18n/language";
import { outsideTexts } from "../../src/i18n/outsideTexts";
import { state } from "../../src/net/session";
import { EMPTY_STATE } from "../../src/net/store";
import type { AnyEvent, AnyMove, AnyPosition } from "../../src/net/protocol";
import * as outside from "./outside";
import english from "./outside/texts/en.json";
import traditional from "./outside/texts/zh-hant.json";

vi.hoisted(() => {
  // The registry imports whole games, which need what a browser has.
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const URL_OF_MODULE = new URL("./outside/index.ts", import.meta.url).href;
const requests: string[] = [];

/** Answers requests with the files of the test. */
const files = async (address: string): Promise<Response> => {
  const file = address.replace(/.*\/outside\//, "");
  requests.push(file);
  const texts = { "texts/en.json": english, "texts/zh-hant.json": traditional }[file];
  return texts ? new Response(JSON.stringify(texts)) : new Response("", { status: 404 });
};
vi.stubGlobal("fetch", files);

const load = async (game: string, url = URL_OF_MODULE) => {
  const loaded: string[] = [];
  await loadOutsideGame(game, url, (name) => loaded.push(name));
  return loaded;
};

afterEach(async () => {
  outsideGames.value = new Map();
  outsideTexts.value = {};
  failedGames.value = new Set();
  requests.length = 0;
  vi.restoreAllMocks();
  await setLanguage("en");
});

describe("a game from outside", () => {
  it("is unknown until it is loaded, then it is one of the games", async () => {
    expect([partsOf("counting"), gameName("counting")]).toEqual([undefined, "counting"]);
    expect(await load("counting")).toEqual(["counting"]);
    expect(partsOf("counting")?.heading({ count: 2 } as never, null as never)).toBe("2");
    expect(allGames().map(([name]) => name)).toEqual([...OWN_GAMES, "counting"]);
    expect(OWN_GAMES).toEqual(["chess", "gomoku", "mahjong", "tictactoe"]);
    expect([gameName("counting"), reasonText("counting", "enough"), botTexts("counting", "quick").name]).toEqual(["Counting", "with enough", "Quick"]);
  });

  it("does not change the texts of other games", () => {
    const before = [reasonText("chess", "time"), botTexts("chess", "easy"), resultText("chess", "Ada", true, "time")];
    const named = { name: "Quick", level: "fast" };
    outsideTexts.value = { counting: { name: "Counting", reasons: { time: "late", checkmate: "late" }, bots: { easy: named } } };
    expect([reasonText("chess", "time"), botTexts("chess", "easy"), resultText("chess", "Ada", true, "time")]).toEqual(before);
    expect([reasonText("counting", "time"), botTexts("counting", "easy")]).toEqual(["late", named]);
    expect(reasonText("counting", "resigned")).toBe(reasonText("chess", "resigned"));
    expect(reasonText("gomoku", "checkmate")).toBe("");
  });

  it("changes its own positions, and not before it is loaded", async () => {
    const after = () => reducePosition("adding", { count: 1 } as unknown as AnyPosition, { e: "added", by: 2 } as unknown as AnyEvent);
    const quiet = () => isHarmlessRefusal("adding", { do: "add" } as unknown as AnyMove, "stale");
    expect([after(), quiet()]).toEqual([{ count: 1 }, false]);
    await load("adding");
    expect([after(), quiet()]).toEqual([{ count: 3 }, true]);
  });

  it("is loaded once, and its texts again in another language", async () => {
    await load("twice");
    expect(await load("twice")).toEqual([]);
    expect(requests).toEqual(["texts/en.json"]);
    await setLanguage("zh-Hant");
    expect(await load("twice")).toEqual([]);
    expect([requests.at(-1), gameName("twice")]).toEqual(["texts/zh-hant.json", "數數"]);
  });

  it("has English texts in a language that it does not have", async () => {
    await setLanguage("zh-Hans");
    await load("english");
    expect(requests).toEqual(["texts/zh-hans.json", "texts/en.json"]);
    expect(gameName("english")).toBe("Counting");
  });

  it("fails without harm if there is no module, and is loaded when asked again", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(await load("broken", URL_OF_MODULE.replace("index.ts", "missing.ts"))).toEqual([]);
    expect([...failedGames.value]).toEqual(["broken"]);
    expect(warned.mock.calls[0]![0]).toContain("broken");
    retryGame("broken");
    expect(await load("broken")).toEqual(["broken"]);
    expect(failedGames.value.size).toBe(0);
  });

  it("fails if it has no texts at all", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 404 })));
    expect(await load("silent")).toEqual([]);
    vi.stubGlobal("fetch", files);
    expect([partsOf("silent"), [...failedGames.value]]).toEqual([undefined, ["silent"]]);
  });
});

describe("a game that the page cannot show", () => {
  const describedBy = (...games: readonly (readonly [name: string, module: string])[]) => {
    state.value = { ...EMPTY_STATE, games: games.map(([name, module]) => ({ name, seats: 2, bots: [], phrases: [], module })) };
  };

  it("is loading until the server has answered, and while its module is loading", async () => {
    state.value = EMPTY_STATE;
    expect([missingStatus("late"), missingStatus("chess")]).toEqual(["loading", null]);
    describedBy(["late", "/games/late/1/index.js"]);
    expect(missingStatus("late")).toBe("loading");
    await load("late");
    expect(missingStatus("late")).toBe(null);
  });

  it("has failed if its module cannot be loaded, and is unknown if the server has none", () => {
    describedBy(["late2", "/games/late2/1/index.js"], ["old", ""]);
    failedGames.value = new Set(["late2"]);
    expect([missingStatus("late2"), missingStatus("old"), missingStatus("other")]).toEqual(["failed", "unknown", "unknown"]);
  });
});

describe("its module", () => {
  it("must export what the page needs", () => {
    expect(checkedModule(outside)).toBe(outside);
    expect(() => checkedModule({})).toThrow("does not export `game`");
    expect(() => checkedModule({ game: outside.game })).toThrow("does not export `reduce`");
    const { Board: _, heading: __, ...rest } = outside.game;
    expect(() => checkedModule({ ...outside, game: rest })).toThrow("lacks Board, heading");
    expect(() => checkedModule({ ...outside, game: null })).toThrow("does not export `game`");
    expect(() => checkedModule({ ...outside, game: { ...outside.game, status: "", offerKinds: "undo" } })).toThrow("wrong type: offerKinds, status");
  });
});

describe("its errors", () => {
  const broken = () => {
    throw new Error("broken");
  };
  const call = { heading: "", status: null, announce: null, tone: null, tags: [], possibleOffers: [], bottomSeat: 0, usesRandomness: true } as const;

  it.each(Object.entries(call))("in `%s` are reported, and the page goes on", (name, otherwise) => {
    const errors: unknown[] = [];
    const { game } = withoutErrors({ ...outside, game: { ...outside.game, [name]: broken } } as unknown as GameModule, (error) => errors.push(error));
    expect((game as unknown as Record<string, () => unknown>)[name]!()).toEqual(otherwise);
    expect(errors).toEqual([new Error("broken")]);
  });

  it("in results are reported like exceptions", () => {
    const errors: unknown[] = [];
    const { game } = withoutErrors({ ...outside, game: { ...outside.game, tags: () => "red", status: () => ({}) } } as unknown as GameModule, (error) => errors.push(String(error)));
    expect([game.tags!({}, null as never), game.status(null as never)]).toEqual([[], null]);
    expect(errors).toEqual(['TypeError: `tags` returned "red"', "TypeError: `status` returned {}"]);
  });

  it("in `reduce` keep the position", () => {
    const { reduce } = withoutErrors({ ...outside, reduce: broken } as unknown as GameModule, () => undefined);
    expect(reduce({ count: 1 } as never, { e: "added" } as never)).toEqual({ count: 1 });
  });

  it("in components are caught by a boundary that then shows nothing", () => {
    const errors: unknown[] = [];
    const boundary = new ErrorBoundary({ onError: (error) => errors.push(error), children: "board" });
    boundary.props = { onError: (error) => errors.push(error), children: "board" };
    expect(boundary.render()).toBe("board");
    boundary.componentDidCatch("broken");
    boundary.state = ErrorBoundary.getDerivedStateFromError();
    expect([boundary.render(), errors]).toEqual([null, ["broken"]]);
  });

  it("take the game out of the page, and other games stay", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await load("one");
    await load("other");
    (partsOf("one")!.heading as (position: unknown) => string)(null);
    expect(partsOf("one")).toBeDefined();
    await Promise.resolve();
    expect([partsOf("one"), [...failedGames.value], partsOf("other") !== undefined]).toEqual([undefined, ["one"], true]);
    retryGame("one");
    expect(await load("one")).toEqual(["one"]);
  });
});

describe("its address", () => {
  it("differs for every attempt, and is the same path for the server", () => {
    const url = "/games/x/1a2b3c4d5e6f7081/index.js";
    const urls = [1, 2, 3, 4, 5].map((attempt) => retryUrl(url, attempt));
    expect(urls.slice(0, 2)).toEqual([url, "/games/x/%31a2b3c4d5e6f7081/index.js"]);
    expect(new Set(urls.map((one) => new URL("./board.js", new URL(one, "http://host")).href)).size).toBe(5);
    expect(urls.map(decodeURI)).toEqual(urls.map(() => url));
  });
});

describe("its texts", () => {
  it("are beside the module", async () => {
    const asked: string[] = [];
    const answer = (address: string) => Promise.resolve((asked.push(address), new Response('{"name":"X"}')));
    expect(await fetchTexts("/games/x/1a2b/index.js", "zh-hant", answer as typeof fetch)).toEqual({ name: "X" });
    expect(asked).toEqual(["/games/x/1a2b/texts/zh-hant.json"]);
  });

  it("are not replaced by English ones when the server is out of reach", async () => {
    const down = () => Promise.resolve(new Response("", { status: 503 }));
    await expect(fetchTexts("/games/x/1a2b/index.js", "zh-hant", down as typeof fetch)).rejects.toThrow("texts/zh-hant.json");
  });
});
