/** Texts for an invited player, Simplified Chinese. */

import type { InvitationTexts } from "../types/invitation";

export const invitation: InvitationTexts = {
  invitation: {
    invites: (game) => ` 邀请你玩${game}`,
    nameless: (game) => `邀请你玩${game}`,
    side: (side) => `你执${side}`,
    seats: (taken, all) => `已入座 ${taken}／${all}`,
    offline: " 目前离线。",
    left: " 已离开牌桌",
    full: "这桌已满",
    fullNote: "最后的座位已有人入座，你可以观战。",
    closedNote: "这桌已关闭。请对方再发一次链接，或自己开一桌。",
  },
};
