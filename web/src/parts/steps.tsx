/** The way back and forward through the record of a game: buttons, and keys that work anywhere with Shift. */

import { useEffect, useRef } from "preact/hooks";

export interface StepWords {
  steps: string;
  first: string;
  previous: string;
  next: string;
  last: string;
}

interface StepsProps {
  text: StepWords;
  step: number;
  total: number;
  /** There is nothing to look back at. */
  closed?: boolean;
  onTurn: (step: number) => void;
}

export function Steps({ text, step, total, closed = false, onTurn }: StepsProps) {
  const latest = useRef({ step, total, onTurn });
  latest.current = { step, total, onTurn };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !typing) follow(latest.current, event);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const atStart = closed || step === 0;
  const atEnd = closed || step >= total;
  return (
    <div class="moves-steps joined" role="group" aria-label={text.steps}>
      <Step label={text.first} path="M4 3v10M13 3L6.5 8l6.5 5z" off={atStart} onClick={() => onTurn(0)} />
      <Step label={text.previous} path="M11.5 3L5 8l6.5 5z" off={atStart} onClick={() => onTurn(step - 1)} />
      <Step label={text.next} path="M4.5 3L11 8l-6.5 5z" off={atEnd} onClick={() => onTurn(step + 1)} />
      <Step label={text.last} path="M12 3v10M3 3l6.5 5L3 13z" off={atEnd} onClick={() => onTurn(total)} />
    </div>
  );
}

interface StepProps {
  label: string;
  path: string;
  off: boolean;
  onClick: () => void;
}

function Step({ label, path, off, onClick }: StepProps) {
  return (
    <button class="small step" aria-label={label} title={label} disabled={off} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

/** Go where a key leads, if it leads anywhere. */
export function follow({ step, total, onTurn }: Pick<StepsProps, "step" | "total" | "onTurn">, event: KeyboardEvent): void {
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: total }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  onTurn(to);
}
