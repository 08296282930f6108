/** Texts of gomoku, Traditional Chinese. */

import type { GomokuTexts } from "./types";

export const texts: GomokuTexts = {
  name: "五子棋",
  reasons: {
    five: "五子連珠",
    full: "棋盤已滿",
  },
  board: "棋盤",
  black: "黑",
  white: "白",
  empty: "空點",
  lastStone: "最後一手",
  inLine: "五連",
  unconfirmed: "待確認",
  begins: "黑方先下",
  stone: (number) => `第 ${number} 手`,
  placed: (colour, point) => `${colour === "black" ? "黑" : "白"} ${point}。`,
  five: "五子連珠。",
  undone: "悔棋：收回最後一手。",
  swapped: "雙方已交換黑白。",
  youPlay: (colour) => `你執${colour}。`,
  tapAgain: (point) => `${point}？再點一次落子。`,
  place: (point) => `落子 ${point}`,
  earlier: (step, total, news) => `回看第 ${step} 手，共 ${total} 手。${news ? "對局又下了一手。" : ""}`,
  backToGame: "回到對局",
  end: "最後一手",
  moves: "棋譜",
  noMoves: "還沒有落子，黑方先下。",
  steps: "逐手回看",
  first: "第一手",
  previous: "上一手",
  next: "下一手",
  last: "最後一手",
  download: "下載 SGF 棋譜",
};
