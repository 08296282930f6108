import { describe, expect, it } from "vitest";
import { SHORTCUTS, withEmoji } from "../src/emoji";
import { CASES, Chance } from "./chance";

const PLAIN = [..."abcdefgh 一二三，。!?.\n"];
const ADDRESSES = ["http://a.b/:)", "https://x.y/:D?q=<3", "HTTP://A.B/XD", "ftp://h/:/B)", "web+x://:-(", "qipai://xD"];

describe("Property 16: Emoji Conversion", () => {
  it("replaces every shortcut in any text, the longest first", () => {
    const chance = new Chance(16);
    for (let number = 0; number < CASES; number++) {
      const parts = Array.from({ length: chance.below(8) }, () => ({
        before: `${chance.text(PLAIN, 6)} `,
        shortcut: chance.one(SHORTCUTS),
      }));
      const typed = parts.map(({ before, shortcut: [key] }) => before + key).join("");
      const wanted = parts.map(({ before, shortcut: [, face] }) => before + face).join("");
      expect(withEmoji(typed)).toBe(wanted);
    }
  });

  it("leaves no shortcut behind, however they are strung together", () => {
    const chance = new Chance(161);
    const signs = [...":;()-DPpOo<3*XxD'/@B>"];
    for (let number = 0; number < CASES; number++) {
      const shown = withEmoji(chance.text(signs, 24).replaceAll("//", "/ /"));
      expect(SHORTCUTS.filter(([key]) => shown.includes(key))).toEqual([]);
    }
  });

  it("leaves addresses alone and goes on behind them", () => {
    const chance = new Chance(162);
    for (let number = 0; number < CASES; number++) {
      const [address, [key, face]] = [chance.one(ADDRESSES), chance.one(SHORTCUTS)];
      const words = chance.text(PLAIN, 6);
      expect(withEmoji(`${words} ${address} ${key}`)).toBe(`${words} ${address} ${face}`);
    }
  });

  it("knows the whole table", () => {
    const typed = ":) :-) :( :-( :D :-D ;) ;-) :P :-P :p :-p :O :-O :o :-o <3 :* :-* XD xD :'( :'-( :/ :-/ O:) O:-) >:( >:-( :@ B) B-)";
    const shown = "😊 😊 😢 😢 😄 😄 😉 😉 😛 😛 😛 😛 😮 😮 😮 😮 ❤️ 😘 😘 😆 😆 😭 😭 😕 😕 😇 😇 😠 😠 😡 😎 😎";
    expect(withEmoji(typed)).toBe(shown);
    expect(SHORTCUTS).toHaveLength(typed.split(" ").length);
  });

  it("changes nothing else", () => {
    for (const text of ["", "hello", "a : b", "3 > 2", "<b>", "12:30", "😊"]) expect(withEmoji(text)).toBe(text);
  });
});
