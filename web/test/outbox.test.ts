import { describe, expect, it } from "vitest";
import { freshNonce, Outbox, type Pending } from "../src/outbox";

class Shelf {
  items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
}

const move = (nonce: string, room = "r"): Pending => ({ type: "play", room, move: { do: "next" }, nonce });

describe("the outbox", () => {
  it("keeps a command until it is answered", () => {
    const box = new Outbox(new Shelf());
    box.add(move("a"));
    expect(box.settle("b")).toBeUndefined();
    expect(box.settle(undefined)).toBeUndefined();
    expect(box.settle("a")).toEqual(move("a"));
    expect(box.list.value).toEqual([]);
  });

  it("survives a reload, but not for ever", () => {
    const shelf = new Shelf();
    new Outbox(shelf, () => 0).add(move("a"));
    expect(new Outbox(shelf, () => 1_000).list.value).toEqual([move("a")]);
    expect(new Outbox(shelf, () => 3_600_000).list.value).toEqual([]);
  });

  it("does not stumble over a broken shelf", () => {
    const shelf = new Shelf();
    shelf.setItem("qipai.pending", "{");
    expect(new Outbox(shelf).list.value).toEqual([]);
  });

  it("keeps no more than the server would recognise", () => {
    const box = new Outbox(new Shelf());
    for (let number = 0; number < 12; number++) box.add(move(`${number}`));
    expect(box.list.value.map((one) => one.nonce)).toEqual(["4", "5", "6", "7", "8", "9", "10", "11"]);
  });

  it("forgets a table", () => {
    const box = new Outbox(new Shelf());
    box.add(move("a", "r"));
    box.add(move("b", "s"));
    box.drop("r");
    expect(box.list.value.map((one) => one.nonce)).toEqual(["b"]);
  });

  it("makes nonces that the server takes", () => {
    const made = new Set(Array.from({ length: 100 }, freshNonce));
    expect(made.size).toBe(100);
    for (const nonce of made) expect(nonce).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });
});
