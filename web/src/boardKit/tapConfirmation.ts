/** Moves that wait for confirmation: where cells are too small for a finger, or if the user wants it for every move. */

import { useRef } from "preact/hooks";
import { confirmMoves } from "../settings/boardSettings";

/** Below this size of a cell in pixels, a tap must be confirmed. */
const MIN_TOUCH_SIZE = 40;

/** The part of a scene that confirming a move needs. */
interface DraftScene<M> {
  draft: M | null;
  setDraft: (move: M | null) => void;
  play: (move: M) => void;
}

/** Play a move; if it must be confirmed, make it the draft first. */
export function playOrDraft<M>({ draft, setDraft, play }: DraftScene<M>, move: M, confirm = confirmMoves.value): void {
  if (confirm && JSON.stringify(move) !== JSON.stringify(draft)) setDraft(move);
  else play(move);
}

/** Return a function that plays a move or makes it the draft; the board needs the handler as well. */
export function useTapConfirmation<M>(scene: DraftScene<M>) {
  const touched = useRef(false);
  return {
    /** Goes on an element around the board. */
    onPointerDown: (event: PointerEvent): void => {
      touched.current = event.pointerType === "touch";
    },
    press: (move: M, event: MouseEvent, cellSize: number): void => {
      // A click without a pointer comes from the keyboard or a screen reader.
      const tapped = event.detail !== 0 && touched.current;
      playOrDraft(scene, move, confirmMoves.value || (tapped && cellSize < MIN_TOUCH_SIZE));
    },
  };
}
