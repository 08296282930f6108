/** The board that is seen and touched: chessground, told again whenever something has changed. */

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Config } from "chessground/config";
import type { Key } from "chessground/types";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Dests } from "./legal";
import type { Colour } from "./squares";
import "chessground/assets/chessground.base.css";

export type Ground = Api;

/** Everything the picture depends on; it is told again only if this changes. */
export interface Picture {
  placement: string;
  orientation: Colour;
  /** Whose move it is, as far as the board is concerned. */
  turn: Colour;
  /** Whose pieces may be touched; null: nobody's. */
  mine: Colour | null;
  /** Null: any square will do. */
  dests: Dests | null;
  lastMove: readonly string[];
  check: Colour | null;
  /** Signs on squares, as names of classes. */
  marks: ReadonlyMap<string, string>;
  /** Grows when the board must be told again though nothing else has changed. */
  again: number;
}

interface GroundProps {
  picture: Picture;
  ground: RefObject<Ground | null>;
  onMove: (uci: string, premove: boolean) => void;
  onSelect: (square: string | null) => void;
}

export function GroundBoard({ picture, ground, onMove, onSelect }: GroundProps) {
  const box = useRef<HTMLDivElement>(null);
  const moved = useRef(onMove);
  moved.current = onMove;
  const selected = useRef(onSelect);
  selected.current = onSelect;

  useLayoutEffect(() => {
    const api = Chessground(box.current!, {
      ...configOf(picture),
      coordinates: true,
      drawable: { enabled: false, visible: false },
      draggable: { enabled: true, showGhost: true, distance: 4 },
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 180 },
      events: { select: () => selected.current(api.state.selected ?? null) },
    });
    api.set({ movable: { events: { after: (from, to, { premove }) => moved.current(from + to, premove) } } });
    ground.current = api;
    return () => api.destroy();
  }, []);

  const key = JSON.stringify({ ...picture, dests: [...(picture.dests ?? [])], marks: [...picture.marks] });
  useLayoutEffect(() => {
    const api = ground.current;
    if (!api) return;
    api.set(configOf(picture));
    if (picture.mine === null) api.cancelPremove();
    else if (picture.turn === picture.mine) api.playPremove();
  }, [key]);

  return <div ref={box} class="cg-wrap" aria-hidden="true" />;
}

function configOf({ placement, orientation, turn, mine, dests, lastMove, check, marks }: Picture): Config {
  return {
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

/** Nobody's pieces: the library wants the colour to be there and undefined. */
function colour(mine: Colour | null): { color?: Colour } {
  return { color: mine ?? undefined } as { color?: Colour };
}
