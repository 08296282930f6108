/** The rules number of mahjong by whose rules the page recomputes dice and walls. */

export const RULES_NUMBER = 1;
