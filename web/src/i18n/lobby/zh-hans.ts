import type { LobbyWords } from "./words";

const time = (seconds: number) => (seconds % 60 ? `${seconds} 秒` : `${seconds / 60} 分钟`);

export const lobbyZhHans: LobbyWords = {
  card: {
    waiting: (count) => `${count} 桌等人`,
    playing: (count) => `${count} 桌对局中`,
    nobody: "来开第一局",
    quickOf: (game) => `快速匹配：${game}`,
  },
  ways: {
    friend: "和好友玩",
    computer: "人机对战",
    level: "难度",
    createHint: "规则和时间自己定",
  },
  list: {
    filter: "筛选",
    all: "全部",
    waited: (minutes) => (minutes < 1 ? "等人中" : `已等 ${minutes} 分钟`),
    gone: "已解散",
    free: (count) => `${count} 个空位`,
    computer: "电脑",
    bots: (count) => `${count} 个电脑`,
    away: "掉线",
    delayed: (seconds) => `延迟 ${time(seconds)}`,
  },
  empty: {
    title: "现在还没有人在玩。",
    titleOf: (game) => `现在没有${game}的桌子。`,
    hint: "先开一局吧，下一个进来的人就能看到你。",
    computer: (game) => `和电脑玩${game}`,
    friend: "邀请好友",
  },
  yours: {
    seat: "你还有座位",
    waiting: (game, waited) => `${game}等人中，已等 ${waited}`,
    stop: "不等了",
  },
  invite: {
    title: "邀人来玩",
    scan: "用手机扫一扫",
    picture: "这一桌链接的二维码",
    share: "分享…",
    shareText: (game) => `来和我玩${game}吧！`,
    waited: (waited) => `已等 ${waited}`,
    short: "或者报桌号：",
  },
  house: {
    title: "本桌规矩",
    listed: "显示在大厅",
    unlisted: "仅限链接或桌号",
    watchers: "允许观战",
    delay: "观战画面",
    noDelay: "实时",
    time,
    takebacks: "对手同意就可以悔棋",
    away: "有人掉线时",
    awayWait: "等他回来",
    awayBot: "电脑托管",
    awayForfeit: "超时判负",
    standin: "由谁托管",
    after: "等多久",
    brief: {
      noWatchers: "禁止观战",
      delay: (late) => `观战延迟 ${late}`,
      noTakebacks: "不能悔棋",
      wait: "掉线等人",
      bot: "掉线电脑托管",
      forfeit: (late) => `掉线 ${late}判负`,
    },
  },
};
