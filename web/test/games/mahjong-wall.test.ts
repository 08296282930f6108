/** Keystream, SHA-256 and the verification of a wall. */

import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { bytesFromHex, hexFromBytes, keystreamBytes, shuffledNumbers } from "../../src/fairness/randomness";
import { verifyWall } from "../../src/games/mahjong/scoring/verifyWall";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
/** The server's result for this seed. */
const WALL = [
  55, 2, 97, 138, 69, 133, 117, 51, 121, 25, 95, 65, 40, 77, 67, 131, 31, 13, 128, 132, 26, 35, 43, 142,
  92, 81, 14, 85, 72, 87, 101, 124, 64, 115, 129, 139, 75, 63, 60, 27, 49, 91, 84, 86, 118, 126, 5, 111,
  89, 68, 102, 38, 122, 100, 130, 16, 66, 140, 9, 70, 80, 37, 30, 106, 114, 53, 141, 45, 20, 90, 123, 137,
  58, 94, 103, 57, 46, 99, 93, 79, 22, 110, 8, 6, 47, 33, 17, 29, 119, 113, 112, 105, 41, 120, 7, 71,
  28, 50, 62, 15, 136, 134, 109, 108, 82, 39, 11, 36, 52, 32, 96, 98, 12, 143, 10, 19, 0, 21, 107, 74,
  42, 88, 104, 56, 59, 23, 48, 24, 54, 76, 83, 61, 1, 135, 44, 3, 116, 34, 4, 18, 125, 127, 78, 73,
];

/** A block of the keystream as the words of the RFC. */
const words = (block: Uint8Array) =>
  Array.from({ length: 16 }, (_, word) => new DataView(block.buffer).getUint32(4 * word, true).toString(16).padStart(8, "0")).join(" ");

describe("the keystream", () => {
  it("is that of RFC 8439, section 2.3.2", () => {
    expect(words(keystreamBytes(bytesFromHex(SEED), 1, 64, bytesFromHex("000000090000004a00000000")))).toBe(
      "e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3 " +
        "466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2",
    );
  });

  it("is that of RFC 8439, appendix A.1, for a key of zeros", () => {
    expect(words(keystreamBytes(new Uint8Array(32), 0, 64))).toBe(
      "ade0b876 903df1a0 e56a5d40 28bd8653 b819d2bd 1aed8da0 ccef36a8 c70d778b " +
        "7c5941da 8d485751 3fe02477 374ad8b8 f4b8436a 1ca11815 69b687c3 8665eeb2",
    );
  });
});

describe("SHA-256", () => {
  it("is that of Web Crypto", async () => {
    for (const length of [0, 3, 32, 55, 56, 64, 200]) {
      const bytes = Uint8Array.from({ length }, (_, place) => (7 * place) % 256);
      expect(hexFromBytes(sha256(bytes))).toBe(hexFromBytes(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
    }
  });

  it("gives the known answer", () => {
    expect(hexFromBytes(sha256(new TextEncoder().encode("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("the wall", () => {
  it("is shuffled as the server shuffles it", () => {
    expect(shuffledNumbers(bytesFromHex(SEED), 144)).toEqual(WALL);
  });

  it("is verified by seed and commitment", () => {
    expect(verifyWall({ seed: SEED, commitmentAtDeal: COMMITMENT, commitment: COMMITMENT, wall: WALL })).toEqual({ commitmentMatches: true, commitmentSeen: true, wallMatches: true });
  });

  it("is verified with a reservation if the page did not see the commitment at the deal", () => {
    expect(verifyWall({ seed: SEED, commitmentAtDeal: "", commitment: COMMITMENT, wall: WALL })).toEqual({ commitmentMatches: true, commitmentSeen: false, wallMatches: true });
  });

  it("is not verified with another commitment", () => {
    expect(verifyWall({ seed: SEED, commitmentAtDeal: "00" + COMMITMENT.slice(2), commitment: COMMITMENT, wall: WALL })).toMatchObject({ commitmentMatches: false });
    expect(verifyWall({ seed: SEED, commitmentAtDeal: COMMITMENT, commitment: "00" + COMMITMENT.slice(2), wall: WALL })).toMatchObject({ commitmentMatches: false });
  });

  it("is not verified when two tiles are swapped", () => {
    const [first, second, ...rest] = WALL;
    expect(verifyWall({ seed: SEED, commitmentAtDeal: COMMITMENT, commitment: COMMITMENT, wall: [second!, first!, ...rest] })).toMatchObject({ wallMatches: false });
    expect(verifyWall({ seed: "", commitmentAtDeal: "", commitment: "", wall: [] })).toMatchObject({ commitmentMatches: false, wallMatches: false });
  });
});
