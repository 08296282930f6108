import type { LobbyWords } from "./words";

const time = (seconds: number) => (seconds % 60 ? `${seconds} 秒` : `${seconds / 60} 分鐘`);

export const lobbyZhHant: LobbyWords = {
  card: {
    waiting: (count) => `${count} 桌在等人`,
    playing: (count) => `${count} 桌對局中`,
    nobody: "來開第一局",
    quickOf: (game) => `快速配對：${game}`,
  },
  ways: {
    friend: "約朋友玩",
    computer: "跟電腦玩",
    level: "程度",
    createHint: "規則、時間自己訂",
  },
  list: {
    filter: "篩選",
    all: "全部",
    waited: (minutes) => (minutes < 1 ? "等人中" : `等了 ${minutes} 分鐘`),
    gone: "已散桌",
    free: (count) => `${count} 個空位`,
    computer: "電腦",
    bots: (count) => `${count} 個電腦`,
    away: "離線",
    delayed: (seconds) => `延遲 ${time(seconds)}`,
  },
  empty: {
    title: "現在沒有人在玩。",
    titleOf: (game) => `現在沒有${game}的桌子。`,
    hint: "先開一局吧，下一個進來的人就會看到你。",
    computer: (game) => `跟電腦玩${game}`,
    friend: "約朋友",
  },
  yours: {
    seat: "你還有座位",
    waiting: (game, waited) => `${game}等人中，已等 ${waited}`,
    stop: "不等了",
  },
  invite: {
    title: "找人來玩",
    scan: "用手機鏡頭掃一下",
    picture: "這一桌連結的 QR Code",
    share: "分享…",
    shareText: (game) => `來跟我玩${game}！`,
    waited: (waited) => `已等 ${waited}`,
    short: "或報桌號：",
  },
  house: {
    title: "桌規",
    listed: "列在大廳",
    unlisted: "只限連結或桌號",
    watchers: "開放觀戰",
    delay: "觀戰畫面",
    noDelay: "即時",
    time,
    takebacks: "對手同意就能悔棋",
    away: "有人斷線時",
    awayWait: "等他回來",
    awayBot: "電腦代打",
    awayForfeit: "逾時判輸",
    standin: "由誰代打",
    after: "等多久",
    brief: {
      noWatchers: "不開放觀戰",
      delay: (late) => `觀戰延遲 ${late}`,
      noTakebacks: "不能悔棋",
      wait: "斷線等人",
      bot: "斷線電腦代打",
      forfeit: (late) => `斷線 ${late}判輸`,
    },
  },
};
