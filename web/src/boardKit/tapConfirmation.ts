/** Asks for a second tap where the cells of a board are too small for a finger. */

import { useRef } from "preact/hooks";
/** Below this size of a cell in pixels, a tap must be confirmed. */
const MIN_TOUCH_SIZE = 40;

/** The part of a scene that confirming a move needs. */
interface DraftScene<M> {
  draft: M | null;
  setDraft: (move: M | null) => void;
  play: (move: M) => void;
}

/** Return a function that plays a move or makes it the draft; the board needs the handler as well. */
export function useTapConfirmation<M>({ draft, setDraft, play }: DraftScene<M>) {
  const touched = useRef(false);
  return {
    /** Goes on an element around the board. */
    onPointerDown: (event: PointerEvent): void => {
      touched.current = event.pointerType === "touch";
    },
    press: (move: M, event: MouseEvent, cellSize: number): void => {
      // A click without a pointer comes from the keyboard or a screen reader.
      const tapped = event.detail !== 0 && touched.current;
      if (tapped && cellSize < MIN_TOUCH_SIZE && JSON.stringify(move) !== JSON.stringify(draft)) setDraft(move);
      else play(move);
    },
  };
}
