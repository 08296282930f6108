/** Moves of a game as buttons, with the current one marked. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { stepByKey, StepButtons, type StepTexts } from "./StepButtons";

interface MoveListProps {
  text: StepTexts & { moves: string; noMoves: string };
  step: number;
  total: number;
  /** Number of list entries, if it differs from the number of moves. */
  size?: number;
  /** Stepping is disabled. */
  closed?: boolean;
  onStep: (step: number) => void;
  head?: ComponentChildren;
  foot?: ComponentChildren;
  children: ComponentChildren;
}

export function MoveList({ text, step, total, size = total, closed = false, onStep, head, foot, children }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = () => {
      const current = box.querySelector<HTMLElement>("[aria-current]");
      if (current) box.scrollTop = current.offsetTop - (box.clientHeight - current.offsetHeight) / 2;
      else box.scrollTop = step === 0 ? 0 : box.scrollHeight;
    };
    const observer = new ResizeObserver(show);
    observer.observe(box);
    show();
    return () => observer.disconnect();
  }, [step, total, size]);

  return (
    <section class="moves" aria-labelledby="moves-title">
      <div class="moves-head">
        <h2 id="moves-title">{text.moves}</h2>
        {head}
        <StepButtons text={text} step={step} total={total} closed={closed} onStep={onStep} />
      </div>
      <ol
        class="moves-list"
        ref={list}
        tabIndex={0}
        aria-labelledby="moves-title"
        onKeyDown={(event) => !event.shiftKey && stepByKey({ step, total, onStep }, event)}
      >
        {size === 0 && <li class="soft moves-none">{text.noMoves}</li>}
        {children}
      </ol>
      {foot && <div class="moves-foot">{foot}</div>}
    </section>
  );
}

interface MoveButtonProps {
  colour: "black" | "white";
  label: string;
  name: string;
  current: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/** One move of the list. */
export function MoveButton({ colour, label, name, current, disabled = false, onClick }: MoveButtonProps) {
  return (
    <button
      class={`moves-move moves-${colour}`}
      tabIndex={-1}
      disabled={disabled}
      aria-label={label}
      aria-current={current ? "step" : undefined}
      onClick={onClick}
    >
      {name}
    </button>
  );
}
