/** Your hand: select and discard tiles by mouse, touch or keys. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { autoActions, displaySettings } from "../autoActions";
import { declaringReady } from "./ClaimButtons";
import { availableActions, offeredActions } from "./availableActions";
import { turnDraw } from "./coveredDraw";
import { tileName, type MahjongScene } from "../tiles/tileNames";
import { fullPrivateView, type FullPosition, type FullPrivateView } from "../position";
import { Back, Tile } from "../tiles/Tile";
import { kindOf } from "../tiles/tiles";

interface HandProps {
  scene: MahjongScene;
  game: FullPosition;
  privateView: FullPrivateView;
  /** A drawn tile is face down; `own` does not contain it. */
  covered: boolean;
}

export function Hand({ scene, game, privateView, covered }: HandProps) {
  const { mayMove, play, draft, setDraft, pending, texts, you, room } = scene;
  const box = useRef<HTMLDivElement>(null);
  const touched = useRef(false);
  const focused = useRef(false);
  const focusIndex = useSignal(-1);
  /** Announcement of a tile that was turned over. */
  const announcement = useSignal("");
  const tiles = privateView.drawn === null ? privateView.tiles : [...privateView.tiles, privateView.drawn];
  const last = tiles.length - (covered ? 0 : 1);
  const mine = mayMove && !covered && game.stage === "discarding" && game.turn === you;
  const raised = mine && draft?.do === "discard" ? draft.tile : null;
  const discarded = pending?.do === "discard" ? pending.tile : null;
  const readyKinds = new Set(displaySettings.value.hints ? privateView.hints?.ready_discards?.map(({ kind }) => kind) : []);
  /** Tiles that a call would use. */
  const usable = new Set(
    game.stage === "claiming" && mayMove ? offeredActions(game, privateView, autoActions.value).flatMap(({ variants }) => variants.flatMap((one) => one.tiles)) : [],
  );
  const offered = usable.size > 0 ? game.tile : null;
  const current = focusIndex.value < 0 || focusIndex.value > last ? last : focusIndex.value;

  useLayoutEffect(() => {
    if (!focused.current || box.current?.contains(document.activeElement)) return;
    // The focused tile may have left the hand.
    if (document.activeElement === document.body) step(current);
    else focused.current = false;
  });
  useLayoutEffect(() => {
    // Focus the drawn tile first.
    if (!mine && !covered) return;
    if (focused.current) step(last);
    else focusIndex.value = -1;
  }, [mine, covered]);
  useEffect(() => {
    if (!covered) return;
    const keys = (event: KeyboardEvent) => {
      if (event.target !== document.body || (event.key !== " " && event.key !== "Enter")) return;
      event.preventDefault();
      look();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [covered, game.left]);

  const step = (to: number) => {
    const next = Math.max(0, Math.min(last, to));
    focusIndex.value = next;
    box.current?.querySelectorAll("button")[next]?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    const at = [...(box.current?.querySelectorAll("button") ?? [])].indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.shiftKey) return;
    event.preventDefault();
    step(to);
  };
  const look = () => {
    const { private: mine } = game;
    turnDraw(room, game);
    if (!mine || typeof mine.drawn !== "number") return;
    const actionNames = availableActions(game, fullPrivateView(mine)).map(({ action }) => texts.games.mahjong.actions[action]);
    const may = actionNames.length ? texts.games.mahjong.youMay(actionNames.join(texts.games.mahjong.comma)) : "";
    announcement.value = `${texts.games.mahjong.youDrew(tileName(mine.drawn, texts))} ${may}`;
  };
  const press = (tile: number) => {
    if (!mine || privateView.barred.includes(tile)) return;
    // Touch needs a second tap, to prevent accidental discards.
    if ((touched.current || privateView.hu) && raised !== tile) return setDraft({ do: "discard", tile });
    const ready = declaringReady.value && privateView.readies.includes(tile);
    declaringReady.value = false;
    play({ do: "discard", tile, ...(ready && { ready }) });
  };

  const label = (tile: number) => {
    const parts = [tileName(tile, texts)];
    if (tile === privateView.drawn) parts.push(texts.games.mahjong.table.drawn);
    if (mine && privateView.barred.includes(tile)) parts.push(texts.games.mahjong.table.barred);
    if (mine && readyKinds.has(kindOf(tile))) parts.push(texts.games.mahjong.table.isReady);
    return parts.join(texts.games.mahjong.comma);
  };

  return (
    <div
      ref={box}
      class={`mj-hand ${mine ? "mj-hand-mine" : ""}`}
      role="toolbar"
      aria-label={texts.games.mahjong.table.hand}
      onKeyDown={keys}
      onFocusIn={() => (focused.current = true)}
      onFocusOut={(event) => {
        // A removed tile loses the focus without the user's action.
        if (event.relatedTarget) focused.current = false;
      }}
      onPointerDown={(event) => (touched.current = event.pointerType === "touch")}
    >
      {tiles.map((tile, number) => {
        const barred = privateView.barred.includes(tile) || (declaringReady.value && !privateView.readies.includes(tile));
        const classes = [
          "mj-held",
          tile === privateView.drawn && "mj-held-drawn",
          tile === raised && "mj-raised",
          usable.has(tile) && "mj-usable",
          tile === discarded && "mj-held-discarded",
          mine && barred && "mj-barred",
          mine && readyKinds.has(kindOf(tile)) && "mj-keeps",
        ];
        return (
          <button
            key={tile}
            class={classes.filter(Boolean).join(" ")}
            data-tile={tile}
            aria-label={label(tile)}
            aria-disabled={!mine || barred}
            tabIndex={number === current ? 0 : -1}
            onFocus={() => (focusIndex.value = number)}
            onKeyDown={() => (touched.current = false)}
            onClick={() => press(tile)}
          >
            <Tile tile={tile} />
          </button>
        );
      })}
      {covered && (
        <button
          class="mj-held mj-held-drawn mj-covered"
          aria-label={texts.games.mahjong.table.covered}
          tabIndex={current === last ? 0 : -1}
          onFocus={() => (focusIndex.value = last)}
          onClick={look}
        >
          <Back />
        </button>
      )}
      {offered !== null && (
        <span class="mj-offered" role="img" aria-label={texts.punctuation.labelled(texts.games.mahjong.table.claimed, tileName(offered, texts))}>
          <Tile tile={offered} />
        </span>
      )}
      <span class="hidden" role="status">
        {announcement.value}
      </span>
    </div>
  );
}
