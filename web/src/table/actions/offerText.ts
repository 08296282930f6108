/** Texts of an offer: question, buttons, waiting. */

import type { Texts } from "../../i18n/types";
import type { OfferKind } from "../../net/protocol";

export interface OfferTexts {
  title: string;
  question: (name: string) => string;
  waiting: string;
}

export function offerTexts(table: Texts["table"], kind: OfferKind): OfferTexts {
  return {
    rematch: { title: table.rematch, question: table.rematchQuestion, waiting: table.rematchWaiting },
    draw: { title: table.drawTitle, question: table.drawQuestion, waiting: table.drawWaiting },
    undo: { title: table.undoTitle, question: table.undoQuestion, waiting: table.undoWaiting },
    swap: { title: table.swapTitle, question: table.swapQuestion, waiting: table.swapWaiting },
  }[kind];
}
