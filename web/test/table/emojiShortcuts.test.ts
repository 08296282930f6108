/** Emoji shortcuts in chat. */

import { describe, expect, it } from "vitest";
import { SHORTCUTS, replaceShortcuts } from "../../src/table/chat/emojiShortcuts";
import { CASES, TestRandom } from "../testRandom";

const PLAIN = [..."abcdefgh 一二三，。!?.\n"];
const ADDRESSES = ["http://a.b/:)", "https://x.y/:D?q=<3", "HTTP://A.B/XD", "ftp://h/:/B)", "web+x://:-(", "qipai://xD"];

describe("Property 16: Emoji Conversion", () => {
  it("replaces every shortcut in any text, the longest first", () => {
    const random = new TestRandom(16);
    for (let number = 0; number < CASES; number++) {
      const parts = Array.from({ length: random.below(8) }, () => ({
        before: `${random.text(PLAIN, 6)} `,
        shortcut: random.one(SHORTCUTS),
      }));
      const typed = parts.map(({ before, shortcut: [key] }) => before + key).join("");
      const wanted = parts.map(({ before, shortcut: [, face] }) => before + face).join("");
      expect(replaceShortcuts(typed)).toBe(wanted);
    }
  });

  it("leaves no shortcut behind, however they are strung together", () => {
    const random = new TestRandom(161);
    const signs = [...":;()-DPpOo<3*XxD'/@B>"];
    for (let number = 0; number < CASES; number++) {
      const shown = replaceShortcuts(random.text(signs, 24).replaceAll("//", "/ /"));
      expect(SHORTCUTS.filter(([key]) => shown.includes(key))).toEqual([]);
    }
  });

  it("leaves URLs unchanged", () => {
    const random = new TestRandom(162);
    for (let number = 0; number < CASES; number++) {
      const [address, [key, face]] = [random.one(ADDRESSES), random.one(SHORTCUTS)];
      const texts = random.text(PLAIN, 6);
      expect(replaceShortcuts(`${texts} ${address} ${key}`)).toBe(`${texts} ${address} ${face}`);
    }
  });

  it("knows every shortcut", () => {
    const typed = ":) :-) :( :-( :D :-D ;) ;-) :P :-P :p :-p :O :-O :o :-o <3 :* :-* XD xD :'( :'-( :/ :-/ O:) O:-) >:( >:-( :@ B) B-)";
    const shown = "😊 😊 😢 😢 😄 😄 😉 😉 😛 😛 😛 😛 😮 😮 😮 😮 ❤️ 😘 😘 😆 😆 😭 😭 😕 😕 😇 😇 😠 😠 😡 😎 😎";
    expect(replaceShortcuts(typed)).toBe(shown);
    expect(SHORTCUTS).toHaveLength(typed.split(" ").length);
  });

  it("changes nothing else", () => {
    for (const text of ["", "hello", "a : b", "3 > 2", "<b>", "12:30", "😊"]) expect(replaceShortcuts(text)).toBe(text);
  });
});
