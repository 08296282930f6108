/** Picture of tic-tac-toe for the lobby. */

import "./lobby-picture.css";

export function LobbyPicture() {
  return (
    <svg class="lobby-picture lobby-picture-ttt" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="lobby-picture-ghost" d="M22 20l14 14M36 20L22 34M196 62l14 14M210 62l-14 14M24 68l10 10M34 68L24 78" />
      <path class="lobby-picture-ghost" d="M54 58a8 8 0 1 1-.01 0M210 18a8 8 0 1 1-.01 0M182 30a6 6 0 1 1-.01 0" />
      <path class="lobby-picture-grid" d="M104 8v80M136 8v80M76 34h88M76 62h88" />
      <path class="lobby-picture-x" d="M83 13l14 14M97 13L83 27M113 41l14 14M127 41l-14 14M143 69l14 14M157 69l-14 14" />
      <path class="lobby-picture-o" d="M120 12a8 8 0 1 1-.01 0M150 40a8 8 0 1 1-.01 0M90 68a8 8 0 1 1-.01 0" />
    </svg>
  );
}
