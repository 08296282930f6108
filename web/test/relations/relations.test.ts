import { describe, expect, it, vi } from "vitest";
import { relations as en } from "../../src/i18n/en/relations";
import { statusText } from "../../src/relations/OnlineBadge";
import { afterChange, relationError } from "../../src/relations/RelationActions";
import { fetchFollowing, type Relation } from "../../src/relations/relationsApi";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const KNOWN: Relation = { followed: true, blocked: false, takes_challenges: true, online: true, table: { room: "r", game: "chess", does: "plays" } };
const answer = (status: number, body: object) => vi.fn().mockResolvedValue(new Response(JSON.stringify(body), { status }));

describe("a relation", () => {
  it("shows nothing of a player who is not followed any more", () => {
    for (const change of ["unfollow", "block"] as const) {
      expect(afterChange(KNOWN, change)).toMatchObject({ followed: false, online: false, table: null });
    }
    expect(afterChange(KNOWN, "block").blocked).toBe(true);
    const apart = { ...KNOWN, followed: false, blocked: true };
    expect(afterChange(apart, "unblock")).toMatchObject({ followed: false, blocked: false });
    expect(afterChange({ ...KNOWN, followed: false }, "follow").followed).toBe(true);
  });

  it("says why a change was refused", () => {
    expect(relationError(en, { error: "follow_refused" })).toBe(en.errors.follow_refused);
    expect(relationError(en, { error: "unavailable" })).toBe(en.errors.other);
  });
});

describe("the status of a player", () => {
  it("is in words", () => {
    expect(statusText({ online: false, table: null }, en)).toBe("Offline");
    expect(statusText({ online: true, table: null }, en)).toBe("Online");
  });

  it("is not known without an answer", async () => {
    expect(await fetchFollowing(answer(401, { error: "not_signed_in" }))).toBeNull();
    expect(await fetchFollowing(vi.fn().mockRejectedValue(new Error("offline")))).toBeNull();
    const followed = [{ name: "Bo", since: 1, online: false, table: null }];
    expect(await fetchFollowing(answer(200, { followed }))).toEqual(followed);
  });
});
