/** Steps through a finished game as a spectator or one player saw it. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { partsOf } from "../games/gameRegistry";
import { requestGame } from "../games/outsideGames";
import { READ_ONLY_SCENE, type GameParts, type MoveCursor, type Scene } from "../games/gameInterface";
import { replayPath, viewpointsOf, fetchReplay, frameAtHand, frameAtMove, moveCount, frameAtVersion, viewpointOf, visibleSteps, type Viewpoint, type ReplayResponse } from "./replayApi";
import { state } from "../net/session";
import { retryingFetch } from "../net/retryingFetch";
import { endedEarly, gameName, reasonText, texts, winText } from "../i18n/language";
import { completeRoom, type Room } from "../net/roomReducer";
import { MessagePage } from "../app/MessagePage";
import { href } from "../app/route";
import { fetchOwnSeat } from "../lobby/mine/myGames";
import { BotMark } from "../profile/BotMark";
import { clockFace, remaining } from "../net/serverTime";
import { RatingText } from "../ratings/RatingText";
import { ratingAfter, useRatingChanges, type GameRatings } from "../ratings/ratingChanges";
import { nameAt, seatsTopDown } from "../table/turn";
import type { GameName, Replay, RoomId, Seat } from "../net/protocol";
import { Autoplay } from "./Autoplay";
import { MissingGame } from "../table/MissingGame";
import { VerifyButton } from "../fairness/VerifyButton";
import { ShareGame } from "./ShareGame";
import { receiptText } from "./moveReceipt";
import "./styles/replay.css";

interface ReplayViewerProps {
  room: RoomId;
  match: number;
  /** The hand at which it starts. */
  hand?: number;
}

export function ReplayViewer({ room, match, hand = 1 }: ReplayViewerProps) {
  const text = texts.value.replay;
  const found = useSignal<ReplayResponse | null>(null);
  const viewpoint = useSignal<Viewpoint | null>(null);
  const version = useSignal<number | null>(null);
  const tries = useSignal(0);
  const wait = useSignal(0);
  useEffect(() => {
    const leaving = new AbortController();
    wait.value = 0;
    const ask = retryingFetch((seconds) => (wait.value = seconds), leaving.signal);
    void fetchReplay(room, match, viewpoint.value, ask).then((answer) => {
      if (leaving.signal.aborted) return;
      wait.value = 0;
      found.value = answer;
    });
    return () => leaving.abort();
  }, [viewpoint.value, tries.value]);
  const replay = found.value;
  if (wait.value > 0) {
    return (
      <div class="message-page">
        <p role="status">{text.busy(wait.value)}</p>
        <button onClick={() => (tries.value += 1)}>{text.retry}</button>
      </div>
    );
  }
  if (replay === null) return <p class="message-page soft message-loading">{text.loading}</p>;
  if (replay === "notFound" || replay === "failed") {
    return (
      <MessagePage {...(replay === "failed" ? { title: text.failed } : { title: texts.value.notFound.game, text: text.notFound })}>
        {replay === "failed" && (
          <button class="primary" onClick={() => (tries.value += 1)}>
            {text.retry}
          </button>
        )}
        {replay === "notFound" && state.value.tables[room] && (
          <a class="button primary" href={href({ at: "table", room })}>
            {text.toTable}
          </a>
        )}
      </MessagePage>
    );
  }
  return <FoundReplay replay={replay} hand={hand} version={version} onViewpoint={(to) => (viewpoint.value = to)} />;
}

interface FoundReplayProps {
  replay: Replay;
  hand: number;
  /** The chosen version; null until one is chosen. */
  version: Signal<number | null>;
  onViewpoint: (viewpoint: Viewpoint) => void;
}

function FoundReplay({ replay: complete, hand, version, onViewpoint }: FoundReplayProps) {
  const parts = partsOf(complete.game);
  useEffect(() => requestGame(complete.game), [complete.game]);
  // One frame per visible step.
  const replay = useMemo(() => ({ ...complete, frames: visibleSteps(complete.frames, parts?.visiblePart) }), [complete, parts]);
  const facing = useOwnSeat(complete);
  if (parts === undefined) return <MissingGame game={complete.game} />;
  if (replay.frames.length < 2 && isUntouched(replay, parts)) return <MessagePage title={texts.value.replay.noMoves} />;
  const step = version.value === null ? frameAtHand(replay.frames, hand, parts.handOf) : frameAtVersion(replay.frames, version.value);
  const turn = (to: number) => (version.value = replay.frames[to]!.version);
  return <LoadedReplay replay={replay} parts={parts} facing={facing} step={step} onStep={turn} onViewpoint={onViewpoint} />;
}

