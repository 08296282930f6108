import { describe, expect, it } from "vitest";
import { href, parse, tidyCode } from "../src/route";

describe("an address", () => {
  it("leads to a table, to a code, to a record, to a finished game, or to the lobby", () => {
    expect(parse("#/replay")).toEqual({ at: "replay" });
    expect(parse("#/g/abc-_9/12")).toEqual({ at: "game", room: "abc-_9", match: 12 });
    expect(parse("#/t/abc-_9")).toEqual({ at: "table", room: "abc-_9" });
    expect(parse("#/seat/a.b_c-9")).toEqual({ at: "seat", ticket: "a.b_c-9" });
    expect(parse("#/c/k7qm2")).toEqual({ at: "code", code: "K7QM2" });
    for (const odd of ["", "#", "#/", "#/t/", "#/c/", "#/seat/", "#/seat/<b>", "#/t/<b>", `#/t/${"a".repeat(33)}`, "#main", "#/replay/x", "#/g/abc", "#/g/abc/0", "#/g/abc/x"]) {
      expect(parse(odd)).toEqual({ at: "lobby" });
    }
  });

  it("comes back as it was", () => {
    for (const hash of ["#/t/abc", "#/c/K7QM2", "#/replay", "#/g/abc/3", "#/seat/a.b", "#/"]) expect(href(parse(hash))).toBe(hash);
  });

  it("takes codes as people type them", () => {
    expect(tidyCode(" k7-qm 2 ")).toBe("K7QM2");
  });
});
