/** What Reversi provides to the page. */

import { earlierStatus, fillText } from "qipai/board-kit";
import { Board } from "./board.js";
import { drawBoard } from "./drawing.js";
import { MoveList } from "./moveList.js";
import { OptionsForm } from "./optionsForm.js";
import { Badge, Icon, LobbyPicture, Score } from "./pictures.js";
import { colourOf, hasPassed, squareName } from "./position.js";
import { settings } from "./settings.js";

export { reduce } from "./position.js";
export const stylesheet = "style.css";

export const game = {
  Board,
  Badge,
  Score,
  Icon,
  LobbyPicture,
  MoveList,
  OptionsForm,
  settings,
  boardDrawing: () => Promise.resolve(drawBoard),
  notation: "txt",
  usesRandomness: () => false,
  sides: ({ games: { reversi } }) => [reversi.blackSide, reversi.whiteSide],
  tags: ({ empty_start }, { games: { reversi } }) => (empty_start ? [reversi.emptyStartTag] : []),
  offerKinds: ["undo"],
  possibleOffers: ({ moves }) => (moves.length > 0 ? ["undo"] : []),
  heading: ({ moves: { length } }, { games: { reversi } }) => (length > 0 ? fillText(reversi.move, { number: length }) : reversi.begins),
  tone: ({ e }) => (e === "placed" ? "move" : null),
  status,
  announce,
};

/** The status while an earlier position is shown, while a disc waits for confirmation, and after a pass. */
function status(scene) {
  const { room, position, you, draft, mayMove, texts, play } = scene;
  const text = texts.games.reversi;
  const earlier = earlierStatus(scene, position?.moves.length ?? 0, {
    earlier: (step, total, newMoves) => fillText(newMoves ? text.earlierNews : text.earlier, { step, total }),
    backToGame: text.backToGame,
    end: text.last,
  });
  if (earlier) return earlier;
  if (draft && mayMove) {
    const square = squareName(draft.square);
    const button = { label: fillText(text.place, { square }), press: () => play(draft) };
    return { text: fillText(text.tapAgain, { square }), mine: true, button };
  }
  if (room.phase !== "playing" || position === null || you === null || !hasPassed(position)) return null;
  return position.turn === you ? { text: text.youAgain, mine: true } : { text: text.youPass, mine: false };
}

/** What a screen reader says about an event. */
function announce(event, { position, texts }) {
  if (position === null) return null;
  const text = texts.games.reversi;
  const side = (seat) => (colourOf(position, seat) === "black" ? text.blackSide : text.whiteSide);
  switch (event.e) {
    case "placed":
      return fillText(text.placed, { side: side(event.seat), square: squareName(event.square), count: event.flipped.length });
    case "passed":
      return fillText(text.passed, { side: side(event.seat) });
    case "move_undone":
      return text.undone;
    default:
      return null;
  }
}
