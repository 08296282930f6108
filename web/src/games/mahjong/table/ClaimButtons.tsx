/** Buttons for claims and own-turn actions, with a countdown. */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { availableActions, KEY_OF, ACTION_KEYS, type AvailableAction, type ActionName, type ActionVariant } from "./availableActions";
import { Countdown, timeLeft } from "./Countdown";
import { tileName, tileNames, type MahjongScene } from "../tiles/tileNames";
import { isHandOver, type FullPosition, type FullPrivateView } from "../position";
import { useInterval } from "../../../common/useInterval";
import { Tile } from "../tiles/Tile";

/** The next discard declares a ready hand. */
export const declaringReady = signal(false);

interface ClaimButtonsProps {
  scene: MahjongScene;
  game: FullPosition | null;
  privateView: FullPrivateView | null;
  /** The result is open. */
  resultOpen: boolean;
  onToggleResult: (() => void) | null;
}

export function ClaimButtons({ scene, game, privateView, resultOpen, onToggleResult }: ClaimButtonsProps) {
  const { mayMove, you, texts, play, room } = scene;
  const requested = useSignal<{ action: ActionName; moment: string } | null>(null);
  const over = game !== null && isHandOver(game);
  const choices = game && privateView && !over && (mayMove || privateView.answer) ? availableActions(game, privateView) : [];
  const moment = game ? `${game.left}/${game.tile}/${game.stage}` : "";
  const picking = requested.value?.moment === moment ? choices.find(({ action }) => action === requested.value?.action) : undefined;
  const may = mayMove && choices.length > 0;

  const take = (choice: AvailableAction, variant?: ActionVariant) => {
    if (!mayMove) return;
    const chosen = variant ?? (choice.variants.length === 1 ? choice.variants[0] : undefined);
    requested.value = chosen ? null : { action: choice.action, moment };
    if (chosen) play(chosen.move);
  };

  const latest = useRef((_: KeyboardEvent) => {});
  latest.current = (event) => {
    if (!may) return;
    const number = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
    const variant = picking && number ? picking.variants[Number(number) - 1] : undefined;
    const choice = choices.find(({ action }) => action === ACTION_KEYS[event.code]);
    if (picking && variant) take(picking, variant);
    else if (picking && event.key === "Escape") requested.value = null;
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
        {onToggleResult && (
          <button class="small" aria-expanded={resultOpen} onClick={onToggleResult}>
            {resultOpen ? texts.games.mahjong.table.showTable : texts.games.mahjong.table.showResult}
          </button>
        )}
        {next && <NextHandButton scene={scene} />}
      </div>
    );
  }
  if (picking) {
    return (
      <div class="mj-actions" role="group" aria-label={texts.games.mahjong.table.which(texts.games.mahjong.actions[picking.action])}>
        <span class="mj-question">{texts.games.mahjong.table.which(texts.games.mahjong.actions[picking.action])}</span>
        {picking.variants.map((way, number) => (
          <button
            key={number}
            class="mj-way"
            aria-label={texts.punctuation.labelled(String(number + 1), tileNames(way.tiles, texts))}
            onClick={() => take(picking, way)}
          >
            {way.tiles.map((tile) => (
              <Tile key={tile} tile={tile} class={tile === game?.tile ? "mj-taken" : ""} />
            ))}
          </button>
        ))}
        <button class="small" onClick={() => (requested.value = null)}>
          {texts.games.mahjong.table.back}
        </button>
      </div>
    );
  }
  const claim = game?.stage === "claiming" && choices.length > 0 ? game.tile : null;
  const declares = mayMove && game?.stage === "discarding" && privateView !== null && privateView.readies.length > 0;
  return (
    <div class="mj-actions" role="group">
      {claim !== null && (
        <span class="mj-claimed" role="img" aria-label={texts.punctuation.labelled(texts.games.mahjong.table.claimed, tileName(claim, texts))}>
          <Tile tile={claim} />
        </span>
      )}
      {choices.map((choice) => {
        const chosen = privateView?.answer?.do === choice.action;
        const name = choice.action === "hu" && claim === null ? texts.games.mahjong.selfDrawn : texts.games.mahjong.actions[choice.action];
        return (
          <button
            key={choice.action}
            class={`mj-claim mj-claim-${choice.action} ${chosen ? "mj-claim-chosen" : ""}`}
            aria-pressed={privateView?.answer ? chosen : undefined}
            aria-keyshortcuts={KEY_OF[choice.action]}
            disabled={!mayMove}
            onClick={() => take(choice)}
          >
            {name}
          </button>
        );
      })}
      {declares && (
        <button class="mj-claim mj-claim-ready" aria-pressed={declaringReady.value} onClick={() => (declaringReady.value = !declaringReady.value)}>
          {texts.games.mahjong.table.declare}
        </button>
      )}
      {claim !== null && you !== null && privateView?.answer === null && <Countdown scene={scene} seat={you} />}
      {privateView?.passed && choices.length === 0 && <span class="mj-question soft">{texts.games.mahjong.table.passedWin}</span>}
    </div>
  );
}

/** Starts the next hand; with a clock it shows when that happens automatically. */
function NextHandButton({ scene }: { scene: MahjongScene }) {
  const { you, play, pending } = scene;
  const rest = you === null ? null : timeLeft(scene, you);
  useInterval(rest !== null, 500);
  const label = texts.value.games.mahjong.table.next;
  return (
    <button class="primary mj-next" disabled={pending !== null} onClick={() => play({ do: "next" })}>
      {rest === null ? label : texts.value.punctuation.withNote(label, String(Math.ceil(rest / 1000)))}
    </button>
  );
}
