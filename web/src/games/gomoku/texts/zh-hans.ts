/** Texts of gomoku, Simplified Chinese. */

import type { GomokuTexts } from "./types";

export const texts: GomokuTexts = {
  name: "五子棋",
  reasons: {
    five: "五子连珠",
    full: "棋盘已满",
  },
  board: "棋盘",
  black: "黑",
  white: "白",
  empty: "空点",
  lastStone: "最后一手",
  inLine: "五连",
  unconfirmed: "待确认",
  begins: "黑方先下",
  stone: (number) => `第 ${number} 手`,
  placed: (colour, point) => `${colour === "black" ? "黑" : "白"} ${point}。`,
  five: "五子连珠。",
  undone: "悔棋：收回最后一手。",
  swapped: "双方已交换黑白。",
  youPlay: (colour) => `你执${colour}。`,
  tapAgain: (point) => `${point}？再点一次落子。`,
  place: (point) => `落子 ${point}`,
  earlier: (step, total, news) => `回看第 ${step} 手，共 ${total} 手。${news ? "对局又下了一手。" : ""}`,
  backToGame: "回到对局",
  end: "最后一手",
  moves: "棋谱",
  noMoves: "还没有落子，黑方先下。",
  steps: "逐手回看",
  first: "第一手",
  previous: "上一手",
  next: "下一手",
  last: "最后一手",
  download: "下载 SGF 棋谱",
};
