/** Texts of the lessons of tic-tac-toe, Simplified Chinese. */

import type { TictactoeLessonTexts } from "./types";

export const texts: TictactoeLessonTexts = {
  pages: {
    plain: {
      name: "三个连成一线",
      hint: "连线、双重威胁，以及五局三胜。",
      steps: {
        line: {
          title: "三个连成一线就赢",
          text: ["双方轮流在空格画记号。横、直、斜三个连成一线，就赢得这一局。"],
          tasks: ["你画 X。把线连起来。"],
          done: "连成一线，这局你赢了。",
          other: "这是空格，但还不成线。看看最上面一列。",
        },
        block: {
          title: "挡住对手",
          text: ["对手有两个记号、第三格还空着，就必须占住那一格。"],
          tasks: ["你画 X。挡住 O。"],
          done: "挡住了。",
          other: "这是空格，但 O 会在最上面一列连成线。",
        },
        fork: {
          title: "同时威胁两条线",
          text: ["一个记号同时威胁两条线，对手就挡不住了。"],
          tasks: ["你画 X。找出同时威胁两条线的格子。"],
          done: "双重威胁：对手只挡得住一条。",
          other: "这是空格，但没有同时威胁两条线。",
        },
        match: {
          title: "一场最多五局",
          text: ["谁先下、谁画 X，由抽签决定。之后轮流先下，记号不变。", "先赢三局就结束。五局打完，赢得较多的一方获胜；一样多就是和棋。"],
          tasks: ["目前 1 比 1。赢下这一局。"],
          done: "2 比 1。再赢一局就结束。",
        },
      },
    },
  },
  reasons: {},
  cells: { occupied: "这一格已经有记号了，请选空格。" },
};
