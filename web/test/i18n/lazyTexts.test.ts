/** Texts that are loaded with a part of the page. */

import { expect, it } from "vitest";
import { setLanguage } from "../../src/i18n/language";
import { lazyTexts } from "../../src/i18n/lazyTexts";

const settled = () => new Promise((done) => setTimeout(done));

it("are in the language of the page, and follow it", async () => {
  await setLanguage("en");
  const texts = await lazyTexts({ "./texts/en.ts": async () => "Board", "./texts/zh-hant.ts": async () => "棋盤", "../i18n/zh-hans/settings.ts": async () => "棋盘" });
  expect(texts.value).toBe("Board");
  await setLanguage("zh-Hans");
  await settled();
  expect(texts.value).toBe("棋盘");
  await setLanguage("en");
  await settled();
  expect(texts.value).toBe("Board");
});

it("do not go back to a language that was left while it was loading", async () => {
  await setLanguage("en");
  let arrive: (text: string) => void = () => undefined;
  const slow = new Promise<string>((done) => (arrive = done));
  const texts = await lazyTexts({ "en.ts": async () => "Board", "zh-hant.ts": () => slow });
  await setLanguage("zh-Hant");
  await setLanguage("en");
  arrive("棋盤");
  await settled();
  expect(texts.value).toBe("Board");
});
