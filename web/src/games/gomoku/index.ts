/** Gomoku on the table page. */

import type { GameParts, Status } from "../game";
import { Board } from "./board";
import { pageOf, type GomokuScene } from "./lookback";
import { Motif } from "./motif";
import { Moves } from "./moves";
import { colourOf, coordinate, SIZE } from "./position";
import { Badge, Emblem, Score } from "./signs";
import "./gomoku.css";

export const gomoku: GameParts<"gomoku"> = {
  Board,
  Badge,
  Score,
  Emblem,
  Motif,
  Moves,
  records: {
    looks: (text) => /^\s*\(\s*;/.test(text),
    reader: () => import("./told").then(({ told }) => told),
  },
  drawing: () => import("./drawing").then(({ drawing }) => drawing),
  written: "sgf",
  hasChance: () => false,
  tools: ["undo", "draw", "swap"],
  offers: (position) => (position.moves.length === 0 ? ["swap"] : ["undo", "draw"]),
  heading: ({ moves }, words) => (moves.length === 0 ? words.gomoku.begins : words.gomoku.stone(moves.length)),
  tone: (event) => (event.e === "placed" ? "move" : null),
  status,
  announce: (event, { position, words, you }) => {
    if (position === null) return null;
    const text = words.gomoku;
    switch (event.e) {
      case "placed":
        return text.placed(colourOf(position, event.seat), coordinate(event.x + SIZE * event.y));
      case "lined":
        return text.five;
      case "undone":
        return text.undone;
      case "swapped":
        return you === null ? text.swapped : `${text.swapped} ${text.youPlay(text[colourOf(position, you)])}`;
      default:
        return null;
    }
  },
};

/** Says that the board shows an earlier position, or where a second tap would place a stone. */
function status(scene: GomokuScene): Status | null {
  const { room, draft, mayMove, words, play, look } = scene;
  const text = words.gomoku;
  const { step, total, earlier, news } = pageOf(scene);
  if (earlier) {
    const label = room.phase === "playing" ? text.live : text.end;
    return { text: text.earlier(step, total, news), mine: false, button: { label, press: () => look(null) } };
  }
  if (draft && mayMove) {
    const where = coordinate(draft.x + SIZE * draft.y);
    return { text: text.tapAgain(where), mine: true, button: { label: text.place(where), press: () => play(draft) } };
  }
  return null;
}
