/** Which steps are done is remembered. */

import { describe, expect, it } from "vitest";
import { href, parseRoute } from "../../src/app/route";
import { firstOpenStep, markDone, stepsDone } from "../../src/learn/progress";

const STEPS = [{ id: "one" }, { id: "two" }, { id: "three" }];

describe("the progress of a page", () => {
  it("starts with the first step that is not done", () => {
    expect(stepsDone("chess", "plain", STEPS)).toEqual([]);
    expect(firstOpenStep(STEPS, [])).toBe(0);
    expect(firstOpenStep(STEPS, ["one", "three"])).toBe(1);
    expect(firstOpenStep(STEPS, ["one", "two", "three"])).toBe(0);
  });

  it("is stored in this browser, by page", () => {
    markDone("chess", "dice", "two");
    markDone("chess", "dice", "two");
    markDone("chess", "dice", "gone");
    expect(stepsDone("chess", "dice", STEPS)).toEqual(["two"]);
    expect(stepsDone("chess", "fog", STEPS)).toEqual([]);
    expect(localStorage.getItem("qipai.setting.learn.chess.dice")).toBe('"two gone"');
  });
});

describe("the addresses of lessons", () => {
  it("name a game and a page, or neither", () => {
    for (const address of ["#/learn", "#/learn/chess", "#/learn/chess/dice"]) expect(href(parseRoute(address))).toBe(address);
    expect(parseRoute("#/learn/gomoku/renju")).toEqual({ at: "learn", game: "gomoku", page: "renju" });
    expect(parseRoute("#/learn/../x")).toEqual({ at: "nowhere" });
  });
});
