/** Who wants a rematch. */

import { expect, it } from "vitest";
import { rematchSeats } from "../../src/table/result/RematchCount";
import type { Room } from "../../src/net/roomReducer";

const room = (players: number, asked: readonly number[] | null) =>
  ({ seats: Array(players).fill({ name: "Ann" }), offers: asked ? [{ id: 1, kind: "rematch", seat: 0, asked }] : [] }) as unknown as Room;

it("is the player who asked and those who have agreed", () => {
  expect(rematchSeats(room(4, [1, 2, 3]))).toEqual([0]);
  expect(rematchSeats(room(4, [1]))).toEqual([0, 2, 3]);
});

it("is not counted before anybody asks, nor among two players", () => {
  expect(rematchSeats(room(4, null))).toBeNull();
  expect(rematchSeats(room(2, [1]))).toBeNull();
});
