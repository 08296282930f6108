import type { MahjongWords } from "./words";

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const WINDS = ["东", "南", "西", "北"] as const;
const TIMES = "零一二三四五六七八九十";

export const mahjongZhHans: MahjongWords = {
  board: "牌桌",
  tiles: [
    ...NUMBERS.map((value) => `${value}万`),
    ...NUMBERS.map((value) => `${value}筒`),
    ...NUMBERS.map((value) => `${value}条`),
    "东风", "南风", "西风", "北风", "红中", "发财", "白板",
    "梅", "兰", "竹", "菊", "春", "夏", "秋", "冬",
  ],
  winds: WINDS,
  players: ["东家", "南家", "西家", "北家"],
  round: (wind, deal) => `${WINDS[wind] ?? ""}风${WINDS[deal] ?? ""}局`,
  streak: (times) => `连${TIMES[times] ?? times}拉${TIMES[times] ?? times}`,

  discards: (who, tile) => `${who}打出${tile}。`,
  declares: (who) => `${who}听牌。`,
  flowers: (who, tiles) => `${who}补花：${tiles}。`,
  youDrew: (tile) => `你摸到${tile}。`,
  youMay: (deeds) => `可以${deeds}。`,
  melds: {
    chow: (who, tile) => `${who}吃${tile}。`,
    pong: (who, tile) => `${who}碰${tile}。`,
    kong: (who, tile) => `${who}杠${tile}。`,
    ckong: (who) => `${who}暗杠。`,
    akong: (who, tile) => `${who}加杠${tile}。`,
  },
  wins: (who, drawn) => (drawn ? `${who}自摸！` : `${who}胡牌！`),
  nobody: "流局，荒庄。",
  began: (round, dealer) => `${round}开始，${dealer}庄。`,
  comma: "、",

  deeds: { hu: "胡", kong: "杠", pong: "碰", chow: "吃", pass: "过" },
  selfDrawn: "自摸",

  status: {
    discard: "轮到你打牌",
    draw: "轮到你摸牌，请翻开扣着的那张",
    claim: "要吃、碰、杠、胡吗？",
    waits: "已回应，等待其他人",
    turnOf: (who) => `轮到${who}`,
    claims: "等待吃碰杠胡",
    over: "这一局结束了",
    raised: (tile) => `${tile}？再点一次打出。`,
  },

  settings: {
    tiles: "张数",
    thirteen: "13 张",
    sixteen: "16 张",
    rounds: "打几圈",
    roundsOf: (count) => (count === 4 ? "4 圈（一将）" : `${count} 圈`),
    stakes: "底／台",
    house: "规则",
    several: "一炮多响（不勾即截胡）",
    pairs: "七对子可胡",
    ligu: "呖咕呖咕可胡",
    orphans: "十三幺可胡",
    swap: "禁止食替",
    ready: "可报天听、地听",
    hints: "提示（各看各的牌）",
    hint: { waits: "听哪几张、剩几张、几台", keeps: "打哪张能听牌", shanten: "差几张听牌（向听数）" },
  },
  tags: {
    sixteen: "16 张",
    rounds: (count) => `${count} 圈`,
    noHints: "无提示",
    noHint: { waits: "不提示听哪张", keeps: "不提示打哪张", shanten: "不提示向听数" },
    house: {
      several_winners: "截胡",
      seven_pairs: "不算七对子",
      thirteen_orphans: "不算十三幺",
      ligu: "不算呖咕呖咕",
      no_swap_call: "禁食替",
      declare_ting: "可报听",
    },
    others: "另有自定规则",
  },
  explain: "算台数",
};
