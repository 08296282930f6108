/** How a game ended, as a sentence. */

import { endedEarly, resultText, texts, winText } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import type { Seat } from "../../net/protocol";
import { nameAt } from "../turn";

/** Return who won and how; empty during a game. */
export function outcomeText(room: Room, you: Seat | null): string {
  const { outcome } = texts.value;
  const winners = room.result?.winners ?? [];
  if (you !== null && winners.includes(you)) return sentence(room, outcome.youWin);
  if (winners.every((seat) => room.players[seat])) return sentence(room, winText(winners.map((seat) => nameAt(room, seat))));
  return you === null ? outcome.over : sentence(room, outcome.youLose);
}

/** Return the same from the view of the reader: a player has won or lost. */
export function outcomeTitle(room: Room, you: Seat | null): string {
  const winners = room.result?.winners ?? [];
  if (you === null || winners.length === 0 || winners.includes(you)) return outcomeText(room, you);
  return sentence(room, texts.value.outcome.youLose);
}

function sentence(room: Room, who: string): string {
  if (!room.result) return "";
  const { winners, reason } = room.result;
  const early = endedEarly(room.result, room.players.map((player) => player?.bot));
  return resultText(room.game, who, winners.length > 0 && !early, reason);
}
