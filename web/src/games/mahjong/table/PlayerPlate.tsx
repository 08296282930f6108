/** Name plate: wind, name, score, flowers, connection. */

import { useInterval } from "../../../common/useInterval";
import { time } from "../../../net/session";
import { secondsUntil } from "../../../net/serverTime";
import type { SeatView, Seat } from "../../../net/protocol";
import { Countdown } from "./Countdown";
import { tileNames, windName, type MahjongScene } from "../tiles/tileNames";
import { isHandOver, type FullPosition } from "../position";
import { Tile } from "../tiles/Tile";

/** Cached, because it is expensive. */
const SIDES = new Intl.NumberFormat("en");

interface PlayerPlateProps {
  scene: MahjongScene;
  game: FullPosition | null;
  seat: Seat;
  side: number;
}

export function PlayerPlate({ scene, game, seat, side }: PlayerPlateProps) {
  const { room, texts, you, nameAt } = scene;
  const { mahjong } = texts.games;
  const taken = room.seats[seat]?.reserved ? null : (room.seats[seat] ?? null);
  const player = game?.players[seat];
  const playing = game !== null && room.phase === "playing" && !isHandOver(game);
  const acting = playing && game.stage !== "claiming" && game.turn === seat;
  const classes = ["mj-plate", `mj-plate-${side}`, acting && "mj-plate-on", seat === you && "mj-plate-own"];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-player={seat}>
      <div class="mj-who">
        {player && (
          <span class={`mj-seal ${seat === game?.dealer ? "mj-seal-dealer" : ""}`} title={game ? windName(game, seat, texts) : ""}>
            {mahjong.winds[player.wind]?.slice(0, 1)}
            {seat === game?.dealer && <span class="hidden">{texts.games.mahjong.table.dealer}</span>}
          </span>
        )}
        <bdi class="mj-name" title={nameAt(seat)}>
          {nameAt(seat)}
        </bdi>
      </div>
      {player && (
        <div class="mj-score">
          <span>{SIDES.format(player.score)}</span>
          {player.ready && <span class="mj-ready">{texts.games.mahjong.table.ready}</span>}
          {acting && <Countdown scene={scene} seat={seat} />}
        </div>
      )}
      {taken?.disconnected && <AbsenceTag taken={taken} texts={texts} />}
      {player && player.flowers.length > 0 && (
        <div
          class="mj-flowers"
          role="img"
          aria-label={texts.punctuation.labelled(texts.games.mahjong.table.flowersOf(nameAt(seat)), tileNames(player.flowers, texts))}
        >
          {player.flowers.map((tile) => (
            <Tile key={tile} tile={tile} />
          ))}
        </div>
      )}
    </div>
  );
}

function AbsenceTag({ taken, texts: { table } }: { taken: SeatView; texts: MahjongScene["texts"] }) {
  const forfeitsAt = taken.forfeits_at ?? null;
  useInterval(forfeitsAt !== null, 500);
  return <small class="mj-disconnected">{forfeitsAt === null ? table.away : table.forfeitsIn(secondsUntil(forfeitsAt, time.now()))}</small>;
}
