/** Wraps chessground and updates it. */

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Config } from "chessground/config";
import type { Key } from "chessground/types";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Destinations } from "./legalMoves";
import type { Colour } from "../squares";
import { pace } from "../../../common/windowSize";
import "chessground/assets/chessground.base.css";

export type GroundApi = Api;

/** Everything that is passed to chessground; it is updated only if this changes. */
export interface BoardContent {
  placement: string;
  orientation: Colour;
  /** Side to move on the board. */
  turn: Colour;
  /** Side whose pieces can be moved; null: neither. */
  mine: Colour | null;
  /** Null: any square is allowed. */
  dests: Destinations | null;
  lastMove: readonly string[];
  check: Colour | null;
  /** Marks on squares, as class names. */
  marks: ReadonlyMap<string, string>;
  /** Incremented to force an update. */
  resets: number;
}

interface ChessgroundProps {
  content: BoardContent;
  ground: RefObject<GroundApi | null>;
  onMove: (uci: string, premove: boolean) => void;
  onSelect: (square: string | null) => void;
}

export function ChessgroundBoard({ content, ground, onMove, onSelect }: ChessgroundProps) {
  const box = useRef<HTMLDivElement>(null);
  const moved = useRef(onMove);
  moved.current = onMove;
  const selected = useRef(onSelect);
  selected.current = onSelect;

  useLayoutEffect(() => {
    const api = Chessground(box.current!, {
      ...configOf(content),
      coordinates: true,
      drawable: { enabled: false, visible: false },
      draggable: { enabled: true, showGhost: true, distance: 4 },
      events: { select: () => selected.current(api.state.selected ?? null) },
    });
    api.set({ movable: { events: { after: (from, to, { premove }) => moved.current(from + to, premove) } } });
    ground.current = api;
    return () => api.destroy();
  }, []);

  const key = JSON.stringify({ ...content, dests: [...(content.dests ?? [])], marks: [...content.marks] });
  useLayoutEffect(() => {
    const api = ground.current;
    if (!api) return;
    api.set(configOf(content));
    if (content.mine === null) api.cancelPremove();
    else if (content.turn === content.mine) api.playPremove();
  }, [key]);

  return <div ref={box} class="cg-wrap" aria-hidden="true" />;
}

function configOf({ placement, orientation, turn, mine, dests, lastMove, check, marks }: BoardContent): Config {
  return {
    animation: { enabled: pace() > 0, duration: 180 * pace() },
    fen: placement,
    orientation,
    turnColor: turn,
    lastMove: lastMove as Key[],
    check: check ?? false,
    highlight: { custom: marks as Map<Key, string> },
    movable: { free: dests === null, dests: (dests ?? new Map()) as Map<Key, Key[]>, ...colour(mine) },
    premovable: { enabled: mine !== null && turn !== mine },
  };
}

/** No movable pieces: chessground needs the key to be present and undefined. */
function colour(mine: Colour | null): { color?: Colour } {
  return { color: mine ?? undefined } as { color?: Colour };
}
