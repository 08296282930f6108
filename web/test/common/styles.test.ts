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
});
