/** Picture of chess beside its ways to play; it shows the chosen twist. */

import "./hero-picture.css";

/** Piece, column and row on the board. */
const PIECES = [
  ["black king", 1, 0],
  ["black pawn", 2, 1],
  ["pawn", 0, 2],
  ["knight", 1, 2],
  ["king", 2, 3],
] as const;
const DARK = "M64 0h64v64H64zM0 64h64v64H0zM128 64h64v64h-64zM64 128h64v64H64zM0 192h64v64H0zM128 192h64v64h-64z";

export function HeroPicture({ preset }: { preset: string | undefined }) {
  return (
    <svg class="lobby-picture lobby-picture-chess" viewBox="0 0 192 256" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="lobby-picture-light" d="M0 0h192v256H0z" />
      <path class="lobby-picture-dark" d={DARK} />
      {PIECES.map(([piece, column, row]) => (
        <foreignObject key={piece} x={column * 64} y={row * 64} width="64" height="64">
          <i class={`chess-piece ${piece}`} />
        </foreignObject>
      ))}
      {preset === "fog" && <path class="hero-picture-fog" d="M0 0h192v128H128v-64H64v64H0z" />}
      {preset === "dice" && (
        <>
          <Die x={32} y={214} turn={-10} dots="M-9-9h.01M9 9h.01M0 0h.01M9-9h.01M-9 9h.01" red />
          <Die x={84} y={208} turn={12} dots="M-9-9h.01M9 9h.01M0 0h.01" />
        </>
      )}
      {preset === "mines" && (
        <g class="hero-picture-mine" transform="translate(32 96)">
          <path d="M0-22V22M-22 0H22M-15-15L15 15M15-15L-15 15" />
          <circle r="14" />
        </g>
      )}
    </svg>
  );
}

function Die({ x, y, turn, dots, red = false }: { x: number; y: number; turn: number; dots: string; red?: boolean }) {
  return (
    <g class={red ? "hero-picture-die hero-picture-die-red" : "hero-picture-die"} transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect x="-20" y="-20" width="40" height="40" rx="8" />
      <path d={dots} />
    </g>
  );
}
