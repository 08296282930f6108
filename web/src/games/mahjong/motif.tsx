/** A picture of the game, for its card in the lobby. */

import type { ComponentChildren } from "preact";

const EAST = "M12 21H88M50 5V95M25 36H75V62H25ZM25 49H75M48 62L12 91M52 62L88 91";
const MIDDLE = "M15 27H85V64H15ZM50 5V96";

export function Motif() {
  return (
    <svg class="motif motif-mahjong" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="motif-felt" d="M0 0h240v96H0z" />
      <Tile x={9}>
        <path class="motif-bamboo" d="M11 14v18M20 14v18M29 14v18M15 38v16M25 38v16" />
      </Tile>
      <Tile x={55}>
        <path class="motif-wind" transform="translate(7 18) scale(.26 .32)" d={EAST} />
      </Tile>
      <Tile x={101}>
        <path class="motif-dragon" transform="translate(6 12) scale(.28 .42)" d={MIDDLE} />
      </Tile>
      <Tile x={147}>
        <circle class="motif-dot" cx="20" cy="33" r="5" />
        <path class="motif-dots" d="M11 17.500v.01M29 17.500v.01M11 49v.01M29 49v.01" />
      </Tile>
      <Tile x={193}>
        <path class="motif-wan" d="M12 16h16M9 23h22M14 30h12v10H14zM14 35h12M20 30v20M12 44h16v9" />
      </Tile>
    </svg>
  );
}

function Tile({ x, children }: { x: number; children: ComponentChildren }) {
  return (
    <g transform={`translate(${x} 16)`}>
      <rect class="motif-tile-back" y="3" width="40" height="66" rx="5" />
      <rect class="motif-tile" width="40" height="65" rx="5" />
      {children}
    </g>
  );
}
