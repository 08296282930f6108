/** What tic-tac-toe provides to the page. */

import type { OwnGameParts, Scene, Status } from "../gameInterface";
import { remaining } from "../../net/serverTime";
import { Board } from "./Board";
import { LobbyPicture } from "./LobbyPicture";
import { symbolOf } from "./position";
import { Badge, Icon, Score } from "./PlayerBadge";
import "./tictactoe.css";

export const game: OwnGameParts<"tictactoe"> = {
  order: 9,
  Board,
  Badge,
  Score,
  Icon,
  LobbyPicture,
  usesRandomness: () => true,
  drawVerification: { rules: 1, load: () => import("./boardDrawing").then(({ verifyGame }) => verifyGame) },
  boardDrawing: () => import("./boardDrawing").then(({ boardDrawing }) => boardDrawing),
  offerKinds: [],
  possibleOffers: () => [],
  hasMoves: ({ board, round }) => round > 0 || /[XO]/.test(board),
  heading: (position, texts) => texts.games.tictactoe.round(position.round + 1),
  tone: (event) => (event.e === "marked" ? "move" : null),
  sounds: () => import("./sounds").then(({ sounds }) => sounds),
  status,
  announce: (event, { position, texts, nameAt, you }) => {
    if (position === null) return null;
    const text = texts.games.tictactoe;
    switch (event.e) {
      case "marked":
        return texts.punctuation.labelled(symbolOf(position, event.seat), text.cell(Math.floor(event.cell / 3) + 1, (event.cell % 3) + 1));
      case "round_over":
        if (event.winner === null) return text.draw;
        return event.winner === you ? text.youWin : text.wins(nameAt(event.winner));
      case "round_started":
        return event.first === you ? text.youBegin : text.began(nameAt(event.first));
      default:
        return null;
    }
  },
};

/** Status between two rounds: the winner, and a button to continue. */
function status({ room, position, you, texts, nameAt, play }: Scene<"tictactoe">): Status | null {
  if (position === null || !position.resting || room.phase !== "playing") return null;
  const text = texts.games.tictactoe;
  const won = position.taken === null ? text.draw : position.taken === you ? text.youWin : text.wins(nameAt(position.taken));
  if (you === null) return { text: won, mine: false };
  const grant = room.clock ? remaining(room.clock, you, room.clock.at).grant : null;
  const until = grant === null || room.clock === null ? null : room.clock.at + grant;
  return { text: won, mine: position.taken === you, button: { label: text.next, press: () => play({ do: "next" }), until } };
}
