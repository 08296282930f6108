/** Buttons and keys to step back and forward. */

import { useLayoutEffect, useRef } from "preact/hooks";

export interface StepTexts {
  steps: string;
  first: string;
  previous: string;
  next: string;
  last: string;
}

interface StepButtonsProps {
  text: StepTexts;
  step: number;
  total: number;
  /** Stepping is disabled. */
  closed?: boolean;
  onStep: (step: number) => void;
}

export function StepButtons({ text, step, total, closed = false, onStep }: StepButtonsProps) {
  const latest = useRef({ step, total, onStep });
  latest.current = { step, total, onStep };
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !typing) stepByKey(latest.current, event);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const atStart = closed || step === 0;
  const atEnd = closed || step >= total;
  return (
    <div class="moves-steps joined" role="group" aria-label={text.steps}>
      <StepButton label={text.first} path="M4 3v10M13 3L6.5 8l6.5 5z" disabled={atStart} onClick={() => onStep(0)} />
      <StepButton label={text.previous} path="M11.5 3L5 8l6.5 5z" disabled={atStart} onClick={() => onStep(step - 1)} />
      <StepButton label={text.next} path="M4.5 3L11 8l-6.5 5z" disabled={atEnd} onClick={() => onStep(step + 1)} />
      <StepButton label={text.last} path="M12 3v10M3 3l6.5 5L3 13z" disabled={atEnd} onClick={() => onStep(total)} />
    </div>
  );
}

interface StepButtonProps {
  label: string;
  path: string;
  disabled: boolean;
  onClick: () => void;
}

function StepButton({ label, path, disabled, onClick }: StepButtonProps) {
  return (
    <button class="small step" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

/** Step by an arrow, Home or End key. */
export function stepByKey({ step, total, onStep }: Pick<StepButtonsProps, "step" | "total" | "onStep">, event: KeyboardEvent): void {
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: total }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  onStep(to);
}
