/** Decoration of a won game: a seal, and leaves that fall once. */

import { language } from "../../i18n/language";

/** x, y, turn and size of each leaf in a field of 420 × 120. */
const LEAVES = [
  [28, 20, 140, 5], [52, 46, 60, 5], [82, 28, 100, 7], [64, 76, 15, 8], [114, 58, 70, 8], [144, 26, 20, 9], [138, 92, 130, 6], [18, 84, 50, 7],
  [281, 33, 185, 9], [300, 58, 135, 8], [285, 94, 75, 6], [332, 25, 105, 7], [361, 81, 190, 8], [396, 70, 155, 7], [327, 104, 45, 6], [378, 40, 10, 5],
] as const;
const COLOURS = ["#a8322a", "#c8962a", "#1c6653", "#e0b25a"] as const;

export function WinSeal() {
  return (
    <svg class="end-seal" viewBox="0 0 96 96" aria-hidden="true">
      <g transform="rotate(-5 48 48)">
        <rect x="8" y="8" width="80" height="80" rx="15" fill="var(--seal)" />
        <rect x="14" y="14" width="68" height="68" rx="10" fill="none" stroke="var(--on-seal)" stroke-width="2.5" />
        <text x="48" y="66" text-anchor="middle" font-size="52" font-weight="700" fill="var(--on-seal)" lang="zh">
          {language.value === "zh-Hans" ? "胜" : "勝"}
        </text>
      </g>
    </svg>
  );
}

export function Leaves() {
  return (
    <svg class="end-leaves" viewBox="0 0 420 120" preserveAspectRatio="xMidYMin slice" aria-hidden="true">
      {LEAVES.map(([x, y, turn, size], number) => (
        <g key={number} class="end-leaf" style={{ animationDelay: `calc(var(--pace) * ${(number % 5) * 0.06}s)` }}>
          <path
            d="M0-1C.7-.3 .6.5 0 1C-.6.5-.7-.3 0-1Z"
            transform={`translate(${x} ${y}) rotate(${turn}) scale(${size})`}
            fill={COLOURS[number % COLOURS.length]}
          />
        </g>
      ))}
    </svg>
  );
}
