import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ChallengeMade } from "../../src/net/protocol";
import { blockedNames, onRelationNotice, openChallenges, resetRelations } from "../../src/net/relationState";
import { isHidden } from "../../src/table/chat/mutedPlayers";

const told = vi.hoisted(() => vi.fn());
vi.mock("../../src/relations/tellChallenge", () => ({ tellChallenge: told }));

const challenge = (room: string, more: Partial<ChallengeMade> = {}): ChallengeMade => ({ type: "challenge", room, name: "Bo", game: "chess", options: {}, expires: 9, ...more }) as ChallengeMade;

describe("open challenges", () => {
  beforeEach(async () => {
    await import("../../src/relations/tellChallenge");
    resetRelations();
    told.mockClear();
  });

  it("are added, replaced and ended by room", async () => {
    const apply = async (notice: Parameters<typeof onRelationNotice>[0]) => {
      const before = told.mock.calls.length;
      onRelationNotice(notice);
      await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(before + 1));
    };
    await apply(challenge("r1"));
    await apply(challenge("r2", { outgoing: true }));
    await apply(challenge("r1", { expires: 12 }));
    expect(openChallenges.value.map(({ room, expires }) => [room, expires])).toEqual([["r2", 9], ["r1", 12]]);
    await apply({ type: "challenge_ended", room: "r2", reason: "declined" });
    expect(openChallenges.value.map(({ room }) => room)).toEqual(["r1"]);
    expect(told.mock.lastCall).toEqual([challenge("r2", { outgoing: true }), { type: "challenge_ended", room: "r2", reason: "declined" }]);
  });

  it("that are not known end silently", async () => {
    onRelationNotice({ type: "challenge_ended", room: "other", reason: "expired" });
    await new Promise((done) => setTimeout(done, 20));
    expect(told).not.toHaveBeenCalled();
  });

  it("are sent again after a welcome", () => {
    onRelationNotice(challenge("r1"));
    onRelationNotice({ type: "blocked", names: ["Eve"] });
    resetRelations();
    expect([openChallenges.value, blockedNames.value]).toEqual([[], []]);
  });
});

describe("lines of blocked players", () => {
  it("are hidden at every table, those of others are not", () => {
    onRelationNotice({ type: "blocked", names: ["Eve"] });
    const line = { at: 1, text: "hello" };
    expect(isHidden({ ...line, name: "Eve", seat: 1 }, "r1")).toBe(true);
    expect(isHidden({ ...line, name: "Eve" }, "r2")).toBe(true);
    expect(isHidden({ ...line, name: "Evelyn", seat: 1 }, "r1")).toBe(false);
    onRelationNotice({ type: "blocked", names: [] });
    expect(isHidden({ ...line, name: "Eve", seat: 1 }, "r1")).toBe(false);
  });
});
