/** Routes in the address. */

import { describe, expect, it } from "vitest";
import { href, parseRoute, normalizeCode, sharedRoute } from "../../src/app/route";

describe("an address", () => {
  it("leads to a table, to a code, to a record, to a finished game, to your games, to the lobby or nowhere", () => {
    expect(parseRoute("#/replay")).toEqual({ at: "replay" });
    expect(parseRoute("#/g/abc-_9/12")).toEqual({ at: "game", room: "abc-_9", match: 12 });
    expect(parseRoute("#/g/abc-_9/12/3")).toEqual({ at: "game", room: "abc-_9", match: 12, hand: 3 });
    expect(parseRoute("#/t/abc-_9")).toEqual({ at: "table", room: "abc-_9" });
    expect(parseRoute("#/seat/a.b_c-9")).toEqual({ at: "seat", ticket: "a.b_c-9" });
    expect(parseRoute("#/c/k7qm2")).toEqual({ at: "code", code: "K7QM2" });
    expect(parseRoute("#/mine")).toEqual({ at: "mine" });
    expect(parseRoute("#/account")).toEqual({ at: "account" });
    expect(parseRoute("#/leaderboards")).toEqual({ at: "leaderboards", category: "" });
    expect(parseRoute("#/leaderboards/chess-blitz")).toEqual({ at: "leaderboards", category: "chess-blitz" });
    expect(parseRoute("#/account/link/a_b-9")).toEqual({ at: "account", link: "a_b-9" });
    expect(parseRoute("#/account/openid/signed_in")).toEqual({ at: "account", outcome: "signed_in" });
    for (const none of ["", "#", "#/"]) expect(parseRoute(none)).toEqual({ at: "lobby" });
    for (const odd of ["#/t/", "#/c/", "#/seat/", "#/seat/<b>", "#/t/<b>", `#/t/${"a".repeat(33)}`, "#main", "#/replay/x", "#/g/abc", "#/g/abc/0", "#/g/abc/x", "#/g/abc/1/0", "#/g/abc/1/x", "#/mine/x", "#/leaderboards/<b>", "#/account/x", "#/account/link", "#/account/link/", "#/account/link/<b>", `#/account/link/${"a".repeat(101)}`, "#/account/link/a/b", "#/account/openid", "#/account/openid/", "#/account/openid/A", "#/account/openid/a/b"]) {
      expect(parseRoute(odd)).toEqual({ at: "nowhere" });
    }
  });

  it("leads to the profile of any name", () => {
    expect(parseRoute("#/@Ada")).toEqual({ at: "profile", name: "Ada" });
    expect(parseRoute("#/@%E5%B0%8F%20%E6%98%8E")).toEqual({ at: "profile", name: "小 明" });
    for (const odd of ["#/@", "#/@%", `#/@${"a".repeat(101)}`, "#/@Ada/x"]) expect(parseRoute(odd)).toEqual({ at: "nowhere" });
    expect(sharedRoute("/@Ada%20L")).toEqual({ at: "profile", name: "Ada L" });
  });

  it("survives a round trip", () => {
    for (const hash of ["#/t/abc", "#/c/K7QM2", "#/replay", "#/g/abc/3", "#/g/abc/3/2", "#/seat/a.b", "#/mine", "#/leaderboards", "#/leaderboards/mahjong-16", "#/account", "#/account/link/a_b-9", "#/account/openid/new", "#/@Ada", "#/@%E5%B0%8F%20%E6%98%8E", "#/@a%2Fb", "#/"]) expect(href(parseRoute(hash))).toBe(hash);
  });

  it("is in the path of a shared link to a table or a finished game, and nowhere else", () => {
    expect(sharedRoute("/t/abc-_9")).toEqual({ at: "table", room: "abc-_9" });
    expect(sharedRoute("/g/abc/12")).toEqual({ at: "game", room: "abc", match: 12 });
    for (const other of ["/", "/t/", "/t/<b>", "/g/abc", "/g/abc/0", "/c/K7QM2", "/seat/a.b", "/account/link/a", "/mine", "/replay", "/docs", "//t/abc"]) {
      expect(sharedRoute(other)).toBeNull();
    }
  });

  it("normalizes typed codes", () => {
    expect(normalizeCode(" k7-qm 2 ")).toBe("K7QM2");
  });
});
