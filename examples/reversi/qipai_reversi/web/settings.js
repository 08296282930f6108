/** What the settings sheet offers for Reversi: the colour of the board. */

import { h } from "preact";
import { choice } from "qipai/board-kit";

const BOARDS = ["green", "blue", "walnut"];
const board = choice("reversi-board", BOARDS);

export async function settings() {
  return [
    {
      title: ({ games: { reversi } }) => reversi.boardColour,
      value: board,
      options: BOARDS.map((value) => ({
        value,
        name: ({ games: { reversi } }) => reversi.boardColours[value],
        Preview: () => h("span", { class: "reversi-preview-board", "data-reversi-board": value }),
      })),
    },
  ];
}
