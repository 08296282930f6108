/** Our own tiles: arrows go through them, Enter discards; a finger raises one first. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../../i18n/mahjong/table";
import { shown } from "./habits";
import { declaring } from "./actions";
import { choicesOf } from "./choices";
import { take } from "./covered";
import { tileName, type MahjongScene } from "./names";
import { fullOwn, isOver, type Full, type FullOwn } from "./position";
import { Back, Tile } from "./tile";
import { kindOf } from "./tiles";

interface HandProps {
  scene: MahjongScene;
  game: Full;
  own: FullOwn;
  /** A tile was drawn that we have not taken yet; `own` does not tell it. */
  covered: boolean;
}

export function Hand({ scene, game, own, covered }: HandProps) {
  const { mayMove, play, draft, aim, pending, words, you, room } = scene;
  const box = useRef<HTMLDivElement>(null);
  const touched = useRef(false);
  const focused = useRef(false);
  const place = useSignal(-1);
  /** What the reader hears of a tile that he has taken. */
  const heard = useSignal("");
  const tiles = own.drawn === null ? own.tiles : [...own.tiles, own.drawn];
  const last = tiles.length - (covered ? 0 : 1);
  const mine = mayMove && !covered && game.stage === "discarding" && game.turn === you;
  const raised = mine && draft?.do === "discard" ? draft.tile : null;
  const gone = pending?.do === "discard" ? pending.tile : null;
  const keeps = new Set(shown.value.hints ? own.hints?.keeps?.map(({ kind }) => kind) : []);
  const current = place.value < 0 || place.value > last ? last : place.value;

  useLayoutEffect(() => {
    if (!focused.current || box.current?.contains(document.activeElement)) return;
    // The tile that had the focus may have left the hand, or the reader has.
    if (document.activeElement === document.body) step(current);
    else focused.current = false;
  });
  useLayoutEffect(() => {
    // What was drawn is what most people think about first.
    if (!mine && !covered) return;
    if (focused.current) step(last);
    else place.value = -1;
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
    place.value = next;
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
    const { own: mine } = game;
    take(room, game);
    if (!mine || typeof mine.drawn !== "number") return;
    const deeds = choicesOf(game, fullOwn(mine)).map(({ deed }) => words.mahjong.deeds[deed]);
    const may = deeds.length ? words.mahjong.youMay(deeds.join(words.mahjong.comma)) : "";
    heard.value = `${words.mahjong.youDrew(tileName(mine.drawn, words))} ${may}`;
  };
  const press = (tile: number) => {
    if (!mine || own.barred.includes(tile)) return;
    // A finger may slip, and nobody wants to throw a win away.
    if ((touched.current || own.hu) && raised !== tile) return aim({ do: "discard", tile });
    const ready = declaring.value && own.readies.includes(tile);
    declaring.value = false;
    play({ do: "discard", tile, ...(ready && { ready }) });
  };

  const label = (tile: number) => {
    const parts = [tileName(tile, words)];
    if (tile === own.drawn) parts.push(text.value.drawn);
    if (mine && own.barred.includes(tile)) parts.push(text.value.barred);
    if (mine && keeps.has(kindOf(tile))) parts.push(text.value.isReady);
    return parts.join(words.mahjong.comma);
  };

  return (
    <div
      ref={box}
      class={`mj-hand ${mine ? "mj-hand-mine" : ""} ${isOver(game) ? "mj-hand-over" : ""}`}
      style={{ "--many": last + 1, "--half": Math.ceil((own.tiles.length + 1) / 2) }}
      role="toolbar"
      aria-label={text.value.hand}
      onKeyDown={keys}
      onFocusIn={() => (focused.current = true)}
      onFocusOut={(event) => {
        // A tile that disappears loses the focus to nothing; that is not the reader's doing.
        if (event.relatedTarget) focused.current = false;
      }}
      onPointerDown={(event) => (touched.current = event.pointerType === "touch")}
    >
      {tiles.map((tile, number) => {
        const barred = own.barred.includes(tile) || (declaring.value && !own.readies.includes(tile));
        const classes = [
          "mj-held",
          tile === own.drawn && "mj-held-drawn",
          tile === raised && "mj-raised",
          tile === gone && "mj-gone",
          mine && barred && "mj-barred",
          mine && keeps.has(kindOf(tile)) && "mj-keeps",
        ];
        return (
          <button
            key={tile}
            class={classes.filter(Boolean).join(" ")}
            data-tile={tile}
            aria-label={label(tile)}
            aria-disabled={!mine || barred}
            tabIndex={number === current ? 0 : -1}
            onFocus={() => (place.value = number)}
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
          aria-label={text.value.covered}
          tabIndex={current === last ? 0 : -1}
          onFocus={() => (place.value = last)}
          onClick={look}
        >
          <Back />
        </button>
      )}
      <span class="hidden" role="status">
        {heard.value}
      </span>
    </div>
  );
}
