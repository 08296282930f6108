import type { MahjongWords } from "./words";

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const WINDS = ["東", "南", "西", "北"] as const;
const TIMES = "零一二三四五六七八九十";

export const mahjongZhHant: MahjongWords = {
  board: "牌桌",
  tiles: [
    ...NUMBERS.map((value) => `${value}萬`),
    ...NUMBERS.map((value) => `${value}筒`),
    ...NUMBERS.map((value) => `${value}條`),
    "東風", "南風", "西風", "北風", "紅中", "青發", "白板",
    "梅", "蘭", "竹", "菊", "春", "夏", "秋", "冬",
  ],
  winds: WINDS,
  players: ["東家", "南家", "西家", "北家"],
  round: (wind, deal) => `${WINDS[wind] ?? ""}風${WINDS[deal] ?? ""}局`,
  streak: (times) => `連${TIMES[times] ?? times}拉${TIMES[times] ?? times}`,

  discards: (who, tile) => `${who}打出${tile}。`,
  declares: (who) => `${who}聽牌。`,
  flowers: (who, tiles) => `${who}補花：${tiles}。`,
  youDrew: (tile) => `你摸到${tile}。`,
  youMay: (deeds) => `可以${deeds}。`,
  melds: {
    chow: (who, tile) => `${who}吃${tile}。`,
    pong: (who, tile) => `${who}碰${tile}。`,
    kong: (who, tile) => `${who}槓${tile}。`,
    ckong: (who) => `${who}暗槓。`,
    akong: (who, tile) => `${who}加槓${tile}。`,
  },
  wins: (who, drawn) => (drawn ? `${who}自摸！` : `${who}胡牌！`),
  nobody: "流局，荒莊。",
  began: (round, dealer) => `${round}開始，${dealer}莊。`,
  comma: "、",

  deeds: { hu: "胡", kong: "槓", pong: "碰", chow: "吃", pass: "過" },
  selfDrawn: "自摸",

  status: {
    discard: "輪到你打牌",
    draw: "輪到你摸牌，請翻開蓋著的那張",
    claim: "要吃、碰、槓、胡嗎？",
    waits: "已回應，等待其他人",
    turnOf: (who) => `輪到${who}`,
    claims: "等待吃碰槓胡",
    over: "這一局結束了",
    raised: (tile) => `${tile}？再點一次打出。`,
  },

  settings: {
    tiles: "張數",
    thirteen: "13 張",
    sixteen: "16 張",
    rounds: "打幾圈",
    roundsOf: (count) => (count === 4 ? "4 圈（一將）" : `${count} 圈`),
    stakes: "底／台",
    house: "規則",
    several: "一炮多響（不勾即截胡）",
    pairs: "七對子可胡",
    ligu: "嚦咕嚦咕可胡",
    orphans: "十三么可胡",
    swap: "禁止食替",
    ready: "可報天聽、地聽",
    hints: "提示（各看各的牌）",
    hint: { waits: "聽哪幾張、剩幾張、幾台", keeps: "打哪張會聽牌", shanten: "差幾張聽牌（向聽數）" },
  },
  tags: {
    sixteen: "16 張",
    rounds: (count) => `${count} 圈`,
    noHints: "無提示",
    noHint: { waits: "不提示聽哪張", keeps: "不提示打哪張", shanten: "不提示向聽數" },
    house: {
      several_winners: "截胡",
      seven_pairs: "不算七對子",
      thirteen_orphans: "不算十三么",
      ligu: "不算嚦咕嚦咕",
      no_swap_call: "禁食替",
      declare_ting: "可報聽",
    },
    others: "另有自訂規則",
  },
  explain: "算台數",
};
