/** Texts of the lobby, Traditional Chinese. */

import type { LobbyTexts } from "../types/lobby";

const time = (seconds: number) => (seconds % 60 ? `${seconds} 秒` : `${seconds / 60} 分鐘`);

export const lobby: LobbyTexts = {
  lobby: {
    game: "遊戲",
    online: (count) => `${count} 人在線上`,
    quick: "快速配對",
    create: "開桌",
    join: "輸入桌號",
    joinHint: "輸入朋友給你的桌號",
    code: "桌號",
    go: "加入",
    tables: "遊戲桌",
    loading: "載入中…",
    youHaveSeat: "你在一桌有座位。",
    backToTable: "回到牌桌",
    sit: "入座",
    watch: "觀戰",
    emptySeat: "空位",
    spectators: (count) => `${count} 人觀戰`,
    phase: { waiting: "等待中", playing: "對局中", over: "已結束", closed: "已關閉" },
  },
  gameCard: {
    waiting: (count) => `${count} 桌在等人`,
    otherTables: (count) => `下方 ${count} 桌等人`,
    playing: (count) => `${count} 桌對局中`,
    noTables: "目前沒有人開桌",
    failed: "無法載入",
    quickOf: (game) => `快速配對：${game}`,
  },
  playButtons: {
    friend: "約朋友玩",
    computer: "跟電腦玩",
    level: "難度",
    createHint: "自訂規則和時間",
  },
  tableList: {
    filter: "篩選",
    all: "全部",
    waited: (minutes) => (minutes < 1 ? "等人中" : `等了 ${minutes} 分鐘`),
    closed: "已關閉",
    emptySeats: (count) => `${count} 個空位`,
    computer: "電腦",
    bots: (count) => `${count} 位電腦`,
    away: "離線",
    delayed: (seconds) => `延遲 ${time(seconds)}`,
    seesHidden: "隱藏資訊可能被看見",
  },
  emptyList: {
    title: "目前沒有對局。",
    titleOf: (game) => `目前沒有${game}桌。`,
    hint: "先開一桌吧，下一位訪客就會看到。",
    computer: (game) => `跟電腦玩${game}`,
    friend: "邀請朋友",
  },
  yourTables: {
    seat: "你還有座位",
    waiting: (game, waited) => `${game}等人中，已等 ${waited}`,
    stop: "取消等待",
  },
  invite: {
    title: "邀請玩家",
    scan: "用手機掃描",
    picture: "這一桌連結的 QR Code",
    share: "分享…",
    shareText: (game) => `來跟我玩${game}！`,
    waited: (waited) => `已等 ${waited}`,
    short: "桌號：",
    local: "只能在這台電腦上開啟",
    elsewhere: "要讓別人加入，請用 HOST=0.0.0.0 啟動伺服器，再從它列出的 network 網址開啟這一頁。",
  },
};
