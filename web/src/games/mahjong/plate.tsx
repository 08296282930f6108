/** Who sits there: wind, name, score, flowers, and whether he is there. */

import { text } from "../../i18n/mahjong/table";
import { useTicking } from "../../parts/ticking";
import { time } from "../../session";
import { secondsUntil } from "../../time";
import type { ChairView, Seat } from "../../wire";
import { Countdown } from "./countdown";
import { tileNames, windName, type MahjongScene } from "./names";
import { isOver, type Full } from "./position";
import { Tile } from "./tile";

/** Made once: it takes longer than to draw the whole plate. */
const POINTS = new Intl.NumberFormat("en");

interface PlateProps {
  scene: MahjongScene;
  game: Full | null;
  seat: Seat;
  place: number;
}

export function Plate({ scene, game, seat, place }: PlateProps) {
  const { room, words, you, nameAt } = scene;
  const { mahjong } = words;
  const chair = room.chairs[seat]?.vacant ? null : (room.chairs[seat] ?? null);
  const player = game?.players[seat];
  const playing = game !== null && room.phase === "playing" && !isOver(game);
  const acting = playing && game.stage !== "claiming" && game.turn === seat;
  const classes = ["mj-plate", `mj-plate-${place}`, acting && "mj-plate-on", seat === you && "mj-plate-own"];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-player={seat}>
      <div class="mj-who">
        {player && (
          <span class={`mj-seal ${seat === game?.dealer ? "mj-seal-dealer" : ""}`} title={game ? windName(game, seat, words) : ""}>
            {mahjong.winds[player.wind]?.slice(0, 1)}
            {seat === game?.dealer && <span class="hidden">{text.value.dealer}</span>}
          </span>
        )}
        <bdi class="mj-name" title={nameAt(seat)}>
          {nameAt(seat)}
        </bdi>
      </div>
      {player && (
        <div class="mj-score">
          <span>{POINTS.format(player.score)}</span>
          {player.ready && <span class="mj-ready">{text.value.ready}</span>}
          {acting && <Countdown scene={scene} seat={seat} />}
        </div>
      )}
      {chair?.away && <Away chair={chair} words={words} />}
      {player && player.flowers.length > 0 && (
        <div
          class="mj-flowers"
          role="img"
          aria-label={`${text.value.flowersOf(nameAt(seat))}: ${tileNames(player.flowers, words)}`}
        >
          {player.flowers.map((tile) => (
            <Tile key={tile} tile={tile} />
          ))}
        </div>
      )}
    </div>
  );
}

function Away({ chair, words: { table } }: { chair: ChairView; words: MahjongScene["words"] }) {
  const until = chair.until ?? null;
  useTicking(until !== null, 500);
  return <small class="mj-away">{until === null ? table.away : table.forfeitsIn(secondsUntil(until, time.now()))}</small>;
}
