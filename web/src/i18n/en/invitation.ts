/** Texts for an invited player, English. */

import type { InvitationTexts } from "../types/invitation";

export const invitation: InvitationTexts = {
  invitation: {
    invites: (game) => ` invites you to ${game.toLowerCase()}`,
    nameless: (game) => `You are invited to ${game.toLowerCase()}`,
    side: (side) => `You play ${side.toLowerCase()}`,
    seats: (taken, all) => `${taken} of ${all} seats taken`,
    offline: " is offline at the moment.",
    left: " has left the table",
    full: "The table is full",
    fullNote: "Somebody else took the last seat. You can watch the game.",
    closedNote: "The table is closed. Ask for a new link, or open a table yourself.",
  },
};
