/** The mahjong table: four sides, the centre, and your hand. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { language } from "../../../i18n/language";
import type { MahjongOptions } from "../../../net/protocol";
import { ClaimButtons } from "./ClaimButtons";
import { isCovered, turnDraw, withoutCoveredDraw } from "./coveredDraw";
import { TileFaces } from "../tiles/TileFaces";
import { autoActions, displaySettings, useAutoActions } from "../autoActions";
import { Hand } from "./Hand";
import { HintLine } from "./HintLine";
import { Centre } from "./Centre";
import type { MahjongScene } from "../tiles/tileNames";
import { PlayerPlate } from "./PlayerPlate";
import { seatsAround, fullPosition, fullPrivateView, isHandOver } from "../position";
import { HandResult } from "../scoring/HandResult";
import { PlayerSide } from "./PlayerSide";
import { AutoActionSwitches } from "../AutoActionSwitches";
import "../styles/tiles.css";
import "../styles/table.css";
import "../styles/player-plates.css";
import "../styles/hand.css";
import "../styles/hand-result.css";
import "../styles/screen-sizes.css";

export function Board({ scene }: { scene: MahjongScene }) {
  const { position, you, texts } = scene;
  const looking = useSignal<string | null>(null);
  // Large and constant, so it is rendered once.
  const faces = useMemo(() => <TileFaces />, []);
  const game = position && fullPosition(position);
  const fullView = game?.private ? fullPrivateView(game.private) : null;
  useAutoActions(scene, game, fullView);
  const covered = game !== null && isCovered(scene.room, game, fullView);
  const privateView = covered && fullView ? withoutCoveredDraw(fullView) : fullView;
  useEffect(() => {
    // A tile that was already visible stays visible when auto-draw is switched off.
    if (game && fullView?.drawn != null && !covered) turnDraw(scene.room, game);
  });
  const signs = displaySettings.value.numbers ?? language.value === "en";
  const hand = game ? `${scene.room.match}/${game.place}/${game.streak}` : "";
  const over = game !== null && isHandOver(game);
  const open = over && looking.value !== hand;
  const seats = seatsAround(you ?? 0);
  return (
    <div class={`mj board ${signs ? "mj-numbers" : ""} ${privateView === null ? "mj-spectator" : ""}`}>
      {faces}
      <div class="mj-felt" role="group" aria-label={texts.games.mahjong.board}>
        <div class="mj-square">
          {game && <Centre game={game} seats={seats} texts={texts} />}
          {game &&
            seats.map((seat, side) => (
              <PlayerSide key={seat} game={game} seat={seat} side={side} isOwn={privateView !== null && side === 0} texts={texts} />
            ))}
          {seats.map((seat, side) => (
            <PlayerPlate key={seat} scene={scene} game={game} seat={seat} side={side} />
          ))}
        </div>
        {game && open && <HandResult scene={scene} game={game} />}
      </div>
      <div class="mj-front">
        <ClaimButtons
          scene={scene}
          game={game}
          privateView={privateView}
          resultOpen={open}
          onToggleResult={over ? () => (looking.value = open ? hand : null) : null}
        />
        {game && privateView && <Hand scene={scene} game={game} privateView={privateView} covered={covered} />}
        {privateView && (
          <div class="mj-below">
            {privateView.hints && displaySettings.value.hints && !over ? <HintLine privateView={privateView} draft={scene.draft} texts={texts} /> : <span />}
            {scene.live && (
              <AutoActionSwitches actions={autoActions.value} hints={(scene.room.options as MahjongOptions).hints !== false} />
            )}
          </div>
        )}
        {privateView && <p class="hidden">{texts.games.mahjong.table.keys}</p>}
      </div>
    </div>
  );
}
