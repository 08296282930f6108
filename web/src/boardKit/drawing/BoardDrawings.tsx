/** Draws circles and arrows over a board; they are seen by this viewer only. */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { followGestures, type Gestures } from "./drawGestures";
import { arrowPath, cellAt, centreOf, circlePath, withShape, type BoardArea, type Shape } from "./shapes";
import "./drawing.css";

export interface BoardDrawingsProps {
  board: HTMLElement;
  area: BoardArea;
  /** The last event on the board; it may begin a shape. */
  lastEvent: RefObject<Event | null>;
  /** What the board shows; a change of it clears all shapes. */
  content: unknown;
  /** A shape begins: the board forgets what the same press began. */
  onStart?: () => void;
}

export function BoardDrawings({ board, area, lastEvent, content, onStart }: BoardDrawingsProps) {
  const shapes = useSignal<readonly Shape[]>([]);
  const drawn = useSignal<Shape | null>(null);
  const gestures = useRef<Gestures>(null);
  const latest = useRef({ area, onStart });
  latest.current = { area, onStart };

  useLayoutEffect(() => {
    gestures.current?.cancel();
    shapes.value = [];
  }, [content]);

  useLayoutEffect(() => {
    const following = followGestures(board, {
      cellAt: ({ clientX, clientY }) => cellAt(clientX, clientY, board.getBoundingClientRect(), latest.current.area),
      onStart: () => latest.current.onStart?.(),
      onShape: (shape) => (drawn.value = shape),
      onFinish: (shape) => (shapes.value = withShape(shapes.value, shape)),
      onClear: () => (shapes.value = []),
    });
    gestures.current = following;
    if (lastEvent.current?.type === "pointerdown") following.press(lastEvent.current as PointerEvent);
    return following.stop;
  }, [board]);

  const current = drawn.value?.to === -1 ? null : drawn.value;
  const all = current ? [...shapes.value, current] : shapes.value;
  const { columns, rows, edge } = area;
  return (
    <svg class="drawings" viewBox={`0 0 ${columns + 2 * edge} ${rows + 2 * edge}`} aria-hidden="true">
      {all.map((shape) => (
        <DrawnShape key={`${shape.from} ${shape.to} ${shape === current}`} shape={shape} area={area} current={shape === current} />
      ))}
    </svg>
  );
}

function DrawnShape({ shape: { from, to, brush }, area, current }: { shape: Shape; area: BoardArea; current: boolean }) {
  const [start, end] = [centreOf(from, area), centreOf(to, area)];
  const circle = from === to;
  const classes = ["drawn", circle ? "drawn-circle" : "drawn-arrow", `drawn-${brush}`, current && "drawn-current"];
  return (
    <g class={classes.filter(Boolean).join(" ")} data-from={from} data-to={to}>
      <path class="drawn-outline" d={circle ? circlePath(start) : arrowPath(start, end)} />
      <path class="drawn-shape" d={circle ? circlePath(start) : arrowPath(start, end)} />
    </g>
  );
}
