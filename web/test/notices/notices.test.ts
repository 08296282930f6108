/** What operators tell a person: what is shown, what was dismissed, and appeals. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SanctionView } from "../../src/net/protocol";
import { sendAppeal } from "../../src/notices/appealApi";
import { announcement, ban, dismissAnnouncement, dismissSanction, forgetNotices, receiveAnnouncement, receiveSanctions, shownAnnouncement, shownSanctions } from "../../src/notices/serverNotices";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const MUTE: SanctionView = { id: 3, kind: "mute", reason: "Insults", made: 1, ends: 100 };
const BAN: SanctionView = { id: 4, kind: "ban", reason: "Cheating", made: 2, ends: null };

beforeEach(() => {
  localStorage.clear();
  forgetNotices();
});

describe("an announcement", () => {
  it("is shown until it ends or is dismissed, also after a reconnect", () => {
    receiveAnnouncement({ type: "announcement", text: "Tonight", at: 1 });
    expect(shownAnnouncement.value?.text).toBe("Tonight");
    dismissAnnouncement(announcement.value!);
    expect(shownAnnouncement.value).toBe(null);
    // The server says it again after each welcome, at another time.
    receiveAnnouncement({ type: "announcement", text: "Tonight", at: 50 });
    expect(shownAnnouncement.value).toBe(null);
    receiveAnnouncement({ type: "announcement", text: "Tomorrow", at: 60 });
    expect(shownAnnouncement.value?.text).toBe("Tomorrow");
    receiveAnnouncement({ type: "announcement", text: "", at: 70 });
    expect(shownAnnouncement.value).toBe(null);
  });
});

describe("sanctions", () => {
  it("are shown until dismissed; with another end they are shown again", () => {
    receiveSanctions({ type: "sanctions", sanctions: [MUTE] });
    expect(shownSanctions.value).toEqual([MUTE]);
    expect(ban.value).toBe(null);
    dismissSanction(MUTE);
    expect(shownSanctions.value).toEqual([]);
    const longer = { ...MUTE, ends: 200 };
    receiveSanctions({ type: "sanctions", sanctions: [longer] });
    expect(shownSanctions.value).toEqual([longer]);
    receiveSanctions({ type: "sanctions", sanctions: [] });
    expect(shownSanctions.value).toEqual([]);
  });

  it("with a ban take the place of the page", () => {
    receiveSanctions({ type: "sanctions", sanctions: [MUTE, BAN], new: 4 });
    expect(ban.value).toEqual(BAN);
    forgetNotices();
    expect(ban.value).toBe(null);
  });
});

describe("an appeal", () => {
  const answering = (status: number, body: string): typeof fetch => (async () => new Response(body, { status })) as typeof fetch;

  it("is taken, or refused with the reason", async () => {
    expect(await sendAppeal(3, "Sorry", answering(200, "{}"))).toBe(null);
    expect(await sendAppeal(3, "Sorry", answering(409, '{"error":"appeal_open"}'))).toBe("appeal_open");
    expect(await sendAppeal(3, "Sorry", answering(502, "<html>"))).toBe("unavailable");
    const down = (async () => Promise.reject(new TypeError("down"))) as typeof fetch;
    expect(await sendAppeal(3, "Sorry", down)).toBe("unreachable");
  });
});
