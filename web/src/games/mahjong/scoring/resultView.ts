/** Which view of a finished hand is shown: the table, the result of the hand, or the ranking of the match. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { pace } from "../../../common/windowSize";
import { isHandOver, type FullPosition } from "../position";
import { CALL_TIME } from "../table/CallOut";
import type { MahjongScene } from "../tiles/tileNames";

export type ResultView = "table" | "hand" | "ranking";

export interface ShownResult {
  view: ResultView;
  /** The page was open when the hand ended, so the result is shown step by step. */
  animated: boolean;
  show: (view: ResultView) => void;
}

/** Hook: the view that the user chose, or the usual one. */
export function useResultView({ room, live }: MahjongScene, game: FullPosition | null): ShownResult {
  const hand = game ? `${room.id}/${room.match}/${game.place}/${game.streak}` : "";
  const chosen = useSignal<{ hand: string; view: ResultView } | null>(null);
  const called = useSignal("");
  const seen = useRef("");
  const handOver = game !== null && isHandOver(game) && game.result !== null;
  const ended = handOver || (game !== null && room.phase === "over");
  if (!ended) seen.current = hand;
  const animated = live && seen.current === hand && pace() > 0;
  const waits = ended && animated && called.value !== hand;
  useEffect(() => {
    if (!waits) return;
    // The call-out is seen first.
    const timer = setTimeout(() => (called.value = hand), (CALL_TIME + 200) * pace());
    return () => clearTimeout(timer);
  }, [waits, hand]);
  const show = (view: ResultView) => (chosen.value = { hand, view });
  const usual = (): ResultView => {
    if (!ended || waits) return "table";
    if (!live) return handOver ? "hand" : "table";
    return room.phase === "over" && (!handOver || seen.current !== hand) ? "ranking" : "hand";
  };
  return { view: ended && chosen.value?.hand === hand ? chosen.value.view : usual(), animated, show };
}
