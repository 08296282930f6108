/** A game of chess that is shown because its record was opened. */

import type { ChessOptions, ChessThrowing } from "../../wire";
import type { Problem, Told, Written } from "../game";
import { leaves, readGame, type Leaf } from "./reader";
import { recordOf } from "./record";

/** What is shown elsewhere, or says nothing to a reader. */
const SILENT = ["White", "Black", "Qipai", "FEN", "SetUp", "Variant"];

/** Return the games of a PGN text. */
export function told(text: string): readonly Written<"chess">[] {
  return leaves(text).map((leaf) => ({ title: titleOf(leaf), read: () => read(leaf) }));
}

function titleOf({ tags }: Leaf): string {
  const names = `${tags["White"] ?? "?"} – ${tags["Black"] ?? "?"}`;
  return [names, known(tags["Event"]), known(tags["Date"])].filter(Boolean).join(", ");
}

function read(leaf: Leaf): Told<"chess"> | Problem {
  const game = readGame(leaf);
  if ("says" in game) return game;
  const { moves, sides, thrown, blasts, mines } = game;
  const { tags } = leaf;
  if (moves.length === 0 && thrown.length === 0) return { says: ({ replay }) => replay.wrong.empty };
  const options = optionsOf(tags["Qipai"] ?? "");
  const minefield = mines.length > 0 || blasts.length > 0 ? { left: mines.length - blasts.length, blasts, all: mines } : null;
  const last = recordOf({ moves, sides, minefield }).at(-1)!;
  const turn = last.side === "w" ? 1 : 0;
  const fen = `${last.placement} ${turn === 0 ? "w" : "b"} - - 0 1`;
  return {
    names: [tags["White"] ?? "", tags["Black"] ?? ""].map((name) => known(name) || "?"),
    options,
    position: { white: 0, turn, fen, moves, sides, thrown, minefield, check: last.check },
    total: moves.length,
    winners: { "1-0": [0], "0-1": [1] }[tags["Result"] ?? ""] ?? [],
    heads: Object.entries(tags).filter(
      ([name, value]) => known(value) && !SILENT.includes(name) && !(name === "Termination" && "Reason" in tags),
    ),
  };
}

/** Return a tag's value, or nothing if it says that it is not known. */
function known(value: string | undefined): string {
  return value === undefined || /^[?.\s*-]*$/.test(value) ? "" : value;
}

/** Return what the head of our own records says about the game. */
function optionsOf(twists: string): ChessOptions {
  const words = twists.split(" ");
  const after = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const dice = after("dice");
  return {
    dice: (["sequential", "free"].includes(dice) ? dice : "") as ChessThrowing,
    mines: Number(after("mines")) || 0,
    rerolls: Number(after("rerolls")) || 0,
    fog: words.includes("fog"),
  };
}
