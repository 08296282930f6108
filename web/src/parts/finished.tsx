/** A finished game, stepped through as everybody or as one of its players saw it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { GAMES, partsOf } from "../games/boards";
import { STILL, type GameParts, type LookBack, type Scene } from "../games/game";
import { accountPath, eyesOf, fetchAccount, frameOf, movesOf, placeOf, toldTo, turning, type Account, type Eyes, type Found } from "../finished";
import { gameName, reasonText, winText, words } from "../i18n";
import { complete, type Room } from "../room";
import { href } from "../route";
import { clockFace, remaining } from "../time";
import { nameAt, topDown } from "../turn";
import type { GameName, RoomId, Seat } from "../wire";
import { Autoplay } from "./autoplay";
import { Chance } from "./chance";
import { Keep } from "./keep";

interface FinishedProps {
  room: RoomId;
  match: number;
}

export function Finished({ room, match }: FinishedProps) {
  const { replay } = words.value;
  const found = useSignal<Found | null>(null);
  const eyes = useSignal<Eyes | null>(null);
  const version = useSignal(0);
  const tries = useSignal(0);
  useEffect(() => {
    let here = true;
    void fetchAccount(room, match, eyes.value).then((answer) => here && (found.value = stepped(answer)));
    return () => void (here = false);
  }, [eyes.value, tries.value]);
  const account = found.value;
  if (account === null) return <p class="shut soft opening">{replay.loading}</p>;
  if (account === "gone" || account === "lost") {
    return (
      <div class="shut">
        <p role="alert">{replay[account]}</p>
        <div class="buttons">
          {account === "lost" && <button onClick={() => (tries.value += 1)}>{replay.retry}</button>}
          <a class="button" href={href({ at: "table", room })}>
            {replay.toTable}
          </a>
        </div>
      </div>
    );
  }
  if (!partsOf(account.game)) return <p class="shut">{words.value.table.unknownGame}</p>;
  const step = placeOf(account.frames, version.value);
  const turn = (to: number) => (version.value = account.frames[to]!.version);
  return <Told account={account} step={step} onTurn={turn} onEyes={(to) => (eyes.value = to)} />;
}

/** Return a game with a frame for each step that can be seen. */
function stepped(found: Found): Found {
  if (found === "gone" || found === "lost") return found;
  return { ...found, frames: turning(found.frames, partsOf(found.game)?.seen) };
}

interface ToldProps {
  account: Account;
  step: number;
  onTurn: (step: number) => void;
  onEyes: (eyes: Eyes) => void;
}

function Told({ account, step, onTurn, onEyes }: ToldProps) {
  const { replay } = words.value;
  const parts = GAMES[account.game];
  const total = account.frames.length - 1;
  const frame = account.frames[step]!;
  const scene = sceneOf(account, step, null, () => undefined);
  const turn = (to: number) => onTurn(Math.min(Math.max(0, to), total));
  const [above, below] = topDown(scene.room, parts.below?.(scene) ?? 0);
  const said = frame.events.map((event) => parts.announce(event, scene)).filter(Boolean);
  const form = parts.around ? "table-around" : parts.Moves ? "table-broad" : "";
  return (
    <div class={`table-page ${form} replay`}>
      <div class="table-head">
        <h1>
          {gameName(account.game)}
          <span class="table-round">{parts.heading(frame.position, words.value)}</span>
          {parts.tags?.(account.options, words.value).map((tag) => (
            <span class="tag" key={tag}>
              {tag}
            </span>
          ))}
        </h1>
        <div class="buttons">
          <EyesOf account={account} nameOf={scene.nameAt} onEyes={onEyes} />
          <a class="button small" href={href({ at: "table", room: account.room })}>
            {replay.toTable}
          </a>
        </div>
      </div>
      <section class="arena" aria-label={replay.title}>
        {!parts.around && <Name scene={scene} parts={parts} seat={above!} />}
        <parts.Board scene={scene} />
        {!parts.around && <Name scene={scene} parts={parts} seat={below!} />}
        <Autoplay step={step} total={total} onTurn={turn} at={replay.step} stepping={!parts.Moves} />
        <p class="soft replay-said" aria-live="polite">
          {said.join(" ")}
        </p>
        {parts.Panel && <parts.Panel scene={scene} />}
      </section>
      <aside class="side">
        {parts.Moves && <parts.Moves scene={listOf(account, step, turn)} />}
        <Keep account={account} scene={scene} step={step} />
        <About account={account} />
        {parts.hasChance(account.options) && <Chance account={account} />}
      </aside>
    </div>
  );
}

