/** The strip before our hand: claims with their time, what an own turn allows, the way to the next hand. */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../../i18n/mahjong/table";
import { choicesOf, KEY_OF, KEYS, type Choice, type Deed, type Way } from "./choices";
import { Countdown, timeLeft } from "./countdown";
import { tileName, tileNames, type MahjongScene } from "./names";
import { isOver, type Full, type FullOwn } from "./position";
import { useTicking } from "../../parts/ticking";
import { Tile } from "./tile";

/** The next discard announces a ready hand. */
export const declaring = signal(false);

interface ActionsProps {
  scene: MahjongScene;
  game: Full | null;
  own: FullOwn | null;
  /** The result lies on the table. */
  open: boolean;
  onLook: (() => void) | null;
}

export function Actions({ scene, game, own, open, onLook }: ActionsProps) {
  const { mayMove, you, words, play, room } = scene;
  const asked = useSignal<{ deed: Deed; moment: string } | null>(null);
  const over = game !== null && isOver(game);
  const choices = game && own && !over && (mayMove || own.vote) ? choicesOf(game, own) : [];
  const moment = game ? `${game.left}/${game.tile}/${game.stage}` : "";
  const picking = asked.value?.moment === moment ? choices.find(({ deed }) => deed === asked.value?.deed) : undefined;
  const may = mayMove && choices.length > 0;

  const take = (choice: Choice, way?: Way) => {
    if (!mayMove) return;
    const chosen = way ?? (choice.ways.length === 1 ? choice.ways[0] : undefined);
    asked.value = chosen ? null : { deed: choice.deed, moment };
    if (chosen) play(chosen.move);
  };

  const latest = useRef((_: KeyboardEvent) => {});
  latest.current = (event) => {
    if (!may) return;
    const number = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
    const way = picking && number ? picking.ways[Number(number) - 1] : undefined;
    const choice = choices.find(({ deed }) => deed === KEYS[event.code]);
    if (picking && way) take(picking, way);
    else if (picking && event.key === "Escape") asked.value = null;
    else if (choice) take(choice);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      const inWindow = event.target instanceof Element && event.target.closest("dialog");
      if (!typing && !inWindow && !event.ctrlKey && !event.metaKey && !event.altKey) latest.current(event);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);

  if (over) {
    const next = game.stage === "hand_over" && you !== null && room.phase === "playing";
    return (
      <div class="mj-actions">
        {onLook && (
          <button class="small" aria-expanded={open} onClick={onLook}>
            {open ? text.value.showTable : text.value.showResult}
          </button>
        )}
        {next && <Next scene={scene} />}
      </div>
    );
  }
  if (picking) {
    return (
      <div class="mj-actions" role="group" aria-label={text.value.which(words.mahjong.deeds[picking.deed])}>
        <span class="mj-asking">{text.value.which(words.mahjong.deeds[picking.deed])}</span>
        {picking.ways.map((way, number) => (
          <button
            key={number}
            class="mj-way"
            aria-label={`${number + 1}: ${tileNames(way.tiles, words)}`}
            onClick={() => take(picking, way)}
          >
            {way.tiles.map((tile) => (
              <Tile key={tile} tile={tile} class={tile === game?.tile ? "mj-taken" : ""} />
            ))}
          </button>
        ))}
        <button class="small" onClick={() => (asked.value = null)}>
          {text.value.back}
        </button>
      </div>
    );
  }
  const claim = game?.stage === "claiming" && choices.length > 0 ? game.tile : null;
  const declares = mayMove && game?.stage === "discarding" && own !== null && own.readies.length > 0;
  return (
    <div class="mj-actions" role="group">
      {claim !== null && (
        <span class="mj-claimed" role="img" aria-label={`${text.value.claimed}: ${tileName(claim, words)}`}>
          <Tile tile={claim} />
        </span>
      )}
      {choices.map((choice) => {
        const chosen = own?.vote?.do === choice.deed;
        const name = choice.deed === "hu" && claim === null ? words.mahjong.selfDrawn : words.mahjong.deeds[choice.deed];
        return (
          <button
            key={choice.deed}
            class={`mj-deed mj-deed-${choice.deed} ${chosen ? "mj-deed-chosen" : ""}`}
            aria-pressed={own?.vote ? chosen : undefined}
            aria-keyshortcuts={KEY_OF[choice.deed]}
            disabled={!mayMove}
            onClick={() => take(choice)}
          >
            {name}
          </button>
        );
      })}
      {declares && (
        <button class="mj-deed mj-deed-ready" aria-pressed={declaring.value} onClick={() => (declaring.value = !declaring.value)}>
          {text.value.declare}
        </button>
      )}
      {claim !== null && you !== null && own?.vote === null && <Countdown scene={scene} seat={you} />}
      {own?.passed && choices.length === 0 && <span class="mj-asking soft">{text.value.passedHu}</span>}
    </div>
  );
}

/** Goes on to the next hand; with a clock it goes on by itself, and says when. */
function Next({ scene }: { scene: MahjongScene }) {
  const { you, play, pending } = scene;
  const rest = you === null ? null : timeLeft(scene, you);
  useTicking(rest !== null, 500);
  return (
    <button class="primary mj-next" disabled={pending !== null} onClick={() => play({ do: "next" })}>
      {text.value.next}
      {rest !== null && ` (${Math.ceil(rest / 1000)})`}
    </button>
  );
}
