/** Gestures that draw on a board: the right mouse button, a long press on a touch screen, keys. */

import { brushOf, type Shape } from "./shapes";

/** How long a finger must rest, in milliseconds. */
const LONG_PRESS = 400;
/** A finger that moves further, in pixels, scrolls or moves a piece. */
const REST = 10;

export interface Drawing {
  cellAt: (event: PointerEvent) => number | null;
  /** A shape begins. */
  onStart: () => void;
  /** Show the shape that is being drawn. */
  onShape: (shape: Shape | null) => void;
  onFinish: (shape: Shape) => void;
  onClear: () => void;
}

export interface Gestures {
  /** Forget the shape that is being drawn. */
  cancel: () => void;
  /** Begin with an event from before. */
  press: (event: PointerEvent) => void;
  stop: () => void;
}

/** A pointer that is down, with the shape as soon as it draws one. */
interface Press {
  event: PointerEvent;
  timer: number;
  from: number;
  shape: Shape | null;
}

/** Follow the gestures on a board until they are stopped. */
export function followGestures(board: HTMLElement, { cellAt, onStart, onShape, onFinish, onClear }: Drawing): Gestures {
  let pressed: Press | null = null;
  let arrowFrom: number | null = null;
  let skipClick = false;

  const cancel = () => {
    clearTimeout(pressed?.timer);
    pressed = arrowFrom = null;
    onShape(null);
  };

  const begin = () => {
    if (pressed === null) return;
    const { event, from } = pressed;
    onStart();
    skipClick = event.button === 0;
    pressed.shape = { from, to: from, brush: brushOf(event) };
    onShape(pressed.shape);
  };

  const press = (event: PointerEvent) => {
    const second = pressed !== null;
    cancel();
    skipClick = false;
    const from = cellAt(event);
    // Buttons over the board, such as those of a promotion, are not drawn on.
    if (second || from === null || (event.target as Element).closest("button:not([data-cell])")) return;
    const right = event.button === 2;
    if (event.pointerType === "mouse" && !right) return event.button === 0 ? onClear() : undefined;
    pressed = { event, from, shape: null, timer: right ? 0 : window.setTimeout(begin, LONG_PRESS - (performance.now() - event.timeStamp)) };
    if (right) begin();
  };

  const move = (event: PointerEvent) => {
    if (event.pointerId !== pressed?.event.pointerId) return;
    const { event: start, from, shape } = pressed;
    if (shape === null) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > REST) cancel();
      return;
    }
    const to = cellAt(event);
    if (to !== shape.to) onShape((pressed.shape = { from, to: to ?? -1, brush: shape.brush }));
  };

  const release = (event: PointerEvent) => {
    if (event.pointerId !== pressed?.event.pointerId) return;
    const { shape } = pressed;
    cancel();
    // A short tap clears; outside the board nothing is drawn.
    if (shape === null) onClear();
    else if (shape.to >= 0) onFinish(shape);
  };

  const key = (event: KeyboardEvent) => {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-cell]")?.dataset.cell : undefined;
    if (cell === undefined || event.ctrlKey || event.metaKey) return;
    const at = Number(cell);
    const brush = brushOf(event);
    switch (event.key.toLowerCase()) {
      case "c":
        return onFinish({ from: at, to: at, brush });
      case "a":
        if (arrowFrom === null || arrowFrom === at) {
          const ended = arrowFrom === at;
          cancel();
          if (ended) return;
          arrowFrom = at;
          return onShape({ from: at, to: at, brush });
        } else {
          const shape = { from: arrowFrom, to: at, brush };
          cancel();
          return onFinish(shape);
        }
      case "escape":
        cancel();
        return onClear();
    }
  };

  const focus = ({ target }: FocusEvent) => {
    const cell = target instanceof HTMLElement ? target.dataset.cell : undefined;
    if (arrowFrom !== null && cell !== undefined) onShape({ from: arrowFrom, to: Number(cell), brush: "green" });
  };

  // The menu of the browser opens elsewhere as usual, and here with the keyboard.
  const menu = (event: MouseEvent) => (event.button === 2 || pressed !== null) && event.preventDefault();
  const scroll = (event: TouchEvent) => pressed?.shape && event.cancelable && event.preventDefault();
  const click = (event: Event) => {
    if (skipClick) event.stopPropagation();
    skipClick = false;
  };

  const stopped = new AbortController();
  const { signal } = stopped;
  board.addEventListener("pointerdown", press, { signal });
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", release, { signal });
  addEventListener("pointercancel", cancel, { signal });
  board.addEventListener("keydown", key, { signal });
  board.addEventListener("focusin", focus, { signal });
  board.addEventListener("contextmenu", menu, { signal });
  board.addEventListener("touchmove", scroll, { signal, passive: false });
  board.addEventListener("click", click, { signal, capture: true });
  return { cancel, press, stop: () => stopped.abort() };
}
