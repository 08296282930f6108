/** Texts of tictactoe, Traditional Chinese. */

import type { TictactoeTexts } from "./types";

export const texts: TictactoeTexts = {
  name: "井字棋",
  reasons: {
    rounds: "五局三勝",
  },
  board: "棋盤",
  cell: (row, column) => `第 ${row} 列第 ${column} 行`,
  emptyCell: "空格",
  round: (round) => `第 ${round} 局，共 5 局`,
  score: (wins) => `贏 ${wins} 局`,
  youWin: "這一局你贏了。",
  wins: (name) => `這一局 ${name} 贏了。`,
  draw: "這一局和局。",
  next: "下一局",
  began: (name) => `新的一局，${name} 先手。`,
  youBegin: "新的一局，你先手。",
};
