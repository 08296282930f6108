/** Explosions, while they happen. */

import { useRef } from "preact/hooks";
import type { ChessScene } from "./lookback";
import { fullMinefield } from "./position";
import { SQUARES, type Colour } from "./squares";

/** Blasts that were there before the reader came are craters only. */
export function Booms({ scene, orientation }: { scene: ChessScene; orientation: Colour }) {
  const { position, room } = scene;
  const blasts = position?.minefield ? fullMinefield(position.minefield).blasts : [];
  const known = useRef({ match: room.match, count: blasts.length });
  if (known.current.match !== room.match) known.current = { match: room.match, count: 0 };
  return (
    <>
      {blasts.slice(known.current.count).map(({ square, ply }) => {
        const index = SQUARES.indexOf(square);
        const at = orientation === "white" ? index : 63 - index;
        const place = { left: `${(at % 8) * 12.5}%`, top: `${Math.floor(at / 8) * 12.5}%` };
        return <span key={ply} class="boom" style={place} aria-hidden="true" />;
      })}
    </>
  );
}
