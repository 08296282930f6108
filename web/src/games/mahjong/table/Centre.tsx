/** The centre: round, tiles left, whose turn. */

import type { Texts } from "../../../i18n/types";
import type { Seat } from "../../../net/protocol";
import { windName } from "../tiles/tileNames";
import { isHandOver, type FullPosition } from "../position";

/** Positions of the dots of a die, on a 6×6 square. */
const DIE_DOTS: readonly (readonly (readonly [number, number])[])[] = [
  [[3, 3]],
  [[1.6, 1.6], [4.4, 4.4]],
  [[1.4, 1.4], [3, 3], [4.6, 4.6]],
  [[1.5, 1.5], [4.5, 1.5], [1.5, 4.5], [4.5, 4.5]],
  [[1.4, 1.4], [4.6, 1.4], [3, 3], [1.4, 4.6], [4.6, 4.6]],
  [[1.6, 1.3], [4.4, 1.3], [1.6, 3], [4.4, 3], [1.6, 4.7], [4.4, 4.7]],
];

export function Centre({ game, seats, texts }: { game: FullPosition; seats: readonly Seat[]; texts: Texts }) {
  const { mahjong } = texts.games;
  const dice = game.opening;
  const turn = isHandOver(game) ? null : game.turn;
  return (
    <div class="mj-centre">
      {seats.map((seat, side) => {
        const wind = game.players[seat]!.wind;
        const classes = ["mj-wind", `mj-wind-${side}`, seat === turn && "mj-wind-on", seat === game.dealer && "mj-wind-dealer"];
        return (
          <span key={seat} class={classes.filter(Boolean).join(" ")} aria-hidden="true">
            {mahjong.winds[wind]?.slice(0, 1)}
          </span>
        );
      })}
      <div class="mj-facts">
        <span class="mj-round">{mahjong.round(game.wind, game.place % 4)}</span>
        <span class="mj-left" role="img" aria-label={texts.games.mahjong.table.left(game.drawable)}>
          {game.drawable}
        </span>
        <span class="mj-left-label" aria-hidden="true">
          {texts.games.mahjong.table.leftLabel}
        </span>
        <span class="mj-more">
          {dice.length > 0 && (
            <span class="mj-dice" role="img" aria-label={texts.games.mahjong.table.dice(dice.join(mahjong.comma))}>
              {dice.map((dots, number) => (
                <Die key={number} dots={dots} />
              ))}
            </span>
          )}
          {game.streak > 0 && <span class="mj-streak">{mahjong.streak(game.streak)}</span>}
        </span>
      </div>
      {turn !== null && <span class="hidden">{texts.games.mahjong.table.turn(windName(game, turn, texts))}</span>}
    </div>
  );
}

function Die({ dots }: { dots: number }) {
  return (
    <svg class={`mj-die ${dots === 1 || dots === 4 ? "mj-die-red" : ""}`} viewBox="0 0 6 6" aria-hidden="true">
      <rect width="6" height="6" rx="1.1" />
      {DIE_DOTS[dots - 1]?.map(([x, y], number) => (
        <circle key={number} cx={x} cy={y} r={dots === 1 ? 1.1 : 0.65} />
      ))}
    </svg>
  );
}
