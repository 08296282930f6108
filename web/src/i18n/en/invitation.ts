/** Texts for an invited player, English. */

import type { InvitationTexts } from "../types/invitation";

/** Names of games and sides within a sentence. */
const lower = (name: string) => `${name}`.toLowerCase();

export const invitation: InvitationTexts = {
  invitation: {
    invites: (game) => ` invites you to ${lower(game)}`,
    nameless: (game) => `You are invited to ${lower(game)}`,
    side: (side) => `You play ${lower(side)}`,
    seats: (taken, all) => `${taken} of ${all} seats taken`,
    offline: " is offline at the moment.",
    left: " has left the table",
    full: "The table is full",
    fullNote: "Somebody else took the last seat. You can watch the game.",
    closedNote: "The table is closed. Ask for a new link, or open a table yourself.",
  },
};
