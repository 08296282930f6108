/** A real table: four sides around the middle, and our own hand before us. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { language } from "../../i18n";
import { text } from "../../i18n/mahjong/table";
import type { MahjongOptions } from "../../wire";
import { Actions } from "./actions";
import { isCovered, take, veiled } from "./covered";
import { Faces } from "./faces";
import { habits, shown, useAutomatic } from "./habits";
import { Hand } from "./hand";
import { HintLine } from "./hints";
import { Middle } from "./middle";
import type { MahjongScene } from "./names";
import { Plate } from "./plate";
import { around, full, fullOwn, isOver } from "./position";
import { Result } from "./result";
import { Side } from "./side";
import { Switches } from "./switches";
import "./tiles.css";
import "./table.css";
import "./seats.css";
import "./front.css";
import "./result.css";
import "./screens.css";

export function Board({ scene }: { scene: MahjongScene }) {
  const { position, you, words } = scene;
  const looking = useSignal<string | null>(null);
  // Hundreds of lines that never change.
  const faces = useMemo(() => <Faces />, []);
  const game = position && full(position);
  const whole = game?.own ? fullOwn(game.own) : null;
  useAutomatic(scene, game, whole);
  const covered = game !== null && isCovered(scene.room, game, whole);
  const own = covered && whole ? veiled(whole) : whole;
  useEffect(() => {
    // Whoever has seen a tile does not forget it when he wants to take the next one himself.
    if (game && whole?.drawn != null && !covered) take(scene.room, game);
  });
  const signs = shown.value.signs ?? language.value === "en";
  const hand = game ? `${scene.room.match}/${game.place}/${game.streak}` : "";
  const over = game !== null && isOver(game);
  const open = over && looking.value !== hand;
  const seats = around(you ?? 0);
  return (
    <div class={`mj board ${signs ? "mj-signs" : ""} ${own === null ? "mj-watching" : ""}`}>
      {faces}
      <div class="mj-felt" role="group" aria-label={words.mahjong.board}>
        <div class="mj-square">
          {game && <Middle game={game} seats={seats} words={words} />}
          {game &&
            seats.map((seat, place) => (
              <Side key={seat} game={game} seat={seat} place={place} own={own !== null && place === 0} words={words} />
            ))}
          {seats.map((seat, place) => (
            <Plate key={seat} scene={scene} game={game} seat={seat} place={place} />
          ))}
        </div>
        {game && open && <Result scene={scene} game={game} />}
      </div>
      <div class="mj-front">
        <Actions
          scene={scene}
          game={game}
          own={own}
          open={open}
          onLook={over ? () => (looking.value = open ? hand : null) : null}
        />
        {game && own && <Hand scene={scene} game={game} own={own} covered={covered} />}
        {own && (
          <div class="mj-below">
            {own.hints && shown.value.hints && !over ? <HintLine own={own} draft={scene.draft} words={words} /> : <span />}
            {scene.live && (
              <Switches habits={habits.value} hints={(scene.room.options as MahjongOptions).hints !== false} />
            )}
          </div>
        )}
        {own && <p class="hidden">{text.value.keys}</p>}
      </div>
    </div>
  );
}
