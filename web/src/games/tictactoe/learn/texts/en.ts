/** Texts of the lessons of tic-tac-toe, English. */

import type { TictactoeLessonTexts } from "./types";

export const texts: TictactoeLessonTexts = {
  pages: {
    plain: {
      name: "Three in a row",
      hint: "Lines, forks, and a match of five rounds.",
      steps: {
        line: {
          title: "Three in a row wins",
          text: ["You and your opponent mark cells in turn. Three of your marks in a line win the round: across, down or diagonally."],
          tasks: ["You play X. Complete the line."],
          done: "Three in a row: the round is yours.",
          other: "A free cell, but it does not make three. Look at the top row.",
        },
        block: {
          title: "Stop the opponent",
          text: ["Two of the opponent's marks with the third cell free: that cell must be yours."],
          tasks: ["You play X. Stop the O."],
          done: "Stopped.",
          other: "A free cell, but O would win in the top row.",
        },
        fork: {
          title: "Two lines at once",
          text: ["A mark that threatens two lines cannot be stopped twice."],
          tasks: ["You play X. Find a cell that threatens two lines."],
          done: "A fork: the opponent can stop only one line.",
          other: "A free cell, but it threatens fewer than two lines.",
        },
        match: {
          title: "A match has up to five rounds",
          text: ["Who begins, and who plays X, is drawn by lot. Then the players begin in turn; everyone keeps the mark.", "Three wins end the match at once. After five rounds the player with more wins has won; equal wins are a draw."],
          tasks: ["It is 1 to 1. Win this round."],
          done: "2 to 1. One more win ends the match.",
        },
      },
    },
  },
  reasons: {},
  cells: { occupied: "That cell is taken. Choose an empty one." },
};
