/** Picture of gomoku for the lobby. */

import "./lobby-picture.css";

const BLACK = [[72, 72], [96, 48], [120, 24], [144, 72], [168, 48]] as const;
const WHITE = [[96, 72], [120, 48], [120, 72], [144, 24]] as const;

export function LobbyPicture() {
  return (
    <svg class="lobby-picture lobby-picture-gomoku" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="lobby-picture-wood" d="M0 0h240v96H0z" />
      <path class="lobby-picture-wood-line" d="M0 24h240M0 48h240M0 72h240M24 0v96M48 0v96M72 0v96M96 0v96M120 0v96M144 0v96M168 0v96M192 0v96M216 0v96" />
      <circle class="lobby-picture-star" cx="48" cy="24" r="3" />
      <circle class="lobby-picture-star" cx="192" cy="72" r="3" />
      {BLACK.map(([x, y]) => (
        <g key={`${x} ${y}`}>
          <circle class="lobby-picture-black" cx={x} cy={y} r="11" />
          <circle class="lobby-picture-glint" cx={x - 4} cy={y - 4} r="2.5" />
        </g>
      ))}
      {WHITE.map(([x, y]) => (
        <circle class="lobby-picture-white" key={`${x} ${y}`} cx={x} cy={y} r="11" />
      ))}
    </svg>
  );
}
