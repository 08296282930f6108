/** A small mahjong table for lessons: the offered tile, the claim buttons, your hand, or the result of a hand. */

import { useMemo } from "preact/hooks";
import { ClaimButtons, Flowers, Hand, Melds, Tile, TileFaces } from "../lazyParts";
import { fullPosition, fullPrivateView, isHandOver, type FullPosition } from "../position";
import { tileName, type MahjongScene } from "../tiles/tileNames";
import { CountedWin } from "./CountedWin";
import { ExampleTiles } from "./ExampleTiles";
import { lessonTexts } from "./lessonTexts";
import "./lesson-table.css";

/** The result of a hand is never shown by the claim buttons. */
const NO_RESULT = { view: "hand", animated: false, show: () => undefined } as const;

export function LessonTable({ scene, step = "" }: { scene: MahjongScene; step?: string }) {
  // Large and constant, so it is rendered once.
  const faces = useMemo(() => <TileFaces />, []);
  const game = fullPosition(scene.position!);
  return (
    <div class="mj board mj-lesson">
      {faces}
      {step === "tiles" || step === "sets" ? (
        <ExampleTiles what={step} texts={scene.texts} />
      ) : isHandOver(game) ? (
        <CountedWin scene={scene} game={game} step={step} />
      ) : (
        <OwnTiles scene={scene} game={game} />
      )}
    </div>
  );
}

function OwnTiles({ scene, game }: { scene: MahjongScene; game: FullPosition }) {
  const { texts, you, nameAt } = scene;
  const seat = you ?? 0;
  const { melds, flowers } = game.players[seat]!;
  const privateView = fullPrivateView(game.private!);
  const text = lessonTexts.value!;
  const discarded = game.stage === "claiming" && game.tile !== null;
  return (
    <div class="mj-lesson-felt" role="group" aria-label={texts.games.mahjong.board}>
      <div class="mj-lesson-top">
        {discarded ? (
          <p class="mj-lesson-discard">
            <Tile tile={game.tile!} />
            <span>{game.turn === seat ? text.table.youDiscard(tileName(game.tile!, texts)) : text.table.discards(nameAt(game.turn), tileName(game.tile!, texts))}</span>
          </p>
        ) : (
          <p class="mj-lesson-discard">
            <span>{game.turn === seat ? text.table.yourTurn : ""}</span>
          </p>
        )}
        {(melds.length > 0 || flowers.length > 0) && (
          <div class="mj-lesson-melds">
            <Melds melds={melds} seat={seat} who={nameAt(seat)} texts={texts} />
            {flowers.length > 0 && <Flowers flowers={flowers} who={nameAt(seat)} texts={texts} />}
          </div>
        )}
      </div>
      <ClaimButtons scene={scene} game={game} privateView={privateView} shown={NO_RESULT} />
      <Hand scene={scene} game={game} privateView={privateView} covered={false} />
    </div>
  );
}
