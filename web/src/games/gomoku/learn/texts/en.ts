/** Texts of the lessons of gomoku, English. */

import type { GomokuLessonTexts } from "./types";

export const texts: GomokuLessonTexts = {
  pages: {
    free: {
      name: "Free",
      hint: "Five in a row, threats, and how to stop them.",
      steps: {
        five: {
          title: "Five in a row wins",
          text: ["Black and White place stones in turn on the points of the board. Black begins. A stone never moves.", "Five stones in a row win: across, down or diagonally."],
          tasks: ["You play black. Complete the row of five."],
          done: "Five in a row: you won.",
          other: "A free point, but it does not make five. Continue the row on line 8.",
        },
        block: {
          title: "Stop a four",
          text: ["Four in a row with one free end threatens to win with the next stone."],
          tasks: ["You play white. Stop the black four."],
          done: "Stopped. A four must always be answered.",
          other: "A free point, but Black would win at E8.",
        },
        openThree: {
          title: "An open three is a threat",
          text: ["Three in a row with both ends free can become a four with both ends free. Nobody can stop both ends."],
          tasks: ["You play black. Make an open four."],
          done: "White can close only one end. You win with the next stone.",
          other: "A free point, but it does not make an open four. Play at one end of the three.",
        },
        overline: {
          title: "More than five wins, too",
          text: ["Without an opening rule six or more in a row also win, for both colours. A full board is a draw. Boards have 15 or 19 lines."],
          tasks: ["You play black. Close the gap at H8."],
          done: "Six in a row: you won.",
          other: "A free point, but the win is at H8.",
        },
      },
    },
    swap2: {
      name: "Swap2",
      hint: "An opening that is fair for both.",
      steps: {
        first: {
          title: "Three stones to begin with",
          text: ["Black's first move is an advantage. With swap2 one player places stones and the other one chooses.", "The first player places three stones anywhere: black, white, black."],
          tasks: ["Place the black stone on H8.", "Place the white stone on I9.", "Place the black stone on J7."],
          done: "Now the other player chooses.",
          other: "Any free point is allowed. Here, take the point that the task names.",
        },
        choice: {
          title: "The second player chooses",
          text: ["The second player has three choices: play white and place the next stone; play black; or place two more stones and let the first player choose.", "White always places the next stone."],
          tasks: ["You are the second player. Choose."],
          done: "Each choice is allowed. Take the colour that you think is better.",
        },
        more: {
          title: "Two more stones",
          text: ["If you cannot decide, place two more stones: white, then black. Then the first player chooses a colour."],
          tasks: ["Place the white stone on G7.", "Place the black stone on H6."],
          done: "Now the first player must choose.",
          other: "Any free point is allowed. Here, take the point that the task names.",
        },
        colour: {
          title: "The first player chooses",
          text: ["Five stones are on the board. Choose a colour; White places the next stone. From now on it is plain gomoku: five or more win.", "In a rematch the other player begins."],
          tasks: ["You are the first player. Choose a colour."],
          done: "The game goes on with White's stone.",
        },
      },
    },
    renju: {
      name: "Renju",
      hint: "Forbidden points for Black.",
      steps: {
        doubleThree: {
          title: "No double-three",
          text: ["In renju some points are forbidden for Black, who has the first move. The board marks them with a cross.", "A stone that makes two open threes at once is forbidden (三三)."],
          tasks: ["Try H8 and read why it is refused. Then make one open three: E8."],
          done: "One open three is allowed.",
          other: "Allowed. Here, make one open three at E8.",
        },
        doubleFour: {
          title: "No double-four",
          text: ["A four is four stones that one more stone turns into exactly five. Two fours at once are forbidden (四四), even in one line."],
          tasks: ["H8 would make two fours. Make only one: D8."],
          done: "One four with two open ends: that wins.",
          other: "Allowed. Here, make a four at D8.",
        },
        overline: {
          title: "Exactly five",
          text: ["Black wins only with exactly five. Six or more in a row are forbidden (長連).", "A stone that makes exactly five wins, whatever else it makes."],
          tasks: ["G8 would make six. Find the point that makes exactly five."],
          done: "Exactly five: Black wins.",
          other: "Allowed, but it does not make five. Look at the column H.",
        },
        notThree: {
          title: "A closed three does not count",
          text: ["A three counts only if one more allowed stone could make it a four with both ends open. Here White closes one row at I8."],
          tasks: ["H8 makes two rows of three, but one of them is closed. Place the stone there."],
          done: "Allowed: only one of them is an open three.",
          other: "Allowed. Here, play H8.",
        },
        white: {
          title: "White is free",
          text: ["Nothing is forbidden for White, and White wins with five or more. If Black has no allowed point left, the game is a draw."],
          tasks: ["You play white. Win at G5 with six in a row."],
          done: "White wins with six.",
          other: "A free point, but the win is at G5.",
        },
      },
    },
  },
  reasons: {},
  points: { occupied: (point) => `There is a stone on ${point} already.` },
};
