/** How an offer is worded. */

import type { Words } from "../i18n/words";
import type { OfferKind } from "../wire";

export interface Wording {
  title: string;
  wanted: (name: string) => string;
  asked: string;
}

export function proposal(table: Words["table"], kind: OfferKind): Wording {
  return {
    rematch: { title: table.rematch, wanted: table.rematchWanted, asked: table.rematchAsked },
    draw: { title: table.drawTitle, wanted: table.drawWanted, asked: table.drawAsked },
    undo: { title: table.undoTitle, wanted: table.undoWanted, asked: table.undoAsked },
    swap: { title: table.swapTitle, wanted: table.swapWanted, asked: table.swapAsked },
  }[kind];
}
