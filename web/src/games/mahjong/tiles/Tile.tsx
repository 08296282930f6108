/** One tile, open or face down. */

import { cornerOf, FLOWER, kindOf } from "./tiles";

interface TileProps {
  tile: number;
  class?: string;
  /** Accessible name, if the parent has none. */
  label?: string;
}

export function Tile({ tile, ...more }: TileProps) {
  return <Kind kind={kindOf(tile)} {...more} />;
}

interface KindProps extends Omit<TileProps, "tile"> {
  kind: number;
}

/** Any tile of a kind. */
export function Kind({ kind, class: style = "", label }: KindProps) {
  const labels = label ? ({ role: "img", "aria-label": label } as const) : { "aria-hidden": true };
  return (
    <span class={`mj-tile ${style}`} data-kind={kind} {...labels}>
      <svg viewBox="0 0 60 80">
        <use href={`#mj-${kind}`} />
        {kind < FLOWER && (
          <text class="mj-corner" x="3" y="14">
            {cornerOf(kind)}
          </text>
        )}
      </svg>
    </span>
  );
}

export function Back({ class: style = "" }: { class?: string }) {
  return <span class={`mj-tile mj-back ${style}`} aria-hidden="true" />;
}
