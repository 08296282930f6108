/** Icon of a game; a neutral one until the game is loaded. */

import { partsOf } from "../games/gameRegistry";

export function GameIcon({ game }: { game: string }) {
  const Icon = partsOf(game)?.Icon;
  if (Icon) return <Icon />;
  return (
    <svg class="game-icon" viewBox="0 0 32 32" aria-hidden="true">
      <path class="game-icon-lines" d="M4 4h24v24H4zM16 4v24M4 16h24" />
    </svg>
  );
}
