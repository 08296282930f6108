/** The receipt of a move: time used, lag, and what of it was not charged. */

import { texts } from "../i18n/language";
import type { Replay } from "../net/protocol";

export interface MoveReceipt {
  /** Milliseconds. */
  used: number;
  /** Null: not known. */
  lag: number | null;
  compensated: number;
}

/** Return the receipt of the step, or null if it is no move on a clock. */
export function receiptOf({ frames }: Pick<Replay, "frames">, step: number): MoveReceipt | null {
  const frame = frames[step];
  if (step === 0 || !frame?.clock || frame.actor === null) return null;
  const began = frames[step - 1]?.clock?.since[frame.actor] ?? null;
  // A step that leaves the decision open, such as a roll of dice, is part of the move after it.
  if (began === null || frame.clock.since[frame.actor] === began) return null;
  const { lags, compensated } = frame.clock;
  return { used: Math.max(0, frame.at - began), lag: lags?.[frame.actor] ?? null, compensated: compensated?.[frame.actor] ?? 0 };
}

export function receiptText(replay: Replay, step: number): string {
  const receipt = receiptOf(replay, step);
  if (receipt === null) return "";
  const text = texts.value.replay;
  const seconds = (ms: number, digits: number) => (ms / 1000).toFixed(digits);
  const used = seconds(receipt.used, 1);
  return receipt.lag === null ? text.receiptWithoutLag(used) : text.receipt(used, seconds(receipt.lag, 2), seconds(receipt.compensated, 2));
}
