/** Texts of the lessons of tic-tac-toe, Traditional Chinese. */

import type { TictactoeLessonTexts } from "./types";

export const texts: TictactoeLessonTexts = {
  pages: {
    plain: {
      name: "三個連成一線",
      hint: "連線、雙重威脅，以及五局三勝。",
      steps: {
        line: {
          title: "三個連成一線就贏",
          text: ["雙方輪流在空格畫記號。橫、直、斜三個連成一線，就贏得這一局。"],
          tasks: ["你畫 X。把線連起來。"],
          done: "連成一線，這局你贏了。",
          other: "這是空格，但還不成線。看看最上面一列。",
        },
        block: {
          title: "擋住對手",
          text: ["對手有兩個記號、第三格還空著，就必須佔住那一格。"],
          tasks: ["你畫 X。擋住 O。"],
          done: "擋住了。",
          other: "這是空格，但 O 會在最上面一列連成線。",
        },
        fork: {
          title: "同時威脅兩條線",
          text: ["一個記號同時威脅兩條線，對手就擋不住了。"],
          tasks: ["你畫 X。找出同時威脅兩條線的格子。"],
          done: "雙重威脅：對手只擋得住一條。",
          other: "這是空格，但沒有同時威脅兩條線。",
        },
        match: {
          title: "一場最多五局",
          text: ["誰先下、誰畫 X，由抽籤決定。之後輪流先下，記號不變。", "先贏三局就結束。五局打完，贏得較多的一方獲勝；一樣多就是和局。"],
          tasks: ["目前 1 比 1。贏下這一局。"],
          done: "2 比 1。再贏一局就結束。",
        },
      },
    },
  },
  reasons: {},
  cells: { occupied: "這一格已經有記號了，請選空格。" },
};
