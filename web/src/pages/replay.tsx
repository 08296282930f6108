/** A record, opened and stepped through. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { GAMES } from "../games/boards";
import { STILL, type GameParts, type LookBack, type Scene, type Told } from "../games/game";
import { gameName, reasonText, words } from "../i18n";
import type { Head } from "../i18n/replay/words";
import { Autoplay } from "../parts/autoplay";
import { Opener } from "../parts/opener";
import { PastGames } from "../parts/past";
import { opened, type Opened } from "../replay";
import { complete } from "../room";
import { topDown } from "../turn";
import type { GameName, Seat } from "../wire";

export function ReplayPage() {
  const record = opened.value;
  useEffect(() => scrollTo(0, 0), [record]);
  if (record !== null) return <Reader record={record} />;
  return (
    <>
      <PastGames />
      <Opener />
    </>
  );
}

function Reader({ record }: { record: Opened }) {
  const { replay } = words.value;
  const chosen = useSignal(0);
  const parts = GAMES[record.game];
  const told = record.games[chosen.value]!.read();
  const problem = "says" in told ? told : null;
  return (
    <div class="table-page table-broad replay">
      <div class="table-head">
        <h1>
          {gameName(record.game)}
          {"options" in told &&
            parts.tags?.(told.options, words.value).map((tag) => (
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
          <button class="small" onClick={() => (opened.value = null)}>
            {replay.another}
          </button>
        </div>
      </div>
      {problem ? (
        <p class="opener-wrong replay-wrong" role="alert">
          {problem.says(words.value)}
        </p>
      ) : (
        <Game key={chosen.value} game={record.game} parts={parts} told={told as Told<GameName>} />
      )}
    </div>
  );
}

interface GameProps {
  game: GameName;
  parts: GameParts<GameName>;
  told: Told<GameName>;
}

function Game({ game, parts, told }: GameProps) {
  const { replay } = words.value;
  const back = useSignal<LookBack | null>({ step: 0, total: told.total });
  const scene = sceneOf(game, told, back.value, (to) => (back.value = to));
  const step = back.value?.step ?? told.total;
  const turn = (to: number) => (back.value = to >= told.total ? null : { step: Math.max(0, to), total: told.total });
  const [above, below] = topDown(scene.room, parts.below?.(scene) ?? 0);
  const name = (seat: Seat) => <Name parts={parts} told={told} seat={seat} over={step === told.total} />;
  return (
    <>
      <section class="arena" aria-label={replay.title}>
        {name(above!)}
        <parts.Board scene={scene} />
        {name(below!)}
        <Autoplay step={step} total={told.total} onTurn={turn} />
        {parts.Panel && <parts.Panel scene={scene} />}
      </section>
      <aside class="side">
        {parts.Moves && <parts.Moves scene={scene} />}
        <Heads told={told} />
      </aside>
    </>
  );
}

function Name({ parts, told, seat, over }: { parts: GameParts<GameName>; told: Told<GameName>; seat: Seat; over: boolean }) {
  return (
    <div class={over && told.winners.includes(seat) ? "player player-won" : "player"} data-seat={seat}>
      <span class="badge">
        <parts.Badge position={told.position} seat={seat} />
      </span>
      <span class="player-name">
        <bdi class="player-text">{told.names[seat]}</bdi>
      </span>
    </div>
  );
}

function Heads({ told }: { told: Told<GameName> }) {
  const { replay } = words.value;
  return (
    <details class="heads" open>
      <summary>{replay.about}</summary>
      <dl>
        {told.heads.map(([name, value]) => (
          <div key={name}>
            <dt>{replay.heads[name as Head] ?? name}</dt>
            <dd>{(name === "Reason" && reasonText(value)) || value}</dd>
          </div>
        ))}
      </dl>
      <p>{replay.keys}</p>
    </details>
  );
}

/** Return a table at which nothing happens any more. */
function sceneOf(
  game: GameName,
  told: Told<GameName>,
  back: LookBack | null,
  look: (to: LookBack | null) => void,
): Scene<GameName> {
  const room = complete({
    id: "replay",
    code: "",
    game,
    options: told.options,
    table: {},
    phase: "over",
    chairs: told.names.map((name) => ({ name })),
    match: 1,
    commitment: "",
    position: told.position,
    result: { winners: told.winners, reason: "" },
  });
  return {
    room,
    position: told.position,
    you: null,
    ...STILL,
    back,
    look,
    words: words.value,
    nameAt: (seat) => told.names[seat] ?? "",
  };
}
