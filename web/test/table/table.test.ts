/** Absent players, table rules and muting. */

import { afterEach, describe, expect, it } from "vitest";
import { absentPlayers, absenceText } from "../../src/table/absentPlayers";
import { tableRulesOf } from "../../src/table/tableRules";
import { setLanguage } from "../../src/i18n/language";
import { nameOf, loadMuted, authorKey, withToggled, type MutedPlayers } from "../../src/table/chat/mutedPlayers";
import { completeRoom } from "../../src/net/roomReducer";
import { ABSENCE, type SeatView, type TableRulesView } from "../../src/net/protocol";

const NOW = 1_000_000;
const away = (more: Partial<SeatView> = {}): SeatView => ({ name: "Bo", disconnected: true, disconnected_at: NOW, ...more });
const table = (rules: TableRulesView, bo: SeatView) =>
  completeRoom({
    id: "r", code: "1", game: "chess", options: {}, table: rules, phase: "playing",
    seats: [{ name: "Ada" }, bo], match: 1, commitment: "c",
  });

describe("a disconnected player", () => {
  afterEach(() => setLanguage("en"));

  it("forfeits, is waited for, or is replaced by a bot, and the page says so", async () => {
    const said = (rules: TableRulesView, bo: SeatView, now: number) => absenceText(table(rules, bo), 1, now).replace(/\u00a0/g, " ");
    expect(said({}, away({ forfeits_at: NOW + 43_000 }), NOW)).toBe("Bo disconnected and forfeits in 43 s.");
    expect(said({ disconnect_timeout: 0 }, away(), NOW)).toBe("Bo disconnected. The game waits.");
    expect(said({ substitute_bot: "easy" }, away(), NOW + ABSENCE - 5_000)).toBe("Bo disconnected. Novice takes over in 5 s.");
    expect(said({ substitute_bot: "easy" }, away(), NOW + ABSENCE)).toBe("Bo disconnected. Novice plays on until they reconnect.");
    await setLanguage("zh-Hant");
    expect(said({}, away({ forfeits_at: NOW + 43_000 }), NOW)).toBe("Bo 斷線了，43 秒後判負。");
  });

  it("is shown only during a game, and never for bots", () => {
    expect(absentPlayers(table({}, away()))).toEqual([1]);
    expect(absentPlayers(table({}, away({ bot: "easy" })))).toEqual([]);
    expect(absentPlayers({ ...table({}, away()), phase: "over" })).toEqual([]);
  });
});

describe("the table rules", () => {
  it("have defaults", () => {
    const usual = { listed: true, spectators: true, forfeitAfter: 60, spectatorDelay: 0, undoAllowed: true, seesHiddenAllowed: false, substituteBot: "" };
    expect(tableRulesOf({})).toEqual(usual);
    expect(tableRulesOf({ public: false, undo_allowed: false, spectator_delay: 30 })).toEqual({ ...usual, listed: false, undoAllowed: false, spectatorDelay: 30 });
  });
});

describe("muting", () => {
  it("distinguishes a player from a spectator of the same name", () => {
    expect(authorKey({ seat: 0, name: "Bo B" })).not.toBe(authorKey({ name: "Bo B" }));
    expect([authorKey({ seat: 0, name: "Bo B" }), authorKey({ name: "Bo B" })].map(nameOf)).toEqual(["Bo B", "Bo B"]);
  });

  it("applies to one table, and can be undone", () => {
    const once = withToggled({}, "r", "0 Bo");
    expect(once).toEqual({ r: ["0 Bo"] });
    expect(withToggled(withToggled(once, "s", "- Cy"), "r", "0 Bo")).toEqual({ s: ["- Cy"] });
  });

  it("drops the oldest tables, and ignores a damaged storage", () => {
    let muted: MutedPlayers = {};
    for (let number = 0; number < 100; number++) muted = withToggled(muted, `room${number}`, "0 Bo");
    expect(Object.keys(muted)).toHaveLength(30);
    expect(muted).toHaveProperty("room99");
    for (const text of ["{", "null", "3"]) expect(loadMuted({ getItem: () => text, setItem: () => undefined })).toEqual({});
  });
});
