/** Texts of tictactoe, Simplified Chinese. */

import type { TictactoeTexts } from "./types";

export const texts: TictactoeTexts = {
  name: "井字棋",
  reasons: {
    rounds: "五局三胜",
  },
  board: "棋盘",
  cell: (row, column) => `第 ${row} 行第 ${column} 列`,
  emptyCell: "空格",
  round: (round) => `第 ${round} 局，共 5 局`,
  score: (wins) => `赢 ${wins} 局`,
  youWin: "这一局你赢了。",
  wins: (name) => `这一局 ${name} 赢了。`,
  draw: "这一局和棋。",
  next: "下一局",
  began: (name) => `新的一局，${name} 先手。`,
  youBegin: "新的一局，你先手。",
};
