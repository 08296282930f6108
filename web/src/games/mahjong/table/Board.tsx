/** The mahjong table: four seats, the centre, and your hand. */

import { useEffect, useMemo } from "preact/hooks";
import type { MahjongOptions } from "../../../net/protocol";
import { lazyComponents } from "../../../common/lazyComponent";
import type { BoardProps } from "../../gameInterface";
import { autoActions, displaySettings, useAutoActions } from "../autoActions";
import { fullPosition, fullPrivateView, isHandOver, seatsAround, type FullPosition, type FullPrivateView } from "../position";
import { HandResult } from "../scoring/HandResult";
import { useResultView } from "../scoring/resultView";
import { TileFaces } from "../tiles/TileFaces";
import { windName, type MahjongScene } from "../tiles/tileNames";
import { CallOuts } from "./CallOut";
import { Centre } from "./Centre";
import { ClaimButtons } from "./ClaimButtons";
import { offeredActions } from "./availableActions";
import { isCovered, turnDraw, withoutCoveredDraw } from "./coveredDraw";
import { DiscardPool } from "./DiscardPool";
import { Hand } from "./Hand";
import { HintLine } from "./HintLine";
import { Melds, PlayerSide, Rack } from "./PlayerSide";
import { SwitchDrawer } from "./SwitchDrawer";
import "../styles/tiles.css";
import "../styles/table.css";
import "../styles/seats.css";
import "../styles/hand.css";
import "../styles/claims.css";
import "../styles/drawer.css";
import "../styles/call-out.css";
import "../styles/hand-result.css";
import "../styles/phone-upright.css";
import "../styles/phone-sideways.css";
import "../styles/phone-results.css";

const loadRanking = () => import("../ranking/FinalRanking");
const FinalRanking = lazyComponents(loadRanking)(({ FinalRanking }) => FinalRanking, null);

export function Board({ scene, status, ending }: BoardProps<"mahjong">) {
  const { position, you, facing, texts } = scene;
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
  const shown = useResultView(scene, game);
  // The ranking may follow at once.
  const handOver = scene.live && game !== null && isHandOver(game);
  useEffect(() => void (handOver && loadRanking().catch(() => undefined)), [handOver]);
  const seats = seatsAround(you ?? facing ?? 0);
  const classes = ["mj board", privateView === null && "mj-spectator"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      {faces}
      {game && shown.view === "ranking" ? (
        <FinalRanking scene={scene} game={game} status={status} actions={ending} onShowTable={() => shown.show("table")} />
      ) : (
        <div class="mj-felt" role="group" aria-label={texts.games.mahjong.board}>
          <div class="mj-table">
            <div class="mj-square">
              {game && <Centre game={game} seats={seats} texts={texts} />}
              {game && seats.map((seat, side) => <DiscardPool key={seat} game={game} seat={seat} side={side} texts={texts} />)}
            </div>
            {seats.map((seat, side) => (
              <PlayerSide key={seat} scene={scene} game={game} seat={seat} side={side} />
            ))}
            {game && <CallOuts game={game} seats={seats} texts={texts} />}
          </div>
          <div class="mj-front">
            {status && <div class="mj-status">{status}</div>}
            {game && <ClaimButtons scene={scene} game={game} privateView={privateView} shown={shown} />}
            {game && <Tray scene={scene} game={game} privateView={privateView} covered={covered} />}
            {game && privateView && <Bar scene={scene} game={game} privateView={privateView} />}
          </div>
          {game && shown.view === "hand" && <HandResult key={game.seed} scene={scene} game={game} shown={shown} />}
        </div>
      )}
    </div>
  );
}

interface FrontProps {
  scene: MahjongScene;
  game: FullPosition;
  privateView: FullPrivateView | null;
}

/** The hand and melds of the seat in front. */
function Tray({ scene, game, privateView, covered }: FrontProps & { covered: boolean }) {
  const { texts } = scene;
  const seat = scene.you ?? 0;
  const player = game.players[seat]!;
  const who = windName(game, seat, texts);
  return (
    <div class="mj-tray">
      {privateView && !isHandOver(game) ? (
        <Hand scene={scene} game={game} privateView={privateView} covered={covered} />
      ) : (
        <Rack player={player} who={who} texts={texts} />
      )}
      <Melds melds={player.melds} seat={seat} who={who} texts={texts} />
    </div>
  );
}

/** Hints and switches. */
function Bar({ scene, game, privateView }: FrontProps & { privateView: FullPrivateView }) {
  const { texts, live, room, draft } = scene;
  const asked = scene.mayMove && game.stage === "claiming" && offeredActions(game, privateView, autoActions.value).length > 0;
  const hinted = privateView.hints !== null && displaySettings.value.hints && !isHandOver(game);
  return (
    <div class="mj-bar">
      {live && room.phase === "playing" && <SwitchDrawer hints={(room.options as MahjongOptions).hints !== false} asked={asked} />}
      {hinted && <HintLine privateView={privateView} draft={draft} texts={texts} />}
      <p class="hidden">{texts.games.mahjong.table.keys}</p>
    </div>
  );
}
