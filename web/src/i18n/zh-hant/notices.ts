/** Texts of what operators tell a person, Traditional Chinese. */

import type { NoticeTexts } from "../types/notices";

export const notices: NoticeTexts = {
  title: "管理員的訊息",
  announcement: "公告：",
  kinds: {
    warning: "管理員警告你：",
    mute: "你被禁言",
    unrated: "你不能參加積分賽",
    ban: "你已被這個伺服器封鎖",
  },
  until: (what, time) => `${what}，到 ${time} 為止。`,
  forGood: (what) => `${what}，沒有期限。`,
  reason: "原因：",
  made: (time) => `從 ${time} 開始`,
  retry: "重試",
  appeal: "申訴…",
  appealTitle: "請管理員重新考慮",
  appealLabel: "你想說明什麼？",
  send: "送出",
  sent: "已送出，管理員會看到。",
  errors: {
    no_such_sanction: "這項處分已經結束。",
    appeal_open: "你已經申訴過了，管理員會看到。",
    rate_limited: "申訴太多次了，請明天再試。",
    no_reason: "請先寫點內容。",
    unavailable: "伺服器暫時無法接受，請過一分鐘再試。",
    unreachable: "伺服器沒有回應，請檢查網路連線。",
  },
};
