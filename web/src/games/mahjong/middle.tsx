/** The middle of the table: which hand it is, how many tiles are left, whose turn. */

import { text } from "../../i18n/mahjong/table";
import type { Words } from "../../i18n/words";
import type { Seat } from "../../wire";
import { windName } from "./names";
import { isOver, type Full } from "./position";

/** Where the eyes of a die are, on a square of 6. */
const EYES: readonly (readonly (readonly [number, number])[])[] = [
  [[3, 3]],
  [[1.6, 1.6], [4.4, 4.4]],
  [[1.4, 1.4], [3, 3], [4.6, 4.6]],
  [[1.5, 1.5], [4.5, 1.5], [1.5, 4.5], [4.5, 4.5]],
  [[1.4, 1.4], [4.6, 1.4], [3, 3], [1.4, 4.6], [4.6, 4.6]],
  [[1.6, 1.3], [4.4, 1.3], [1.6, 3], [4.4, 3], [1.6, 4.7], [4.4, 4.7]],
];

export function Middle({ game, seats, words }: { game: Full; seats: readonly Seat[]; words: Words }) {
  const { mahjong } = words;
  const dice = game.opening;
  const turn = isOver(game) ? null : game.turn;
  return (
    <div class="mj-middle">
      {seats.map((seat, place) => {
        const wind = game.players[seat]!.wind;
        const classes = ["mj-wind", `mj-wind-${place}`, seat === turn && "mj-wind-on", seat === game.dealer && "mj-wind-dealer"];
        return (
          <span key={seat} class={classes.filter(Boolean).join(" ")} aria-hidden="true">
            {mahjong.winds[wind]?.slice(0, 1)}
          </span>
        );
      })}
      <div class="mj-facts">
        <span class="mj-round">{mahjong.round(game.wind, game.place % 4)}</span>
        <span class="mj-left" role="img" aria-label={text.value.left(game.drawable)}>
          {game.drawable}
        </span>
        <span class="mj-more">
          {dice.length > 0 && (
            <span class="mj-dice" role="img" aria-label={text.value.dice(dice.join(mahjong.comma))}>
              {dice.map((eyes, number) => (
                <Die key={number} eyes={eyes} />
              ))}
            </span>
          )}
          {game.streak > 0 && <span class="mj-streak">{mahjong.streak(game.streak)}</span>}
        </span>
      </div>
      {turn !== null && <span class="hidden">{text.value.turn(windName(game, turn, words))}</span>}
    </div>
  );
}

function Die({ eyes }: { eyes: number }) {
  return (
    <svg class={`mj-die ${eyes === 1 || eyes === 4 ? "mj-die-red" : ""}`} viewBox="0 0 6 6" aria-hidden="true">
      <rect width="6" height="6" rx="1.1" />
      {EYES[eyes - 1]?.map(([x, y], number) => (
        <circle key={number} cx={x} cy={y} r={eyes === 1 ? 1.1 : 0.65} />
      ))}
    </svg>
  );
}
