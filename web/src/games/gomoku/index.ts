/** What gomoku provides to the page. */

import type { OwnGameParts, Status } from "../gameInterface";
import { earlierStatus } from "../../boardKit/moveNavigation";
import { Board } from "./board/Board";
import { shownMove, type GomokuScene } from "./moveNavigation";
import { LobbyPicture } from "./LobbyPicture";
import { MoveList } from "./GomokuMoveList";
import { colourOf, coordinate, SIZE } from "./position";
import { Badge, Icon, Score } from "./PlayerBadge";
import "./board/gomoku.css";

export const game: OwnGameParts<"gomoku"> = {
  order: 2,
  Board,
  Badge,
  Score,
  Icon,
  LobbyPicture,
  MoveList,
  notationReader: {
    matches: (text) => /^\s*\(\s*;/.test(text),
    load: () => import("./sgfReader").then(({ readSgf }) => readSgf),
  },
  boardDrawing: () => import("./board/boardDrawing").then(({ boardDrawing }) => boardDrawing),
  notation: "sgf",
  usesRandomness: () => false,
  offerKinds: ["undo", "draw", "swap"],
  possibleOffers: (position) => (position.moves.length === 0 ? ["swap"] : ["undo", "draw"]),
  heading: ({ moves }, texts) => (moves.length === 0 ? texts.games.gomoku.begins : texts.games.gomoku.stone(moves.length)),
  tone: (event) => (event.e === "placed" ? "move" : null),
  status,
  announce: (event, { position, texts, you }) => {
    if (position === null) return null;
    const text = texts.games.gomoku;
    switch (event.e) {
      case "placed":
        return text.placed(colourOf(position, event.seat), coordinate(event.x + SIZE * event.y));
      case "five_in_row":
        return text.five;
      case "move_undone":
        return text.undone;
      case "sides_swapped":
        return you === null ? text.swapped : texts.punctuation.sentences(text.swapped, text.youPlay(text[colourOf(position, you)]));
      default:
        return null;
    }
  },
};

/** Status while an earlier position is shown, or while a stone waits for confirmation. */
function status(scene: GomokuScene): Status | null {
  const { draft, mayMove, texts, play } = scene;
  const text = texts.games.gomoku;
  const earlier = earlierStatus(scene, shownMove(scene).total, text);
  if (earlier) return earlier;
  if (draft && mayMove) {
    const where = coordinate(draft.x + SIZE * draft.y);
    return { text: text.tapAgain(where), mine: true, button: { label: text.place(where), press: () => play(draft) } };
  }
  return null;
}
