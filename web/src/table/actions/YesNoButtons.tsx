/** Yes and no in the place of the button they confirm. */

import { useEffect, useRef } from "preact/hooks";
import { ConfirmButton } from "./ConfirmButton";

interface YesNoButtonsProps {
  label: string;
  yes: string;
  no: string;
  /** The user asked for it: it takes the focus, and Escape means no. */
  question?: boolean;
  onYes: () => void;
  onNo: () => void;
}

export function YesNoButtons({ label, yes, no, question = false, onYes, onNo }: YesNoButtonsProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (question) ref.current?.querySelector<HTMLElement>(".choice-no")?.focus();
  }, [question]);
  return (
    <div
      ref={ref}
      class="yes-no joined"
      role={question ? "dialog" : "group"}
      aria-label={label}
      onKeyDown={(event) => question && event.key === "Escape" && onNo()}
    >
      <ConfirmButton class="choice-yes" label={yes} onClick={onYes}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 8.5l3.5 4 7.5-9" />
        </svg>
        <span class="yes-no-word">{yes}</span>
      </ConfirmButton>
      {question ? (
        <button class="choice-no" aria-label={no} title={no} onClick={onNo}>
          <Cross />
        </button>
      ) : (
        <ConfirmButton class="choice-no" label={no} onClick={onNo}>
          <Cross />
          <span class="yes-no-word">{no}</span>
        </ConfirmButton>
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
