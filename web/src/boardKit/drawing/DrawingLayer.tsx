/** Circles and arrows that a viewer draws on a board; loaded when the pointer or the focus reaches the board. */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { lazyComponents } from "../../common/lazyComponent";
import type { BoardDrawingsProps } from "./BoardDrawings";

const BoardDrawings = lazyComponents(() => import("./BoardDrawings"))(({ BoardDrawings }) => BoardDrawings, null);

interface DrawingLayerProps extends Omit<BoardDrawingsProps, "board" | "lastEvent"> {
  board: RefObject<HTMLElement | null>;
}

export function DrawingLayer({ board, ...more }: DrawingLayerProps) {
  const near = useSignal<HTMLElement | null>(null);
  const lastEvent = useRef<Event | null>(null);
  useLayoutEffect(() => {
    const reach = (event: Event) => {
      lastEvent.current = event;
      near.value = board.current;
    };
    for (const kind of ["pointermove", "pointerdown", "pointerup", "focusin"]) board.current!.addEventListener(kind, reach);
  }, []);
  return near.value && <BoardDrawings board={near.value} lastEvent={lastEvent} {...more} />;
}
