/** Picture of mahjong for the lobby. */

import type { ComponentChildren } from "preact";
import "./lobby-picture.css";

const EAST = "M12 21H88M50 5V95M25 36H75V62H25ZM25 49H75M48 62L12 91M52 62L88 91";
const MIDDLE = "M15 27H85V64H15ZM50 5V96";

export function LobbyPicture() {
  return (
    <svg class="lobby-picture lobby-picture-mahjong" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="lobby-picture-felt" d="M0 0h240v96H0z" />
      <Tile x={9}>
        <path class="lobby-picture-bamboo" d="M11 14v18M20 14v18M29 14v18M15 38v16M25 38v16" />
      </Tile>
      <Tile x={55}>
        <Wind />
      </Tile>
      <Tile x={101}>
        <Dragon />
      </Tile>
      <Tile x={147}>
        <circle class="lobby-picture-dot" cx="20" cy="33" r="5" />
        <path class="lobby-picture-dots" d="M11 17.500v.01M29 17.500v.01M11 49v.01M29 49v.01" />
      </Tile>
      <Tile x={193}>
        <path class="lobby-picture-wan" d="M12 16h16M9 23h22M14 30h12v10H14zM14 35h12M20 30v20M12 44h16v9" />
      </Tile>
    </svg>
  );
}

/** 東 */
export function Wind() {
  return <path class="lobby-picture-wind" transform="translate(7 18) scale(.26 .32)" d={EAST} />;
}

/** 中 */
export function Dragon() {
  return <path class="lobby-picture-dragon" transform="translate(6 12) scale(.28 .42)" d={MIDDLE} />;
}

/** An empty tile with something on it. */
export function Tile({ x, y = 16, children }: { x: number; y?: number; children: ComponentChildren }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class="lobby-picture-tile-back" y="3" width="40" height="66" rx="5" />
      <rect class="lobby-picture-tile" width="40" height="65" rx="5" />
      {children}
    </g>
  );
}
