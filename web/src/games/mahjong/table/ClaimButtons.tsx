/** Buttons for claims and own-turn actions, with a ring that runs out. */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { autoActions } from "../autoActions";
import { offeredActions, KEY_OF, ACTION_KEYS, type AvailableAction, type ActionName, type ActionVariant } from "./availableActions";
import { TimeRing } from "./Countdown";
import { tileNames, type MahjongScene } from "../tiles/tileNames";
import { isHandOver, type FullPosition, type FullPrivateView } from "../position";
import { Tile } from "../tiles/Tile";
import type { ShownResult } from "../scoring/resultView";

/** The next discard declares a ready hand. */
export const declaringReady = signal(false);

interface ClaimButtonsProps {
  scene: MahjongScene;
  game: FullPosition;
  privateView: FullPrivateView | null;
  shown: ShownResult;
}

export function ClaimButtons({ scene, game, privateView, shown }: ClaimButtonsProps) {
  const { mayMove, you, texts, play, room } = scene;
  const { mahjong } = texts.games;
  const requested = useSignal<{ action: ActionName; moment: string } | null>(null);
  const over = isHandOver(game) || room.phase === "over";
  const choices = privateView && !over && (mayMove || privateView.answer) ? offeredActions(game, privateView, autoActions.value) : [];
  const moment = `${game.left}/${game.tile}/${game.stage}`;
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

  if (over) return shown.view === "table" ? <AfterHand scene={scene} game={game} shown={shown} /> : null;
  if (picking) {
    const question = mahjong.table.which(mahjong.actions[picking.action]);
    return (
      <div class="mj-actions" role="group" aria-label={question}>
        {mayMove && you !== null && <TimeRing scene={scene} seat={you} decision={moment} />}
        <span class="mj-question">{question}</span>
        {picking.variants.map((way, number) => (
          <button
            key={number}
            class="mj-way"
            aria-label={texts.punctuation.labelled(String(number + 1), tileNames(way.tiles, texts))}
            onClick={() => take(picking, way)}
          >
            {way.tiles.map((tile) => (
              <Tile key={tile} tile={tile} class={tile === game.tile ? "mj-taken" : ""} />
            ))}
          </button>
        ))}
        <button class="mj-return" onClick={() => (requested.value = null)}>
          {mahjong.table.back}
        </button>
      </div>
    );
  }
  const claiming = game.stage === "claiming" && choices.length > 0;
  const declares = mayMove && game.stage === "discarding" && privateView !== null && privateView.readies.length > 0;
  const asked = you !== null && mayMove && (claiming ? privateView?.answer === null : game.stage === "discarding");
  return (
    <div class="mj-actions" role="group">
      {asked && <TimeRing scene={scene} seat={you} decision={moment} />}
      {choices.map((choice) => {
        const chosen = privateView?.answer?.do === choice.action;
        const name = choice.action === "hu" && !claiming ? mahjong.selfDrawn : mahjong.actions[choice.action];
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
            <kbd aria-hidden="true">{KEY_OF[choice.action]}</kbd>
            {choice.variants.length > 1 && <span class="mj-ways">{mahjong.table.ways(choice.variants.length)}</span>}
          </button>
        );
      })}
      {declares && (
        <button class="mj-claim mj-claim-ready" aria-pressed={declaringReady.value} onClick={() => (declaringReady.value = !declaringReady.value)}>
          {mahjong.table.declare}
        </button>
      )}
      {privateView?.passed && choices.length === 0 && <span class="mj-question">{mahjong.table.passedWin}</span>}
    </div>
  );
}

/** What can be done while the table of a finished hand is shown. */
function AfterHand({ scene, game, shown }: Omit<ClaimButtonsProps, "privateView">) {
  const { table } = scene.texts.games.mahjong;
  const next = game.stage === "hand_over" && scene.you !== null && scene.room.phase === "playing";
  return (
    <div class="mj-actions" role="group">
      {game.result && <button onClick={() => shown.show("hand")}>{table.showResult}</button>}
      {scene.room.phase === "over" && (
        <button class="primary mj-next" onClick={() => shown.show("ranking")}>
          {table.final.title}
        </button>
      )}
      {next && <NextHandButton scene={scene} />}
    </div>
  );
}

/** Starts the next hand; with a clock a ring shows when that happens automatically. */
export function NextHandButton({ scene }: { scene: MahjongScene }) {
  const { you, play, pending } = scene;
  return (
    <button class="primary mj-next" disabled={pending !== null} onClick={() => play({ do: "next" })}>
      {you !== null && <TimeRing scene={scene} seat={you} decision="next" />}
      {texts.value.games.mahjong.table.next}
    </button>
  );
}
