/** Commands that wait for an answer. */

import { describe, expect, it } from "vitest";
import { newNonce, PendingCommands, type PendingCommand } from "../../src/net/pendingCommands";

class Shelf {
  items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
}

const move = (nonce: string, room = "r"): PendingCommand => ({ type: "play", room, move: { do: "next" }, nonce });

describe("pending commands", () => {
  it("are kept until they are answered", () => {
    const box = new PendingCommands(new Shelf());
    box.add(move("a"));
    expect(box.settle("b")).toBeUndefined();
    expect(box.settle(undefined)).toBeUndefined();
    expect(box.settle("a")).toEqual(move("a"));
    expect(box.list.value).toEqual([]);
  });

  it("survive a reload, but expire", () => {
    const shelf = new Shelf();
    new PendingCommands(shelf, () => 0).add(move("a"));
    expect(new PendingCommands(shelf, () => 1_000).list.value).toEqual([move("a")]);
    expect(new PendingCommands(shelf, () => 3_600_000).list.value).toEqual([]);
  });

  it("ignore a damaged storage", () => {
    const shelf = new Shelf();
    shelf.setItem("qipai.pending", "{");
    expect(new PendingCommands(shelf).list.value).toEqual([]);
  });

  it("are no more than the server would recognise", () => {
    const box = new PendingCommands(new Shelf());
    for (let number = 0; number < 12; number++) box.add(move(`${number}`));
    expect(box.list.value.map((one) => one.nonce)).toEqual(["4", "5", "6", "7", "8", "9", "10", "11"]);
  });

  it("are dropped with their table", () => {
    const box = new PendingCommands(new Shelf());
    box.add(move("a", "r"));
    box.add(move("b", "s"));
    box.drop("r");
    expect(box.list.value.map((one) => one.nonce)).toEqual(["b"]);
  });

  it("have nonces that the server accepts", () => {
    const made = new Set(Array.from({ length: 100 }, newNonce));
    expect(made.size).toBe(100);
    for (const nonce of made) expect(nonce).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });
});
