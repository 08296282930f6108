/** Texts of what operators tell a person, Simplified Chinese. */

import type { NoticeTexts } from "../types/notices";

export const notices: NoticeTexts = {
  title: "管理员的消息",
  announcement: "公告：",
  kinds: {
    warning: "管理员警告你：",
    mute: "你已被禁言",
    unrated: "你不能参加积分赛",
    ban: "你已被这个服务器封禁",
  },
  until: (what, time) => `${what}，到 ${time} 为止。`,
  forGood: (what) => `${what}，没有期限。`,
  reason: "原因：",
  made: (time) => `从 ${time} 开始`,
  retry: "重试",
  appeal: "申诉…",
  appealTitle: "请管理员重新考虑",
  appealLabel: "你想说明什么？",
  send: "发送",
  sent: "已发送，管理员会看到。",
  errors: {
    no_such_sanction: "这项处罚已经结束。",
    appeal_open: "你已经申诉过了，管理员会看到。",
    rate_limited: "申诉太频繁，请明天再试。",
    no_reason: "请先写点内容。",
    unavailable: "服务器暂时无法接受，请过一分钟再试。",
    unreachable: "服务器没有响应，请检查网络连接。",
  },
};
