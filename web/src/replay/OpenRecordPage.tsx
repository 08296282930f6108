/** Page that opens a PGN or SGF record and steps through it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { READ_ONLY_SCENE, type GameParts, type MoveCursor, type Scene, type OpenedGame } from "../games/gameInterface";
import { gameName, reasonText, texts } from "../i18n/language";
import type { Header } from "../i18n/types/replay";
import { Autoplay } from "./Autoplay";
import { RecordInput } from "./RecordInput";
import { FinishedGames } from "./FinishedGames";
import { openedRecord, type OpenedRecord } from "./openedRecord";
import { completeRoom } from "../net/roomReducer";
import { seatsTopDown } from "../table/turn";
import type { GameName, Seat } from "../net/protocol";
import "./styles/replay.css";

export function OpenRecordPage() {
  const record = openedRecord.value;
  useEffect(() => scrollTo(0, 0), [record]);
  if (record !== null) return <RecordReader record={record} />;
  return (
    <div class="records">
      <FinishedGames />
      <RecordInput />
    </div>
  );
}

function RecordReader({ record }: { record: OpenedRecord }) {
  const { replay } = texts.value;
  const chosen = useSignal(0);
  const { parts } = record;
  const result = record.games[chosen.value]!.read();
  const problem = "message" in result ? result : null;
  return (
    <div class="table-page table-broad replay">
      <div class="table-head">
        <h1>
          {gameName(record.game)}
          {"options" in result &&
            parts.tags?.(result.options, texts.value).map((tag) => (
              <span class="tag" key={tag}>
                {tag}
              </span>
            ))}
        </h1>
        <div class="buttons">
          {record.games.length > 1 && (
            <select
              class="replay-games"
              aria-label={replay.game}
              value={chosen.value}
              onChange={(event) => (chosen.value = Number(event.currentTarget.value))}
            >
              {record.games.map(({ title }, index) => (
                <option key={index} value={index}>
                  {index + 1}. {title}
                </option>
              ))}
            </select>
          )}
          <button class="small" onClick={() => (openedRecord.value = null)}>
            {replay.another}
          </button>
        </div>
      </div>
      {problem ? (
        <p class="record-input-error replay-error" role="alert">
          {problem.message(texts.value)}
        </p>
      ) : (
        <RecordGame key={chosen.value} game={record.game} parts={parts} opened={result as OpenedGame<GameName>} />
      )}
    </div>
  );
}

interface GameProps {
  game: string;
  parts: GameParts<GameName>;
  opened: OpenedGame<GameName>;
}

function RecordGame({ game, parts, opened }: GameProps) {
  const { replay } = texts.value;
  const back = useSignal<MoveCursor | null>({ step: 0, total: opened.total });
  const scene = sceneOf(game, opened, back.value, (to) => (back.value = to));
  const step = back.value?.step ?? opened.total;
  const turn = (to: number) => (back.value = to >= opened.total ? null : { step: Math.max(0, to), total: opened.total });
  const [above, below] = seatsTopDown(scene.room, parts.bottomSeat?.(scene) ?? 0);
  const name = (seat: Seat) => <PlayerName parts={parts} game={opened} seat={seat} over={step === opened.total} />;
  return (
    <>
      <section class="arena" aria-label={replay.title}>
        {name(above!)}
        <parts.Board scene={scene} />
        {name(below!)}
        <Autoplay step={step} total={opened.total} onStep={turn} />
        {parts.Panel && <parts.Panel scene={scene} />}
      </section>
      <aside class="side">
        {parts.MoveList && <parts.MoveList scene={scene} />}
        <Headers game={game} opened={opened} />
      </aside>
    </>
  );
}

function PlayerName({ parts, game, seat, over }: { parts: GameParts<GameName>; game: OpenedGame<GameName>; seat: Seat; over: boolean }) {
  return (
    <div class={over && game.winners.includes(seat) ? "player player-won" : "player"} data-seat={seat}>
      <span class="badge">
        <parts.Badge position={game.position} seat={seat} />
      </span>
      <span class="player-name">
        <bdi class="player-text">{game.names[seat]}</bdi>
      </span>
    </div>
  );
}

function Headers({ game, opened }: { game: string; opened: OpenedGame<GameName> }) {
  const { replay } = texts.value;
  return (
    <details class="heads" open>
      <summary>{replay.about}</summary>
      <dl>
        {opened.headers.map(([name, value]) => (
          <div key={name}>
            <dt>{replay.headers[name as Header] ?? name}</dt>
            <dd>{(name === "Reason" && reasonText(game, value)) || value}</dd>
          </div>
        ))}
      </dl>
      <p>{replay.keys}</p>
    </details>
  );
}

/** Return a read-only scene. */
function sceneOf(
  game: string,
  opened: OpenedGame<GameName>,
  cursor: MoveCursor | null,
  setCursor: (to: MoveCursor | null) => void,
): Scene<GameName> {
  const room = completeRoom({
    id: "replay",
    code: "",
    game,
    options: opened.options,
    table: {},
    phase: "over",
    seats: opened.names.map((name) => ({ name })),
    match: 1,
    commitment: "",
    position: opened.position,
    result: { winners: opened.winners, reason: "" },
  });
  return {
    room,
    position: opened.position,
    you: null,
    ...READ_ONLY_SCENE,
    cursor,
    setCursor,
    texts: texts.value,
    nameAt: (seat) => opened.names[seat] ?? "",
  };
}
