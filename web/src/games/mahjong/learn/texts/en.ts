/** Texts of the lessons of mahjong, English. */

import type { MahjongLessonTexts } from "./types";

export const texts: MahjongLessonTexts = {
  pages: {
    tutorial: {
      name: "Tutorial",
      hint: "Tiles, 吃 碰 槓 胡, and how tai are counted. Two minutes.",
      steps: {
        tiles: {
          title: "The tiles",
          text: ["There are 144 tiles. Three suits run from 1 to 9: characters, dots and bamboos. Winds and dragons are honours. There are four of each of these.", "The eight flowers are laid open and bring extra points."],
        },
        sets: {
          title: "Sets and a pair",
          text: ["Collect sets and one pair. A set is a run of three in one suit, or three equal tiles. Honours make no runs.", "With 16 tiles you need five sets and a pair: 17 tiles, with the one that wins."],
        },
        discard: {
          title: "Draw and discard",
          text: ["In your turn you draw a tile and discard one. The turn goes on to the player on your right."],
          tasks: ["You drew an East wind that fits nothing. Discard it."],
          done: "Keep tiles that can grow together.",
          other: "You may discard that, but it belongs to a set or to a start of one. The East wind fits nothing.",
        },
        chow: {
          title: "吃 Chow: a run",
          text: ["You may take a discard of the player on your left, and only of that one, to complete a run.", "The run lies open. Then you discard."],
          tasks: ["The player on your left discards a 4 of characters. You have 5 and 6: press Chow.", "Now discard the red dragon."],
          done: "The run lies open beside your hand.",
          other: "You may discard that, but the red dragon fits nothing.",
        },
        pong: {
          title: "碰 Pong: three equal tiles",
          text: ["With two equal tiles you may take the third from any player. The turn jumps to you."],
          tasks: ["The player opposite discards an East wind. You have two: press Pong.", "Now discard the West wind."],
          done: "Players between are passed over.",
          other: "You may discard that, but the West wind fits nothing.",
        },
        kong: {
          title: "槓 Kong: four equal tiles",
          text: ["With three equal tiles you may take the fourth from any player. A kong counts as one set, so you draw a replacement tile from the end of the wall.", "Four equal tiles in your hand can be a kong in your own turn; so can the fourth tile for an open pong."],
          tasks: ["A 9 of bamboos: you have three. Press Kong.", "You drew a replacement. Now discard the West wind."],
          done: "The kong lies open.",
          other: "You may discard that, but the West wind fits nothing.",
        },
        win: {
          title: "胡 Win",
          text: ["If the tile completes your hand, you may win: on the discard of any player, or with your own draw (自摸). No minimum of tai is needed."],
          tasks: ["A 9 of bamboos completes 7 and 8. Press Win."],
          done: "Five sets and a pair: you won.",
        },
        tai: {
          title: "台 Tai: what the hand is worth",
          text: ["Each pattern of a won hand adds tai. Count this one line by line."],
        },
        pay: {
          title: "Who pays",
          text: [
            "Each payer pays the base of 100 plus 20 for each tai, unless the table has other stakes. After a win on a discard only the discarder pays; after a self-draw all three pay.",
            "1 tai more is counted if the winner or the payer is the dealer, and 2 more for each time that the dealer has kept the deal. Here you are the dealer, for the second time.",
          ],
        },
      },
    },
    sixteen: {
      name: "16 tiles",
      hint: "The Taiwanese game: five sets and a pair.",
      steps: {
        goal: {
          title: "Five sets and a pair",
          text: ["Each player holds 16 tiles. 17 tiles that make five sets and a pair win; a kong counts as one set. Seven pairs and a triplet win as well (嚦咕嚦咕)."],
          tasks: ["You drew the 8 of bamboos. Your hand is complete: press Win."],
          done: "Self-drawn: all three pay.",
          other: "You may discard, but your hand is complete. Press Win.",
        },
        flowers: {
          title: "Flowers",
          text: ["A flower is laid open at once and replaced from the end of the wall. It cannot be discarded or claimed.", "Each seat owns two: East 梅 and 春, South 蘭 and 夏, West 竹 and 秋, North 菊 and 冬. Own flowers count 1 tai each; four of one set count 2 instead. All eight win at once."],
        },
        priority: {
          title: "Who gets the tile",
          text: ["If several players want a discard, a win goes first, then kong and pong, then chow. If several can win on it, all of them win.", "After a chow or pong you must discard; you cannot win or make a kong in that turn."],
          tasks: ["You could chow or pong this tile. Press Pong."],
          done: "A pong comes before a chow of any other player.",
        },
        concealedKong: {
          title: "Concealed and added kongs",
          text: ["In your own turn, after a draw, four equal tiles may become a concealed kong (暗槓); your hand still counts as concealed. The fourth tile may be added to your open pong (加槓).", "An added kong can be robbed: another player may win on its tile (搶槓)."],
          tasks: ["You have four 7 of characters. Press Kong."],
          done: "You drew a replacement from the end of the wall.",
          other: "You may discard first. Here, press Kong.",
        },
        end: {
          title: "Dealer and end of a hand",
          text: [
            "The dealer is East. If the dealer wins, or nobody does, the dealer stays and the streak grows. Otherwise the deal passes on. A full game has four rounds of four deals.",
            "16 tiles of the wall are never drawn. When the others are used up, the hand is drawn and nobody pays. A player who passes a win cannot win on a discard until the next own draw or claim (過水).",
            "Here the dealer, with a streak of 1, discarded your winning tile and pays 3 tai more.",
          ],
        },
        tai: {
          title: "All tai",
          text: ["Add up all patterns of the hand. If a hand can be read in several ways, the best one counts. A pattern that another one contains is not counted twice.", "Count this hand, then see the list of all patterns below."],
        },
      },
    },
    thirteen: {
      name: "13 tiles",
      hint: "Four sets and a pair, seven pairs, thirteen orphans.",
      steps: {
        goal: {
          title: "Four sets and a pair",
          text: ["Each player holds 13 tiles. 14 tiles that make four sets and a pair win. Claims, flowers, tai and payments are as with 16 tiles.", "All tiles of the wall can be drawn."],
          tasks: ["You drew the 5 of bamboos. Press Win."],
          done: "Four sets and a pair.",
          other: "You may discard, but your hand is complete. Press Win.",
        },
        sevenPairs: {
          title: "Seven pairs 七對子",
          text: ["Seven pairs win without any set, for 8 tai. Four equal tiles may be two pairs. Nothing may be claimed before."],
          tasks: ["You have six pairs and a 9 of bamboos. Press Win."],
          done: "Seven pairs.",
        },
        orphans: {
          title: "Thirteen orphans 十三么",
          text: ["All ones, nines, winds and dragons, and one of them twice: 16 tai."],
          tasks: ["A 1 of characters makes the pair. Press Win."],
          done: "Thirteen orphans.",
        },
        tai: {
          title: "All tai",
          text: ["Add up all patterns of the hand; the best reading counts. Count this hand, then see the list of all patterns below."],
        },
      },
    },
  },
  reasons: {
    claimFirst: "It is not your turn to discard. Answer the discard first, with one of the buttons.",
    passChow: "You may pass, but here take the tile: press Chow.",
    passPong: "You may pass, but here take the tile: press Pong.",
    passKong: "You may pass, but here take the tile: press Kong.",
    passWin: "You may pass, but then you cannot win on a discard until your next draw. Press Win.",
    kongNotPong: "A pong is allowed as well. Here, make a kong.",
    chowLow: "A chow is allowed, but the pong of another player would come first. Here, press Pong.",
  },
  names: ["You", "Right player", "Opposite player", "Left player"],
  table: {
    yourTurn: "Your turn",
    youDiscard: (tile) => `You discard ${tile}.`,
    discards: (who, tile) => `${who} discards ${tile}.`,
    countNext: "Count the next line",
    allTai: "All patterns",
    perStreak: (tai) => `${tai} tai each`,
  },
  examples: {
    suits: ["Characters 萬", "Dots 筒", "Bamboos 條", "Honours: winds and dragons", "Flowers"],
    sets: ["A run", "Three equal tiles", "A pair"],
    hand: "A whole hand: five sets and a pair",
  },
  patterns: {
    三元牌: "Three equal dragons.",
    門清: "You claimed nothing before the win.",
    正花: "You are South, and the orchid is a flower of South.",
    混一色: "One suit and honours only.",
    圈風刻: "Three tiles of the wind of the round: East.",
    獨聽: "Only one kind of tile could complete the hand.",
  },
};
