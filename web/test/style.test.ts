/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";

const SHEETS = import.meta.glob<string>("../src/**/*.css", { query: "?raw", import: "default", eager: true });
/** What the graphics card changes alone, without the page being laid out or painted again. */
const CHEAP = new Set(["opacity", "transform", "translate", "scale", "rotate"]);

const SOURCES = Object.entries(SHEETS).map(([path, text]) => [path, text.replace(/\/\*[^]*?\*\//g, "")] as const);

describe("what moves", () => {
  it("is found by this test", () => {
    expect(SOURCES.length).toBeGreaterThan(10);
    expect(SOURCES.filter(([, text]) => text.includes("@keyframes")).length).toBeGreaterThan(3);
  });

  it("is moved by opacity and transform only, sixty times a second", () => {
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
