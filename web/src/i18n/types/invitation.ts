/** Type of the texts for an invited player. */

export interface InvitationTexts {
  invitation: {
    /** After the name of the inviting player. */
    invites: (game: string) => string;
    nameless: (game: string) => string;
    side: (side: string) => string;
    seats: (taken: number, all: number) => string;
    /** The rest of the sentence after a name. */
    offline: string;
    left: string;
    full: string;
    fullNote: string;
    closedNote: string;
  };
}
