/** Animation of explosions. */

import { useRef } from "preact/hooks";
import type { ChessScene } from "../moveNavigation";
import { fullMinefield } from "../position";
import { SQUARES, type Colour } from "../squares";

/** Explosions from before the page was opened are not animated. */
export function Explosions({ scene, orientation }: { scene: ChessScene; orientation: Colour }) {
  const { position, room } = scene;
  const explosions = position?.minefield ? fullMinefield(position.minefield).explosions : [];
  const known = useRef({ match: room.match, count: explosions.length });
  if (known.current.match !== room.match) known.current = { match: room.match, count: 0 };
  return (
    <>
      {explosions.slice(known.current.count).map(({ square, ply }) => {
        const index = SQUARES.indexOf(square);
        const at = orientation === "white" ? index : 63 - index;
        const style = { left: `${(at % 8) * 12.5}%`, top: `${Math.floor(at / 8) * 12.5}%` };
        return <span key={ply} class="explosion" style={style} aria-hidden="true" />;
      })}
    </>
  );
}
