/** Yes and no side by side in the place of what they answer; the question itself stands under the board. */

import { useEffect, useRef } from "preact/hooks";
import { Armed } from "./armed";

interface ChoiceProps {
  label: string;
  yes: string;
  no: string;
  /** The reader asked for it himself: it takes the focus, and Escape means no. */
  asked?: boolean;
  onYes: () => void;
  onNo: () => void;
}

export function Choice({ label, yes, no, asked = false, onYes, onNo }: ChoiceProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked) ref.current?.querySelector<HTMLElement>(".choice-no")?.focus();
  }, [asked]);
  return (
    <div
      ref={ref}
      class="yes-no joined"
      role={asked ? "dialog" : "group"}
      aria-label={label}
      onKeyDown={(event) => asked && event.key === "Escape" && onNo()}
    >
      <Armed class="choice-yes" label={yes} onClick={onYes}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 8.5l3.5 4 7.5-9" />
        </svg>
      </Armed>
      {asked ? (
        <button class="choice-no" aria-label={no} title={no} onClick={onNo}>
          <Cross />
        </button>
      ) : (
        <Armed class="choice-no" label={no} onClick={onNo}>
          <Cross />
        </Armed>
      )}
    </div>
  );
}

function Cross() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />
    </svg>
  );
}
