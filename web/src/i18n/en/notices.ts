/** Texts of what operators tell a person, English. */

import type { NoticeTexts } from "../types/notices";

export const notices: NoticeTexts = {
  title: "From the operators",
  announcement: "Notice: ",
  kinds: {
    warning: "The operators warn you: ",
    mute: "You cannot write in chats",
    unrated: "You cannot play rated games",
    ban: "You are banned from this server",
  },
  until: (what, time) => `${what} until ${time}. `,
  forGood: (what) => `${what}, without an end. `,
  reason: "Reason: ",
  made: (time) => `Since ${time}`,
  retry: "Try again",
  appeal: "Appeal…",
  appealTitle: "Ask the operators to look at it again",
  appealLabel: "What should they know?",
  send: "Send",
  sent: "Sent. An operator will read it.",
  errors: {
    no_such_sanction: "It has ended already.",
    appeal_open: "You have written already. An operator will read it.",
    rate_limited: "You have written too often. Try again tomorrow.",
    no_reason: "Write something first.",
    unavailable: "The server cannot take it now. Try again in a minute.",
    unreachable: "The server does not answer. Check your connection.",
  },
};
