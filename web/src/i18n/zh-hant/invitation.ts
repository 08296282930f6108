/** Texts for an invited player, Traditional Chinese. */

import type { InvitationTexts } from "../types/invitation";

export const invitation: InvitationTexts = {
  invitation: {
    invites: (game) => ` 邀你玩${game}`,
    nameless: (game) => `邀你玩${game}`,
    side: (side) => `你執${side}`,
    seats: (taken, all) => `已入座 ${taken}／${all}`,
    offline: " 目前離線。",
    left: " 已離開牌桌",
    full: "這桌已滿",
    fullNote: "最後的座位已有人入座，你可以觀戰。",
    closedNote: "這桌已關閉。請對方再傳一次連結，或自己開一桌。",
  },
};
