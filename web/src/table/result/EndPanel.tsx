/** The end of a game, over the board: who won and how, the players, what to do next. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Avatar } from "../../common/Avatar";
import { pace } from "../../common/windowSize";
import type { GameParts, Scene } from "../../games/gameInterface";
import { gameName, texts } from "../../i18n/language";
import { shortClockText } from "../../lobby/tableSummary";
import { leave } from "../../net/commands";
import type { GameName, Seat } from "../../net/protocol";
import { isConnected } from "../../net/session";
import { clockFace, remaining } from "../../net/serverTime";
import type { TableState } from "../../net/store";
import { EndRating } from "../../ratings/lazyRatings";
import { SeatRatingText } from "../../ratings/RatingText";
import { BotMark } from "../../profile/BotMark";
import { READY_AFTER } from "../actions/ConfirmButton";
import { isBegun, nameAt } from "../turn";
import { isPanelShown, openResult } from "./openResult";
import { outcomeTitle } from "./outcomeText";
import { RematchCount } from "./RematchCount";
import { ResultActions } from "./ResultActions";
import { ResultPanel } from "./ResultPanel";
import { Leaves, WinSeal } from "./WinSeal";
import "./end-panel.css";

interface EndPanelProps {
  seen: TableState;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

/** Milliseconds for a look at the last move before the panel covers it, at normal speed. */
const LOOK_TIME = 1_000;

export function EndPanel(props: EndPanelProps) {
  // The end of an old game is not celebrated again.
  const [fresh] = useState(() => props.seen.last?.events.some(({ e }) => e === "game_over") === true);
  const [shown, setShown] = useState(() => !fresh || pace() === 0);
  useLayoutEffect(() => {
    isPanelShown.value = true;
    const timer = shown ? undefined : setTimeout(() => setShown(true), LOOK_TIME * pace());
    return () => {
      clearTimeout(timer);
      isPanelShown.value = false;
    };
  }, []);
  return shown ? <OpenPanel {...props} fresh={fresh} /> : null;
}

function OpenPanel({ seen, scene, parts, fresh }: EndPanelProps & { fresh: boolean }) {
  const { room, you } = seen;
  const ref = useRef<HTMLDivElement>(null);
  const close = () => openResult(room, false);
  useOutsideClose(ref, close);
  // Stepping through the moves needs the board.
  useEffect(() => {
    if (scene.cursor) close();
  }, [scene.cursor]);
  const begun = isBegun(room);
  const won = begun && you !== null && room.result?.winners.includes(you) === true;
  const what = [gameName(room.game), room.table.clock && shortClockText(room.table.clock, texts.value)].filter(Boolean).join(" ");
  const where = [begun && room.position && parts?.heading(room.position, texts.value), what].filter(Boolean);
  return (
    <div class={`end-layer ${won ? "end-won" : ""} ${fresh ? "end-fresh" : ""}`}>
      <div class="end-panel" ref={ref}>
        {won && fresh && <Leaves />}
        {won && <WinSeal />}
        <ResultPanel dialog title={outcomeTitle(room, you)} detail={<p class="soft">{where.join(" · ")}</p>} actions={<EndActions seen={seen} />}>
          <ul class="end-players">
            {room.players.map((_, seat) => (
              <PlayerResult key={seat} seen={seen} seat={seat} parts={parts} />
            ))}
          </ul>
          {room.table.rated && you !== null && <EndRating room={room} seat={you} />}
          <NextNote seen={seen} />
          <RematchCount room={room} />
        </ResultPanel>
        <button class="end-close" aria-label={texts.value.gameEnd.showBoard} title={texts.value.gameEnd.showBoard} onClick={close}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5 5l10 10M15 5L5 15" />
          </svg>
        </button>
      </div>
    </div>
  );
}

/** Close with Escape, or by a click beside the panel; the click of the last move does not count. */
function useOutsideClose(ref: { current: HTMLElement | null }, close: () => void): void {
  // Before the first paint: a key may be pressed at once.
  useLayoutEffect(() => {
    const shownAt = performance.now();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) close();
    };
    const onClick = ({ target }: MouseEvent) => {
      const beside = target instanceof Element && target.closest(".board") !== null && !ref.current?.contains(target);
      if (beside && performance.now() - shownAt > READY_AFTER) close();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", onClick);
    };
  }, []);
}

function PlayerResult({ seen: { room, you }, seat, parts }: { seen: TableState; seat: Seat; parts: EndPanelProps["parts"] }) {
  const name = nameAt(room, seat);
  const left = room.clock ? remaining(room.clock, seat, room.clock.at, room.table.clock?.move || null).left : null;
  return (
    <li class={room.result?.winners.includes(seat) ? "end-player end-player-won" : "end-player"}>
      <Avatar name={name} />
      <span class="end-name">
        <bdi title={name}>{name}</bdi>
        <BotMark shown={(room.seats[seat] ?? room.players[seat])?.bot_account ?? false} />
        {seat === you && <small class="soft"> {texts.value.table.you}</small>}
      </span>
      <SeatRatingText room={room} seat={seat} />
      {room.position && parts && <parts.Score position={room.position} seat={seat} />}
      {left !== null && (
        <span class="clock">
          <span aria-hidden="true">{clockFace(left)}</span>
          <span class="hidden">{texts.value.table.clock(name, clockFace(left))}</span>
        </span>
      )}
    </li>
  );
}

/** The way out is under the sheet on a phone, so the sheet has one. */
function EndActions({ seen }: { seen: TableState }) {
  return (
    <>
      <ResultActions seen={seen} />
      <button class="end-leave" disabled={!isConnected.value} onClick={() => leave(seen.room.id)}>
        {texts.value.table.leave}
      </button>
    </>
  );
}

/** Who asks for a rematch, or why there is none. */
function NextNote({ seen: { room, you } }: { seen: TableState }) {
  if (you === null) return null;
  const asked = room.offers.find((offer) => offer.kind === "rematch");
  const { question, waiting } = texts.value.table.offers.rematch;
  if (asked?.seat === you) return <p class="end-note">{waiting}</p>;
  if (asked) {
    return (
      <p class="end-note">
        <Avatar name={nameAt(room, asked.seat)} /> {question(nameAt(room, asked.seat))}
      </p>
    );
  }
  return room.seats.includes(null) ? <p class="end-note">{texts.value.tableInfo.seatVacated}</p> : null;
}
