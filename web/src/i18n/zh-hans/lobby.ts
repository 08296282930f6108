/** Texts of the lobby, Simplified Chinese. */

import type { LobbyTexts } from "../types/lobby";

const time = (seconds: number) => (seconds % 60 ? `${seconds} 秒` : `${seconds / 60} 分钟`);

export const lobby: LobbyTexts = {
  lobby: {
    game: "游戏",
    online: (count) => `${count} 人在线`,
    quick: "快速匹配",
    create: "开桌",
    join: "输入桌号",
    joinHint: "输入朋友给你的桌号",
    code: "桌号",
    go: "加入",
    tables: "游戏桌",
    loading: "加载中…",
    youHaveSeat: "你在一桌有座位。",
    backToTable: "回到牌桌",
    sit: "入座",
    watch: "观战",
    emptySeat: "空位",
    spectators: (count) => `${count} 人观战`,
    phase: { waiting: "等待中", playing: "对局中", over: "已结束", closed: "已关闭" },
  },
  gameCard: {
    waiting: (count) => `${count} 桌等人`,
    otherTables: (count) => `下方 ${count} 桌等人`,
    playing: (count) => `${count} 桌对局中`,
    noTables: "目前没有人开桌",
    failed: "无法加载",
    quickOf: (game) => `快速匹配：${game}`,
  },
  playButtons: {
    friend: "和好友玩",
    computer: "人机对战",
    level: "难度",
    createHint: "自定义规则和时间",
  },
  tableList: {
    filter: "筛选",
    all: "全部",
    waited: (minutes) => (minutes < 1 ? "等人中" : `已等 ${minutes} 分钟`),
    closed: "已关闭",
    emptySeats: (count) => `${count} 个空位`,
    computer: "电脑",
    bots: (count) => `${count} 个电脑`,
    away: "离线",
    delayed: (seconds) => `延迟 ${time(seconds)}`,
    seesHidden: "隐藏信息可能被看见",
  },
  emptyList: {
    title: "目前没有对局。",
    titleOf: (game) => `目前没有${game}桌。`,
    hint: "先开一桌吧，下一位访客就会看到。",
    computer: (game) => `和电脑玩${game}`,
    friend: "邀请好友",
  },
  yourTables: {
    seat: "你还有座位",
    waiting: (game, waited) => `${game}等人中，已等 ${waited}`,
    stop: "取消等待",
  },
  invite: {
    title: "邀请玩家",
    scan: "用手机扫码",
    picture: "这一桌链接的二维码",
    share: "分享…",
    shareText: (game) => `来和我玩${game}吧！`,
    waited: (waited) => `已等 ${waited}`,
    short: "桌号：",
    local: "只能在这台电脑上打开",
    elsewhere: "想让别人加入，请用 HOST=0.0.0.0 启动服务器，再从它列出的 network 网址打开本页。",
  },
};
