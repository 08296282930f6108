/// <reference types="vite/client" />
/** Animations in the style sheets. */

import { describe, expect, it } from "vitest";

const SHEETS = import.meta.glob<string>("../../src/**/*.css", { query: "?raw", import: "default", eager: true });
/** Properties that are animated without layout or paint. */
const CHEAP = new Set(["opacity", "transform", "translate", "scale", "rotate"]);

const SOURCES = Object.entries(SHEETS).map(([path, text]) => [path, text.replace(/\/\*[^]*?\*\//g, "")] as const);

describe("animations", () => {
  it("are found by this test", () => {
    expect(SOURCES.length).toBeGreaterThan(10);
    expect(SOURCES.filter(([, text]) => text.includes("@keyframes")).length).toBeGreaterThan(3);
  });

  it("change opacity and transform only", () => {
    for (const [path, text] of SOURCES) {
      for (const [, name, body] of text.matchAll(/@keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)/g)) {
        const moved = [...body!.matchAll(/([\w-]+)\s*:/g)].map(([, property]) => property!);
        expect(moved.filter((property) => !CHEAP.has(property)), `${path} ${name}`).toEqual([]);
      }
      for (const [, value] of text.matchAll(/[{;]\s*transition\s*:\s*([^;}]*)/g)) {
        const moved = value!.split(",").map((one) => one.trim().split(/\s+/)[0]!);
        expect(moved.filter((property) => !CHEAP.has(property) && property !== "none"), path).toEqual([]);
      }
    }
  });

  it("follow the speed that the user has chosen", () => {
    for (const [path, text] of SOURCES) {
      for (const [, value] of text.matchAll(/[{;]\s*(?:animation|transition|animation-duration|transition-duration)\s*:\s*([^;}]*)/g)) {
        if (value!.includes("!important")) continue;
        // Each one begins with its duration; a delay after it may be a wait that is no animation.
        for (const one of value!.split(/,(?![^(]*\))/)) {
          const durations = one.match(/[\d.]+m?s\b/g) ?? [];
          if (durations.length > 0) expect(one, path).toContain("calc(var(--pace) * ");
        }
      }
    }
  });
});

describe("colours", () => {
  it("have both values in one place, so that a chosen theme changes all of them", () => {
    for (const [path, text] of SOURCES) expect(text, path).not.toContain("prefers-color-scheme");
  });
});
