/** The page of operators: its addresses, requests, and what entries of the log mean. */

import { describe, expect, it, vi } from "vitest";
import { href, parseRoute, sharedRoute } from "../../src/app/route";
import { operator as en } from "../../src/i18n/en/operator";
import { endOf, entryText, isRange, isUndoable, timeOf } from "../../src/operator/entries";
import { act, isFailure, operatorPath, read } from "../../src/operator/operatorApi";
import type { LogEntry } from "../../src/operator/operatorTypes";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const ENTRY: LogEntry = {
  number: 7,
  at: 1,
  by: null,
  user: "",
  via: "page",
  act: "impose",
  reason: "",
  person: null,
  network: "",
  room: "",
  report: null,
  sanction: 7,
  invitation: null,
  before: "",
  after: "mute",
  undoes: null,
  undone_by: null,
};

describe("addresses of the page", () => {
  it("name a view, and what it shows", () => {
    expect(parseRoute("#/operator")).toEqual({ at: "operator", view: "reports", id: "" });
    expect(parseRoute("#/operator/log")).toEqual({ at: "operator", view: "log", id: "" });
    expect(parseRoute("#/operator/people/fypkkqjdm2l74fhh")).toEqual({ at: "operator", view: "people", id: "fypkkqjdm2l74fhh" });
    for (const wrong of ["#/operator/secrets", "#/operator/reports/1/2", "#/operator/people/a b", "#/operator/constructor"]) expect(parseRoute(wrong)).toEqual({ at: "nowhere" });
    expect(href({ at: "operator", view: "reports", id: "12" })).toBe("#/operator/reports/12");
    expect(href({ at: "operator", view: "log", id: "" })).toBe("#/operator/log");
  });

  it("work as a path too", () => {
    expect(sharedRoute("/operator")).toEqual({ at: "operator", view: "reports", id: "" });
    expect(sharedRoute("/operator/log")).toEqual({ at: "operator", view: "log", id: "" });
  });
});

describe("requests", () => {
  const answering = (status: number, body: string): typeof fetch => (async () => new Response(body, { status })) as typeof fetch;

  it("leave out what is not set", () => {
    expect(operatorPath("/reports", { state: "open", kind: "", before: null, limit: 20 })).toBe("/api/operator/reports?state=open&limit=20");
    expect(operatorPath("/log")).toBe("/api/operator/log");
  });

  it("tell a refusal, a page that is not there, and a server that does not answer", async () => {
    expect(await act("/sanctions", {}, answering(422, '{"error":"bad_network","about":"too wide"}'))).toEqual({ error: "bad_network", about: "too wide" });
    expect(await read("", {}, answering(404, "Not Found"))).toEqual({ error: "not_found" });
    expect(await read("", {}, answering(502, "<html>"))).toEqual({ error: "unavailable" });
    const down = (async () => Promise.reject(new TypeError("down"))) as typeof fetch;
    expect(await read("", {}, down)).toEqual({ error: "unreachable" });
    expect(isFailure(await read("", {}, answering(200, '{"person":"p"}')))).toBe(false);
  });
});

describe("an entry of the log", () => {
  it("can be undone once, unless it undoes another or nothing can undo it", () => {
    expect(isUndoable(ENTRY, "moderator")).toBe(true);
    expect(isUndoable({ ...ENTRY, undone_by: 9 }, "operator")).toBe(false);
    expect(isUndoable({ ...ENTRY, undoes: 3 }, "operator")).toBe(false);
    expect(isUndoable({ ...ENTRY, act: "close_table" }, "operator")).toBe(false);
    expect(isUndoable({ ...ENTRY, act: "revoke_invitation" }, "operator")).toBe(false);
  });

  it("can be undone by a moderator only if a moderator could have done it", () => {
    expect(isUndoable({ ...ENTRY, act: "rename" }, "moderator")).toBe(false);
    expect(isUndoable({ ...ENTRY, act: "rename" }, "operator")).toBe(true);
    expect(isUndoable({ ...ENTRY, network: "192.0.2.0/24" }, "moderator")).toBe(false);
    expect(isUndoable({ ...ENTRY, network: "192.0.2.7/32" }, "moderator")).toBe(true);
    expect(isUndoable({ ...ENTRY, person: { person: "p", name: "Olga", account: true, role: "operator" } }, "moderator")).toBe(false);
  });

  it("says what was done, with the values that changed", () => {
    expect(entryText(ENTRY, en)).toBe("Sanction imposed: Mute");
    expect(entryText({ ...ENTRY, act: "lift", before: "ban", after: "" }, en)).toBe("Sanction lifted: Ban");
    expect(entryText({ ...ENTRY, act: "rename", before: "Bad", after: "Good" }, en)).toBe("Renamed: Bad → Good");
    expect(entryText({ ...ENTRY, act: "set_registrations", before: "", after: "closed" }, en)).toBe("Registrations: Open → Closed");
    expect(entryText({ ...ENTRY, act: "announce", after: '{"text":"Tonight","ends":5}' }, en)).toBe("Server notice: Tonight");
    expect(entryText({ ...ENTRY, act: "assign_report", after: "abcdefgh" }, en)).toBe("Report assigned");
    // An act of a newer server.
    expect(entryText({ ...ENTRY, act: "something_new" as "impose", after: "" }, en)).toBe("something_new");
  });
});

describe("times and networks", () => {
  it("end after some hours, or never", () => {
    expect(endOf(24, 1_000)).toBe(86_401_000);
    expect(endOf(0, 1_000)).toBe(null);
    expect(timeOf("")).toBe(null);
    expect(timeOf("2026-13-45T99:00")).toBe(null);
    expect(timeOf("2026-11-19T12:00")).toBe(new Date(2026, 10, 19, 12).getTime());
  });

  it("are ranges if more than one client can have them", () => {
    expect(["192.0.2.0/24", "2001:db8::/48", "10.0.0.0/8"].map(isRange)).toEqual([true, true, true]);
    expect(["192.0.2.7/32", "2001:db8::/64", ""].map(isRange)).toEqual([false, false, false]);
  });
});
