/** Generated portraits. */

import { describe, expect, it } from "vitest";
import { avatarOf } from "../../src/common/Avatar";

const looks = (name: string) => JSON.stringify(avatarOf(name));

describe("a portrait", () => {
  it("follows from the name alone", () => {
    expect(looks("阿哲")).toBe(looks("阿哲"));
    expect(looks("Zoë")).toBe(looks("Zoe\u0308"));
  });

  it("differs between the bots of a table", () => {
    for (const bot of ["Casual", "Beginner", "同好", "新手", "Expert"]) {
      const portraits = [1, 2, 3].map((number) => avatarOf(`${bot} ${number}`));
      expect(new Set(portraits.map(({ ground }) => ground)).size, bot).toBe(3);
      expect(new Set(portraits.map(({ motif }) => motif)).size, bot).toBe(3);
    }
  });

  it("uses all looks about equally", () => {
    const counts = new Map<string, number>();
    for (let number = 0; number < 12_800; number++) counts.set(looks(`Finch ${number}`), (counts.get(looks(`Finch ${number}`)) ?? 0) + 1);
    expect(counts.size).toBe(128);
    expect(Math.max(...counts.values())).toBeLessThan(200);
    expect(Math.min(...counts.values())).toBeGreaterThan(40);
  });
});
