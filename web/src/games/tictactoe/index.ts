/** Tic-tac-toe on the table page. */

import type { GameParts, Scene, Status } from "../game";
import { remaining } from "../../time";
import { Board } from "./board";
import { Motif } from "./motif";
import { symbolOf } from "./position";
import { Badge, Emblem, Score } from "./signs";
import "./tictactoe.css";

export const tictactoe: GameParts<"tictactoe"> = {
  Board,
  Badge,
  Score,
  Emblem,
  Motif,
  hasChance: () => true,
  redraw: () => import("./drawing").then(({ redraw }) => redraw),
  drawing: () => import("./drawing").then(({ drawing }) => drawing),
  tools: [],
  offers: () => [],
  heading: (position, words) => words.tictactoe.round(position.round + 1),
  tone: (event) => (event.e === "marked" ? "move" : null),
  status,
  announce: (event, { position, words, nameAt, you }) => {
    if (position === null) return null;
    const text = words.tictactoe;
    switch (event.e) {
      case "marked":
        return `${symbolOf(position, event.seat)}: ${text.cell(Math.floor(event.cell / 3) + 1, (event.cell % 3) + 1)}`;
      case "round_over":
        if (event.winner === null) return text.draw;
        return event.winner === you ? text.youWin : text.wins(nameAt(event.winner));
      case "round_began":
        return event.first === you ? text.youBegin : text.began(nameAt(event.first));
      default:
        return null;
    }
  },
};

/** Between two rounds: who won it, and a button to go on. */
function status({ room, position, you, words, nameAt, play }: Scene<"tictactoe">): Status | null {
  if (position === null || !position.resting || room.phase !== "playing") return null;
  const text = words.tictactoe;
  const won = position.taken === null ? text.draw : position.taken === you ? text.youWin : text.wins(nameAt(position.taken));
  if (you === null) return { text: won, mine: false };
  const grant = room.clock ? remaining(room.clock, you, room.clock.at).grant : null;
  const until = grant === null || room.clock === null ? null : room.clock.at + grant;
  return { text: won, mine: position.taken === you, button: { label: text.next, press: () => play({ do: "next" }), until } };
}
