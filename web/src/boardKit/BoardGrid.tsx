/** A board as a grid of buttons, for mouse, touch, keyboard and screen readers. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useRef } from "preact/hooks";
import { texts } from "../i18n/language";
import { cellByKey, turnedPlace } from "./gridKeys";

/** A cell as it is shown now. */
export interface GridCell {
  /** What a screen reader says: the place and its content. */
  label: string;
  class?: string;
  /** Pressing the cell does nothing; it can still be focused and read. */
  disabled?: boolean;
  /** The cell holds the piece that is about to move. */
  selected?: boolean;
  /** Name of the cell in the notation of the game. */
  square?: string;
  children?: ComponentChildren;
}

export interface BoardGridProps {
  columns: number;
  rows: number;
  /** Accessible name of the board. */
  label: string;
  /** The cell that the Tab key reaches. */
  focus: Signal<number>;
  class?: string;
  rowClass?: string;
  /** Show the board turned by 180 degrees; cells keep their numbers. */
  turned?: boolean;
  /** Return a cell by its number, counted by rows from the top left. */
  cell: (number: number) => GridCell;
  /** A cell that is not disabled was pressed: by mouse, touch, Enter, Space or a screen reader. */
  onPress?: (number: number, event: TargetedMouseEvent<HTMLButtonElement>) => void;
  /** Escape was pressed. */
  onCancel?: () => void;
  /** Decoration in front of the rows. */
  children?: ComponentChildren;
}

export function BoardGrid({ columns, rows, label, focus, class: style = "", rowClass = "", turned = false, cell, onPress, onCancel, children }: BoardGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const shape = { columns, rows, turned };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel?.();
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = cellByKey(focus.value, event.key, shape);
    if (next === null) return;
    event.preventDefault();
    focus.value = next;
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };

  const button = (number: number) => {
    const { label: content, class: cellClass, disabled, selected, square, children: inside } = cell(number);
    return (
      <button
        key={number}
        type="button"
        role="gridcell"
        class={cellClass}
        data-cell={number}
        data-square={square}
        aria-label={content}
        aria-disabled={disabled}
        aria-selected={selected}
        tabIndex={number === focus.value ? 0 : -1}
        onFocus={() => (focus.value = number)}
        onClick={(event) => disabled || onPress?.(number, event)}
      >
        {inside}
      </button>
    );
  };

  return (
    <div ref={grid} class={style} role="grid" aria-label={label} aria-description={texts.value.sidePanel.keys} onKeyDown={onKeyDown}>
      {children}
      {Array.from({ length: rows }, (_, row) => (
        <div class={rowClass} role="row" key={row}>
          {Array.from({ length: columns }, (_, column) => button(turnedPlace(row * columns + column, shape)))}
        </div>
      ))}
    </div>
  );
}
