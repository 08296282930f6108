/** What a move that waits for confirmation needs besides its button: cancelling, and the keys Enter and Escape. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../../i18n/language";

interface DraftControlsProps {
  /** Null: the move cannot be made. */
  onConfirm: (() => void) | null;
  onCancel: () => void;
}

export function DraftControls(props: DraftControlsProps) {
  const latest = useRef(props);
  latest.current = props;
  // Before the next paint: a key may be pressed as soon as the button is seen.
  useLayoutEffect(() => {
    const keys = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (defaultPrevented || (target as Element).closest?.("dialog")) return;
      if (key === "Escape") latest.current.onCancel();
      // Elsewhere, Enter presses what has the focus.
      if (key === "Enter" && !(target as Element).matches?.("a, button, input, select, summary, [tabindex='0']")) latest.current.onConfirm?.();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const label = texts.value.cancel;
  return (
    <button class="draft-cancel" aria-label={label} title={label} onClick={props.onCancel}>
      ✕
    </button>
  );
}
