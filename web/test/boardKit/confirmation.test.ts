/** Moves that wait for confirmation. */

import { afterEach, expect, it } from "vitest";
import { playOrDraft } from "../../src/boardKit/tapConfirmation";
import { confirmMoves } from "../../src/settings/boardSettings";

interface Move {
  cell: number;
}

function scene(draft: Move | null) {
  const done: string[] = [];
  return {
    draft,
    setDraft: (move: Move | null) => void done.push(`draft ${move?.cell}`),
    play: (move: Move) => void done.push(`play ${move.cell}`),
    done,
  };
}

afterEach(() => void (confirmMoves.value = false));

it("a move is played at once unless the user confirms moves", () => {
  const table = scene(null);
  playOrDraft(table, { cell: 4 });
  expect(table.done).toEqual(["play 4"]);
});

it("with the setting a move is a draft first, and the same move again is played", () => {
  confirmMoves.value = true;
  const first = scene(null);
  playOrDraft(first, { cell: 4 });
  expect(first.done).toEqual(["draft 4"]);
  const second = scene({ cell: 4 });
  playOrDraft(second, { cell: 4 });
  expect(second.done).toEqual(["play 4"]);
});

it("another choice becomes the draft instead", () => {
  confirmMoves.value = true;
  const table = scene({ cell: 4 });
  playOrDraft(table, { cell: 5 });
  expect(table.done).toEqual(["draft 5"]);
});
