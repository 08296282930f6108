/** Chess on the table page; the board and what needs the rules come later. */

import type { Tone } from "../../sound";
import type { Games, RoomEvent } from "../../wire";
import type { GameParts } from "../game";
import { later } from "../later";
import { Motif } from "./motif";
import { below } from "./outlook";
import { full } from "./position";
import { numbersOf } from "./rolls";
import { announce, statusOf } from "./said";
import { Settings } from "./settings";
import { Badge, Emblem, Score } from "./signs";
import "./pieces.css";

const minutes = (main: number, seconds: number) => ({ main: [main * 60_000], increment: seconds * 1000 });

const part = later(() => import("./table"));

export const chess: GameParts<"chess"> = {
  Board: part(({ Board }) => Board, <div class="chess board chess-waiting" />),
  Moves: part(({ Moves }) => Moves, <section class="moves" />),
  Panel: part(({ Panel }) => Panel, null),
  Badge,
  Score,
  Emblem,
  Motif,
  Settings,
  clocks: [
    null, minutes(1, 0), minutes(3, 2), minutes(5, 0), minutes(10, 0), minutes(15, 10), minutes(30, 20),
  ],
  records: {
    looks: (text) => /^\s*\[\w+\s+"|(^|\s)1\.\s*[a-hNBRQKO0]/.test(text),
    reader: () => import("./told").then(({ told }) => told),
  },
  redraw: () => import("./redraw").then(({ redraw }) => redraw),
  drawing: () => import("./drawing").then(({ drawing }) => drawing),
  written: "pgn",
  sides: ({ chess: text }) => [text.white, text.black],
  below,
  hasChance: ({ dice, mines }) => Boolean(dice || mines),
  hides: ({ fog, mines }) => Boolean(fog || mines),
  tags: ({ dice, fog, mines }, { chess: { tags } }) => [
    ...(dice ? [tags[dice]] : []),
    ...(fog ? [tags.fog] : []),
    ...(mines ? [tags.mines(mines)] : []),
  ],
  tone,
  tools: ["undo", "draw"],
  offers: (position) => {
    const { moves, hand, minefield, fen } = full(position);
    return moves.length > 0 && hand === null && minefield === null && fen ? ["undo", "draw"] : ["draw"];
  },
  heading: (position, { chess: text }) => {
    const game = full(position);
    const last = numbersOf(game).at(-1);
    const where = last === undefined ? text.begins : text.move(last);
    return game.minefield ? `${where} · ${text.minesLeft(game.minefield.left)}` : where;
  },
  status: statusOf,
  announce,
};

/** Only what the reader was told makes a sound, so that ears see no further than eyes. */
function tone(event: RoomEvent | Games["chess"]["event"]): Tone | null {
  switch (event.e) {
    case "moved":
    case "sighted":
      if (event.check) return "check";
      return event.taken ? "capture" : "move";
    case "rolled":
      return "dice";
    case "exploded":
      return "boom";
    default:
      return null;
  }
}