function EyesOf({ account, nameOf, onEyes }: { account: Account; nameOf: (seat: Seat) => string; onEyes: (eyes: Eyes) => void }) {
  const { replay } = words.value;
  const eyes = eyesOf(account);
  if (eyes.length < 2) return null;
  const label = (one: Eyes) => (one === "all" ? replay.all : one === "watch" ? replay.watch : replay.eyesOf(nameOf(one)));
  return (
    <label class="replay-eyes">
      <span>{replay.eyes}</span>
      <select
        value={String(toldTo(account))}
        onChange={({ currentTarget: { value } }) => onEyes(value === "all" || value === "watch" ? value : Number(value))}
      >
        {eyes.map((one) => (
          <option key={one} value={String(one)}>
            {label(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Name({ scene, parts, seat }: { scene: Scene<GameName>; parts: GameParts<GameName>; seat: Seat }) {
  const { room, position, nameAt } = scene;
  const left = room.clock ? remaining(room.clock, seat, room.clock.at, room.table.clock?.move || null).left : null;
  const active = room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === seat;
  const won = room.result?.winners.includes(seat);
  return (
    <div class={`player ${active ? "player-active" : ""} ${won ? "player-won" : ""}`} data-seat={seat}>
      <span class="badge">{position && <parts.Badge position={position} seat={seat} />}</span>
      <span class="player-name">
        <bdi class="player-text">{nameAt(seat)}</bdi>
        {room.chairs[seat]?.bot && <small class="tag">{words.value.table.computer}</small>}
      </span>
      {position && <parts.Score position={position} seat={seat} />}
      {left !== null && (
        <span class="clock" role="timer" aria-label={words.value.replay.clock(nameAt(seat), clockFace(left))}>
          {clockFace(left)}
        </span>
      )}
    </div>
  );
}

function About({ account }: { account: Account }) {
  const { replay } = words.value;
  const { result, began } = account;
  const day = new Date(began).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const room = roomOf(account, account.frames.length - 1);
  const winners = result.winners.map((seat) => nameAt(room, seat));
  return (
    <details class="heads" open>
      <summary>{replay.about}</summary>
      <dl>
        <div>
          <dt>{replay.heads.Result}</dt>
          <dd>{winText(winners)}</dd>
        </div>
        {reasonText(result.reason) && (
          <div>
            <dt>{replay.ended}</dt>
            <dd>{reasonText(result.reason)}</dd>
          </div>
        )}
        <div>
          <dt>{replay.played}</dt>
          <dd>
            <time dateTime={new Date(began).toISOString()}>{day}</time>
          </dd>
        </div>
      </dl>
      <p>{replay.keys}</p>
    </details>
  );
}

/** Return the table as it was at a frame. */
export function roomOf(account: Account, step: number): Room {
  const frame = account.frames[step]!;
  const over = step === account.frames.length - 1;
  return complete({
    id: accountPath(account.room, account.match),
    code: "",
    game: account.game,
    options: account.options,
    table: account.table,
    phase: over ? "over" : "playing",
    chairs: account.names.map((name, seat) => ({ name, bot: account.bots[seat] ?? "" })),
    match: account.match,
    commitment: account.commitment,
    position: frame.position,
    to_act: over ? [] : frame.to_act,
    clock: frame.clock ? { ...frame.clock, running: [] } : null,
    result: over ? account.result : null,
    seed: over ? account.seed : "",
  });
}

/** Return a table at which nothing can be done any more. */
function sceneOf(account: Account, step: number, back: LookBack | null, look: (to: LookBack | null) => void): Scene<GameName> {
  const room = roomOf(account, step);
  const eyes = toldTo(account);
  return {
    room,
    position: room.position,
    you: typeof eyes === "number" ? eyes : null,
    ...STILL,
    back,
    look,
    words: words.value,
    nameAt: (seat) => nameAt(room, seat),
  };
}

/** The list has all moves of the game, and its own way of counting them. */
function listOf(account: Account, step: number, turn: (step: number) => void): Scene<GameName> {
  const last = account.frames.length - 1;
  const total = movesOf(account.frames[last]!.position);
  const back = step === last ? null : { step: Math.min(total, movesOf(account.frames[step]!.position)), total };
  const scene = sceneOf(account, last, back, (to) => turn(to === null ? last : frameOf(account.frames, to.step)));
  return { ...scene, you: null };
}
