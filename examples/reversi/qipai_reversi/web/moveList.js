/** The list of moves: one row for each move of black and the answer of white. */

import { h } from "preact";
import { fillText, MoveButton, MoveList as MoveListFrame, showMove, shownMove } from "qipai/board-kit";
import { colourOf, squareName } from "./position.js";

export function MoveList({ scene }) {
  const { position, texts } = scene;
  const text = texts.games.reversi;
  const moves = position?.moves ?? [];
  const { step, total } = shownMove(scene, moves.length);
  const show = (to) => showMove(scene, moves.length, to);

  const button = (index, colour) => {
    if (index === undefined) return h("span", { key: colour, class: "reversi-pass", "aria-label": text.pass }, "–");
    const square = squareName(moves[index].square);
    return h(MoveButton, {
      key: index,
      colour,
      label: fillText(text.moveLabel, { colour: text[colour], square }),
      name: square,
      current: index === step - 1,
      onClick: () => show(index + 1),
    });
  };

  return h(
    MoveListFrame,
    { text, step, total, onStep: show },
    rowsOf(position).map(({ black, white }, row) =>
      h(
        "li",
        { class: "moves-pair", key: row },
        h("span", { class: "moves-number" }, row + 1),
        button(black, "black"),
        (white !== undefined || black !== total - 1) && button(white, "white"),
      ),
    ),
  );
}

/** Return the indices of the moves by rows; a colour that passed has none. */
function rowsOf(position) {
  const rows = [];
  position?.moves.forEach(({ seat }, index) => {
    const colour = colourOf(position, seat);
    const row = rows.at(-1);
    if (colour === "white" && row && row.white === undefined) row.white = index;
    else rows.push({ [colour]: index });
  });
  return rows;
}
