/** The record of a game beside its board: the moves, and the way through them. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { follow, Steps, type StepWords } from "./steps";

interface RecordProps {
  text: StepWords & { moves: string; noMoves: string };
  step: number;
  total: number;
  /** How much is in the list, if moves are not all. */
  size?: number;
  /** There is nothing to look back at. */
  closed?: boolean;
  onTurn: (step: number) => void;
  head?: ComponentChildren;
  foot?: ComponentChildren;
  children: ComponentChildren;
}

export function MoveRecord({ text, step, total, size = total, closed = false, onTurn, head, foot, children }: RecordProps) {
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
        <Steps text={text} step={step} total={total} closed={closed} onTurn={onTurn} />
      </div>
      <ol
        class="moves-list"
        ref={list}
        tabIndex={0}
        aria-labelledby="moves-title"
        onKeyDown={(event) => !event.shiftKey && follow({ step, total, onTurn }, event)}
      >
        {size === 0 && <li class="soft moves-none">{text.noMoves}</li>}
        {children}
      </ol>
      {foot && <div class="moves-foot">{foot}</div>}
    </section>
  );
}

interface MoveProps {
  colour: "black" | "white";
  label: string;
  name: string;
  current: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/** One move of the list. */
export function MoveButton({ colour, label, name, current, disabled = false, onClick }: MoveProps) {
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