/** Return the seat that the user had in this game. */
function useOwnSeat({ room, match, frames }: Replay): Seat | null {
  const own = useSignal<Seat | null>(null);
  useEffect(() => {
    void fetchOwnSeat({ room, match }, frames.at(-1)!.at).then((seat) => (own.value = seat));
  }, [room, match]);
  return own.value;
}

/** Tell whether a game ended before its first move. */
function isUntouched({ frames }: Replay, parts: GameParts<GameName>): boolean {
  return parts.hasMoves?.(frames.at(-1)!.position) === false;
}

interface LoadedReplayProps {
  replay: Replay;
  parts: GameParts<GameName>;
  facing: Seat | null;
  step: number;
  onStep: (step: number) => void;
  onViewpoint: (viewpoint: Viewpoint) => void;
}

function LoadedReplay({ replay, parts, facing, step, onStep, onViewpoint }: LoadedReplayProps) {
  const text = texts.value.replay;
  const total = replay.frames.length - 1;
  const frame = replay.frames[step]!;
  const scene = { ...sceneOf(replay, step, null, () => undefined), facing };
  const turn = (to: number) => onStep(Math.min(Math.max(0, to), total));
  const [above, below] = seatsTopDown(scene.room, parts.bottomSeat?.(scene) ?? facing ?? 0);
  const labels = frame.events.map((event) => parts.announce(event, scene)).filter(Boolean);
  const receipt = receiptText(replay, step);
  const { winners } = replay.result;
  const rated = useRatingChanges(replay.room, replay.match, replay.table.rated === true);
  const form = parts.playersOnBoard ? "table-around" : parts.MoveList ? "table-broad" : "";
  return (
    <div class={`table-page ${form} replay`}>
      <div class="table-head">
        <h1>
          {gameName(replay.game)}
          <span class="table-round">{parts.heading(frame.position, texts.value)}</span>
          {replay.table.rated && <span class="tag tag-rated">{texts.value.rated.name}</span>}
          {parts.tags?.(replay.options, texts.value, true).map((tag) => (
            <span class="tag" key={tag}>
              {tag}
            </span>
          ))}
        </h1>
        <div class="buttons">
          <ViewpointSelect replay={replay} nameOf={scene.nameAt} onViewpoint={onViewpoint} />
          {isOpen(replay.room) ? (
            <a class="button small" href={href({ at: "table", room: replay.room })}>
              {text.toTable}
            </a>
          ) : (
            <a class="button small" href={href({ at: "replay" })}>
              {texts.value.finishedGames.title}
            </a>
          )}
        </div>
      </div>
      <section class="arena" aria-label={text.title}>
        {!parts.playersOnBoard && <PlayerName scene={scene} parts={parts} seat={above!} won={winners.includes(above!)} rated={rated} />}
        <parts.Board scene={scene} />
        {!parts.playersOnBoard && <PlayerName scene={scene} parts={parts} seat={below!} won={winners.includes(below!)} rated={rated} />}
        <Autoplay step={step} total={total} onStep={turn} at={text.step} stepping={!parts.MoveList} />
        <p class="soft replay-announcement" aria-live="polite">
          {labels.join(" ")}
        </p>
        {receipt && <p class="soft replay-receipt">{receipt}</p>}
        {parts.Panel && <parts.Panel scene={scene} />}
      </section>
      <aside class="side">
        {parts.MoveList && <parts.MoveList scene={moveListScene(replay, step, turn)} />}
        <ShareGame replay={replay} parts={parts} scene={scene} step={step} />
        <GameInfo replay={replay} rated={parts.playersOnBoard ? rated : undefined} />
        {parts.usesRandomness(replay.options) && <VerifyButton replay={replay} parts={parts} />}
      </aside>
    </div>
  );
}

/** Tell whether a table is open, as far as this page knows. */
function isOpen(room: RoomId): boolean {
  const { tables, lobby } = state.value;
  return (tables[room] ? tables[room].room.phase !== "closed" : lobby?.has(room)) ?? false;
}

