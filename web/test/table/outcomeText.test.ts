/** Sentences about the end of a game. */

import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../../src/i18n/language";
import type { Notice, RoomView, Seat } from "../../src/net/protocol";
import { EMPTY_STATE, reduce } from "../../src/net/store";
import { outcomeText, outcomeTitle } from "../../src/table/result/outcomeText";

const view = (seats: RoomView["seats"], more: Partial<RoomView> = {}): RoomView => ({
  id: "r", code: "1", game: "chess", options: {}, table: {}, phase: "playing", seats, match: 1, commitment: "c", ...more,
});
const shown = (room: RoomView): Notice => ({ type: "room", room, version: 1, at: 0, you: null });
const over = (winners: readonly Seat[], reason: string, version = 2): Notice => ({
  type: "events", room: "r", version, at: 0, to_act: [], events: [{ e: "game_over", winners, reason, seed: "" }],
});
const left = (seat: Seat, version = 3): Notice => ({
  type: "events", room: "r", version, at: 0, to_act: [], events: [{ e: "seat_left", seat }],
});
const after = (...notices: readonly Notice[]) => notices.reduce((state, notice) => reduce(state, notice).state, EMPTY_STATE).tables["r"]!.room;

const PAIR = [{ name: "Ada" }, { name: "Bo" }];
const BOTS = [{ name: "Ada" }, ...Array.from({ length: 3 }, () => ({ name: "easy", bot: "easy" }))];

describe("the end of a game", () => {
  afterEach(() => setLanguage("en"));

  it("is told to the winner, the loser and spectators", () => {
    const room = after(shown(view(PAIR)), over([0], "time"));
    expect([0, 1, null].map((you) => outcomeTitle(room, you))).toEqual(["You won on time", "You lost on time", "Ada won on time"]);
    expect([0, 1, null].map((you) => outcomeText(room, you))).toEqual(["You won on time", "Ada won on time", "Ada won on time"]);
    expect(outcomeTitle(after(shown(view(PAIR)), over([], "agreed")), 1)).toBe("Draw by agreement");
  });

  it("names a resignation the same way for both players", async () => {
    await setLanguage("zh-Hant");
    const room = after(shown(view(PAIR)), over([0], "resigned"));
    expect([0, 1].map((you) => outcomeTitle(room, you))).toEqual(["你贏了（認輸）", "你輸了（認輸）"]);
  });

  it("keeps the names of players who have left, also when the room is sent again", () => {
    const room = after(shown(view(PAIR)), over([0], "time"), left(0));
    expect(outcomeText(room, 1)).toBe("Ada won on time");
    const again = view([null, { name: "Bo" }], { phase: "over", result: { winners: [0], reason: "time" } });
    expect(outcomeText(after(shown(view(PAIR)), over([0], "time"), left(0), shown(again)), 1)).toBe("Ada won on time");
    // A page that was opened later does not know the name.
    expect([1, null].map((you) => outcomeText(after(shown(again)), you))).toEqual(["You lost on time", "Game over"]);
  });

  it("is early if a person gives up and only bots of a larger table are left to win", () => {
    const titles = ([1, 2, 3] as const).map((count) => outcomeTitle(after(shown(view(BOTS)), over([1, 2, 3].slice(0, count), "left")), 0));
    expect(new Set(titles)).toEqual(new Set(["Game ended early"]));
    expect(outcomeTitle(after(shown(view(BOTS.slice(0, 2))), over([1], "left")), 0)).toBe("You lost by forfeit");
    expect(outcomeText(after(shown(view(BOTS)), over([1], "finished")), 0)).toContain("Novice 1 won");
  });
});
