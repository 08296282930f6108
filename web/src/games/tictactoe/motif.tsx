/** A picture of the game, for its card in the lobby. */

export function Motif() {
  return (
    <svg class="motif motif-ttt" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="motif-ghost" d="M22 20l14 14M36 20L22 34M196 62l14 14M210 62l-14 14M24 68l10 10M34 68L24 78" />
      <path class="motif-ghost" d="M54 58a8 8 0 1 1-.01 0M210 18a8 8 0 1 1-.01 0M182 30a6 6 0 1 1-.01 0" />
      <path class="motif-grid" d="M104 8v80M136 8v80M76 34h88M76 62h88" />
      <path class="motif-x" d="M83 13l14 14M97 13L83 27M113 41l14 14M127 41l-14 14M143 69l14 14M157 69l-14 14" />
      <path class="motif-o" d="M120 12a8 8 0 1 1-.01 0M150 40a8 8 0 1 1-.01 0M90 68a8 8 0 1 1-.01 0" />
    </svg>
  );
}
