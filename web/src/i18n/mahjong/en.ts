import type { MahjongWords } from "./words";

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const WINDS = ["East", "South", "West", "North"] as const;

export const mahjongEn: MahjongWords = {
  board: "Table",
  tiles: [
    ...NUMBERS.map((value) => `${value} of characters`),
    ...NUMBERS.map((value) => `${value} of dots`),
    ...NUMBERS.map((value) => `${value} of bamboos`),
    "East wind", "South wind", "West wind", "North wind", "red dragon", "green dragon", "white dragon",
    "plum", "orchid", "bamboo flower", "chrysanthemum", "spring", "summer", "autumn", "winter",
  ],
  winds: WINDS,
  players: WINDS,
  round: (wind, deal) => `${WINDS[wind] ?? ""} round, hand ${deal + 1}`,
  streak: (times) => `streak ${times}`,

  discards: (who, tile) => `${who} discards ${tile}.`,
  declares: (who) => `${who} is ready.`,
  flowers: (who, tiles) => `${who} lays flowers: ${tiles}.`,
  youDrew: (tile) => `You draw ${tile}.`,
  youMay: (deeds) => `You may ${deeds}.`,
  melds: {
    chow: (who, tile) => `${who} chows ${tile}.`,
    pong: (who, tile) => `${who} pongs ${tile}.`,
    kong: (who, tile) => `${who} kongs ${tile}.`,
    ckong: (who) => `${who} makes a concealed kong.`,
    akong: (who, tile) => `${who} adds ${tile} to a pong.`,
  },
  wins: (who, drawn) => (drawn ? `${who} wins, self-drawn!` : `${who} wins!`),
  nobody: "The wall is empty: nobody wins.",
  began: (round, dealer) => `${round}. ${dealer} deals.`,
  comma: ", ",

  deeds: { hu: "Win", kong: "Kong", pong: "Pong", chow: "Chow", pass: "Pass" },
  selfDrawn: "Win",

  status: {
    discard: "Your turn: discard a tile",
    draw: "Your turn: take the covered tile",
    claim: "Claim this tile?",
    waits: "Answered. Waiting for the others.",
    turnOf: (who) => `${who} is to move`,
    claims: "Waiting for claims",
    over: "This hand is over",
    raised: (tile) => `${tile}? Tap again to discard.`,
  },

  settings: {
    tiles: "Tiles in a hand",
    thirteen: "13 tiles",
    sixteen: "16 tiles",
    rounds: "Length",
    roundsOf: (count) => (count === 4 ? "4 winds, full" : count === 1 ? "1 wind" : `${count} winds`),
    stakes: "Stakes",
    house: "House rules",
    several: "Several winners on one discard (off: only the nearest)",
    pairs: "Seven pairs win",
    ligu: "Seven pairs and a triplet win",
    orphans: "Thirteen orphans win",
    swap: "No swap after a chow",
    ready: "Ready hands may be announced early",
    hints: "Hints, to each about the own hand",
    hint: {
      waits: "What a ready hand waits for, how many are unseen, and the tai",
      keeps: "Which discards leave the hand ready",
      shanten: "How many tiles the hand lacks until it is ready",
    },
  },
  tags: {
    sixteen: "16 tiles",
    rounds: (count) => (count === 1 ? "1 wind" : `${count} winds`),
    noHints: "no hints",
    noHint: { waits: "waits not shown", keeps: "ready discards not shown", shanten: "distance not shown" },
    house: {
      several_winners: "one winner",
      seven_pairs: "no seven pairs",
      thirteen_orphans: "no thirteen orphans",
      ligu: "no seven pairs and a triplet",
      no_swap_call: "no swap after a chow",
      declare_ting: "ready may be announced",
    },
    others: "other house rules",
  },
  explain: "Count a hand",
};
