/** Plate of a player: portrait, wind, dealer mark, name, score, connection. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Avatar } from "../../../common/Avatar";
import { useInterval } from "../../../common/useInterval";
import { time } from "../../../net/session";
import { secondsUntil } from "../../../net/serverTime";
import type { SeatView, Seat } from "../../../net/protocol";
import { SeatRatingText } from "../../../ratings/RatingText";
import { BotMark } from "../../../profile/BotMark";
import { replaceShortcuts } from "../../../table/chat/emojiShortcuts";
import { isHidden } from "../../../table/chat/mutedPlayers";
import { Countdown } from "./Countdown";
import { scoreText } from "../scoring/scoreText";
import { windName, type MahjongScene } from "../tiles/tileNames";
import { isHandOver, type FullPosition } from "../position";

interface PlayerPlateProps {
  scene: MahjongScene;
  game: FullPosition | null;
  seat: Seat;
}

export function PlayerPlate({ scene, game, seat }: PlayerPlateProps) {
  const { room, texts, you, nameAt } = scene;
  const { mahjong } = texts.games;
  const taken = room.seats[seat]?.reserved ? null : (room.seats[seat] ?? null);
  const player = game?.players[seat];
  const dealer = game !== null && seat === game.dealer;
  const playing = game !== null && room.phase === "playing" && !isHandOver(game);
  const acting = playing && game.stage !== "claiming" && game.turn === seat;
  const classes = ["mj-plate", acting && "mj-plate-on", seat === you && "mj-plate-own", dealer && "mj-plate-dealer"];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-player={seat}>
      {taken ? (
        <Avatar name={nameAt(seat)}>
          {game && player && (
            <span class="mj-seal" title={windName(game, seat, texts)}>
              {mahjong.winds[player.wind]?.slice(0, 1)}
            </span>
          )}
        </Avatar>
      ) : (
        <span class="avatar mj-nobody" />
      )}
      <div class="mj-who">
        <span class="mj-name-line">
          <bdi class="mj-name" title={nameAt(seat)}>
            {nameAt(seat)}
          </bdi>
          {scene.live && <SeatRatingText room={room} seat={seat} />}
          <BotMark shown={taken?.bot_account ?? false} />
          {dealer && (
            <span class="mj-dealer">
              <span aria-hidden="true">{mahjong.table.dealerMark}</span>
              <span class="hidden">{mahjong.table.dealer}</span>
            </span>
          )}
          {player?.ready && <span class="mj-ready">{mahjong.table.ready}</span>}
        </span>
        {taken?.disconnected ? (
          <AbsenceTag taken={taken} texts={texts} />
        ) : (
          player && (
            <span class="mj-score">
              {scoreText(player.score)}
              {acting && seat !== you && <Countdown scene={scene} seat={seat} />}
            </span>
          )
        )}
      </div>
      <Bubble scene={scene} seat={seat} />
    </div>
  );
}

/** Milliseconds that a chat line is shown at the plate of its author. */
const BUBBLE_TIME = 5_000;

/** The last chat line of a player; the chat has it for screen readers. */
function Bubble({ scene: { room, texts }, seat }: { scene: MahjongScene; seat: Seat }) {
  const line = room.chat.findLast((one) => one.seat === seat);
  // Lines from before the page was opened are not shown.
  const seen = useRef(line);
  const shown = useSignal(false);
  useEffect(() => {
    if (line === seen.current) return;
    seen.current = line;
    shown.value = true;
    const timer = setTimeout(() => (shown.value = false), BUBBLE_TIME);
    return () => clearTimeout(timer);
  }, [line]);
  if (!line || !shown.value || isHidden(line, room.id)) return null;
  return (
    <bdi class="mj-bubble" aria-hidden="true">
      {line.phrase ? (texts.phrases[line.phrase] ?? line.text) : replaceShortcuts(line.text)}
    </bdi>
  );
}

function AbsenceTag({ taken, texts: { table } }: { taken: SeatView; texts: MahjongScene["texts"] }) {
  const forfeitsAt = taken.forfeits_at ?? null;
  useInterval(forfeitsAt !== null, 500);
  return <small class="mj-disconnected">{forfeitsAt === null ? table.away : table.forfeitsIn(secondsUntil(forfeitsAt, time.now()))}</small>;
}
