import { beforeEach, expect, test, vi } from "vitest";
import { choice, followOtherTabs, setting } from "../../src/settings/setting";

beforeEach(() => localStorage.clear());

test("a setting is remembered, and its first value is not stored", () => {
  const zen = setting("zen", false);
  expect(zen.value).toBe(false);
  zen.value = true;
  expect(localStorage.getItem("qipai.setting.zen")).toBe("true");
  expect(setting("zen", false).value).toBe(true);
  zen.value = false;
  expect(localStorage.getItem("qipai.setting.zen")).toBeNull();
});

test.each(["purple", "{", "3", "null", ""])("a stored value that makes no sense is ignored: %s", (stored) => {
  localStorage.setItem("qipai.setting.theme", stored);
  expect(choice("theme", ["system", "light", "dark"]).value).toBe("system");
});

test("a number outside the allowed range is ignored", () => {
  localStorage.setItem("qipai.setting.volume", "900");
  expect(setting("volume", 70, (value) => Number(value) >= 0 && Number(value) <= 100).value).toBe(70);
});

test("a change in another tab is taken over", () => {
  const theme = choice("theme", ["system", "light", "dark"]);
  const tab = new EventTarget();
  vi.stubGlobal("addEventListener", tab.addEventListener.bind(tab));
  followOtherTabs();
  tab.dispatchEvent(Object.assign(new Event("storage"), { key: "qipai.setting.theme", newValue: '"dark"' }));
  expect(theme.value).toBe("dark");
  tab.dispatchEvent(Object.assign(new Event("storage"), { key: "qipai.setting.theme", newValue: null }));
  expect(theme.value).toBe("system");
});

test("a choice other than the first is an attribute of the root element", () => {
  const attributes = new Map<string, string>();
  const documentElement = { setAttribute: attributes.set.bind(attributes), removeAttribute: attributes.delete.bind(attributes) };
  vi.stubGlobal("document", { documentElement });
  localStorage.setItem("qipai.setting.speed", '"slow"');
  const speed = choice("speed", ["normal", "slow", "fast"]);
  expect([...attributes]).toEqual([["data-speed", "slow"]]);
  speed.value = "fast";
  expect([...attributes]).toEqual([["data-speed", "fast"]]);
  speed.value = "normal";
  expect([...attributes]).toEqual([]);
  vi.stubGlobal("document", undefined);
});
