/** Turns an opened PGN into a game to step through. */

import type { ChessOptions, ChessDiceMode } from "../../../net/protocol";
import type { Problem, OpenedGame, NotationGame } from "../../gameInterface";
import { splitGames, readGame, type PgnGame } from "./pgnReader";
import { moveRecord } from "./moveRecord";

/** Tags that are shown elsewhere or are of no interest. */
const HIDDEN_TAGS = ["White", "Black", "Qipai", "FEN", "SetUp", "Variant"];

/** Return the games of a PGN text. */
export function readPgn(text: string): readonly NotationGame<"chess">[] {
  return splitGames(text).map((leaf) => ({ title: titleOf(leaf), read: () => openGame(leaf) }));
}

function titleOf({ tags }: PgnGame): string {
  const names = `${tags["White"] ?? "?"} – ${tags["Black"] ?? "?"}`;
  return [names, knownValue(tags["Event"]), knownValue(tags["Date"])].filter(Boolean).join(", ");
}

function openGame(leaf: PgnGame): OpenedGame<"chess"> | Problem {
  const game = readGame(leaf);
  if ("message" in game) return game;
  const { moves, sides, rolls, explosions, mines } = game;
  const { tags } = leaf;
  if (moves.length === 0 && rolls.length === 0) return { message: ({ replay }) => replay.errors.empty };
  const options = optionsOf(tags["Qipai"] ?? "");
  const minefield = mines.length > 0 || explosions.length > 0 ? { left: mines.length - explosions.length, explosions, all: mines } : null;
  const last = moveRecord({ moves, sides, minefield }).at(-1)!;
  const turn = last.side === "w" ? 1 : 0;
  const fen = `${last.placement} ${turn === 0 ? "w" : "b"} - - 0 1`;
  return {
    names: [tags["White"] ?? "", tags["Black"] ?? ""].map((name) => knownValue(name) || "?"),
    options,
    position: { white: 0, turn, fen, moves, sides, rolls, minefield, check: last.check },
    total: moves.length,
    winners: { "1-0": [0], "0-1": [1] }[tags["Result"] ?? ""] ?? [],
    headers: Object.entries(tags).filter(
      ([name, value]) => knownValue(value) && !HIDDEN_TAGS.includes(name) && !(name === "Termination" && "Reason" in tags),
    ),
  };
}

/** Return the value of a tag; empty if it is unknown. */
function knownValue(value: string | undefined): string {
  return value === undefined || /^[?.\s*-]*$/.test(value) ? "" : value;
}

/** Return the options from the `Qipai` tag. */
function optionsOf(twists: string): ChessOptions {
  const words = twists.split(" ");
  const after = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const dice = after("dice");
  return {
    dice: (["sequential", "free"].includes(dice) ? dice : "") as ChessDiceMode,
    mines: Number(after("mines")) || 0,
    rerolls: Number(after("rerolls")) || 0,
    fog: words.includes("fog"),
  };
}