function ViewpointSelect({ replay, nameOf, onViewpoint }: { replay: Replay; nameOf: (seat: Seat) => string; onViewpoint: (viewpoint: Viewpoint) => void }) {
  const text = texts.value.replay;
  const viewpoints = viewpointsOf(replay);
  if (viewpoints.length < 2) return null;
  const label = (one: Viewpoint) => (one === "all" ? text.viewAsAll : one === "watch" ? text.viewAsSpectator : text.viewAsPlayer(nameOf(one)));
  return (
    <label class="replay-viewpoint">
      <span>{text.viewAs}</span>
      <select
        value={String(viewpointOf(replay))}
        onChange={({ currentTarget: { value } }) => onViewpoint(value === "all" || value === "watch" ? value : Number(value))}
      >
        {viewpoints.map((one) => (
          <option key={one} value={String(one)}>
            {label(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PlayerNameProps {
  scene: Scene<GameName>;
  parts: GameParts<GameName>;
  seat: Seat;
  won: boolean;
  rated: GameRatings | undefined;
}

function PlayerName({ scene, parts, seat, won, rated }: PlayerNameProps) {
  const { room, position, nameAt } = scene;
  const left = room.clock ? remaining(room.clock, seat, room.clock.at, room.table.clock?.move || null).left : null;
  const active = room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === seat;
  return (
    <div class={`player ${active ? "player-active" : ""} ${won && room.phase === "over" ? "player-won" : ""}`} data-seat={seat}>
      <span class="badge">{position && <parts.Badge position={position} seat={seat} />}</span>
      <span class="player-name">
        <bdi class="player-text">{nameAt(seat)}</bdi> <RatingText {...ratingAfter(rated, seat)} />
        <BotMark shown={room.seats[seat]?.bot_account ?? false} />
        {room.seats[seat]?.bot && <small class="tag">{texts.value.table.computer}</small>}
      </span>
      {won && <span class="result result-won">{texts.value.myGames.won}</span>}
      {position && <parts.Score position={position} seat={seat} />}
      {left !== null && (
        <span class="clock" role="timer" aria-label={texts.value.replay.clock(nameAt(seat), clockFace(left))}>
          {clockFace(left)}
        </span>
      )}
    </div>
  );
}

function GameInfo({ replay, rated }: { replay: Replay; rated: GameRatings | undefined }) {
  const text = texts.value.replay;
  const { result, began } = replay;
  const day = new Date(began).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const room = roomOf(replay, replay.frames.length - 1);
  const winners = result.winners.map((seat) => nameAt(room, seat));
  const early = endedEarly(result, room.seats.map((seat) => seat?.bot));
  return (
    <details class="heads" open>
      <summary>{text.about}</summary>
      <dl>
        <div>
          <dt>{text.headers.Result}</dt>
          <dd>{early ? texts.value.outcome.noResult.left : winText(winners)}</dd>
        </div>
        {reasonText(replay.game, result.reason) && (
          <div>
            <dt>{text.ended}</dt>
            <dd>{reasonText(replay.game, result.reason)}</dd>
          </div>
        )}
        {rated?.changes.map(({ seat, name }) => (
          <div key={seat}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <RatingText {...ratingAfter(rated, seat)} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{text.played}</dt>
          <dd>
            <time dateTime={new Date(began).toISOString()}>{day}</time>
          </dd>
        </div>
      </dl>
      <p>{text.keys}</p>
    </details>
  );
}

/** Return the room at a frame. */
export function roomOf(replay: Replay, step: number): Room {
  const frame = replay.frames[step]!;
  const over = step === replay.frames.length - 1;
  return completeRoom({
    id: replayPath(replay.room, replay.match),
    code: "",
    game: replay.game,
    options: replay.options,
    table: replay.table,
    phase: over ? "over" : "playing",
    seats: replay.names.map((name, seat) => ({ name, bot: replay.bots[seat] ?? "", bot_account: replay.bot_accounts?.includes(seat) ?? false })),
    match: replay.match,
    commitment: replay.commitment,
    position: frame.position,
    to_act: over ? [] : frame.to_act,
    clock: frame.clock ? { ...frame.clock, running: [] } : null,
    result: over ? replay.result : null,
    seed: over ? replay.seed : "",
  });
}

/** Return a read-only scene. */
function sceneOf(replay: Replay, step: number, cursor: MoveCursor | null, setCursor: (to: MoveCursor | null) => void): Scene<GameName> {
  const room = roomOf(replay, step);
  const viewpoint = viewpointOf(replay);
  return {
    room,
    position: room.position,
    you: typeof viewpoint === "number" ? viewpoint : null,
    ...READ_ONLY_SCENE,
    rules: replay.rules,
    cursor,
    setCursor,
    texts: texts.value,
    nameAt: (seat) => nameAt(room, seat),
  };
}

/** Return the scene for the move list, which counts moves instead of frames. */
function moveListScene(replay: Replay, step: number, turn: (step: number) => void): Scene<GameName> {
  const last = replay.frames.length - 1;
  const total = moveCount(replay.frames[last]!.position);
  const back = step === last ? null : { step: Math.min(total, moveCount(replay.frames[step]!.position)), total };
  const scene = sceneOf(replay, last, back, (to) => turn(to === null ? last : frameAtMove(replay.frames, to.step)));
  return { ...scene, you: null };
}
