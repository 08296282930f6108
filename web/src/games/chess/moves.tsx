/** The record of the game: moves as people write them, throws between them, and the way through it. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { follow, Steps } from "../../parts/steps";
import { time } from "../../session";
import { pageOf, turnTo, type ChessScene } from "./lookback";
import { DiceRow } from "./dice";
import { asSeen, turned } from "./outlook";
import { pgn } from "./pgn";
import { colourOf, full, sidesOf, type Full } from "./position";
import { recordOf } from "./record";
import { numbersOf, roundsOf } from "./rolls";
import type { Colour } from "./squares";

export function Moves({ scene }: { scene: ChessScene }) {
  const { position, room, you, words } = scene;
  const list = useRef<HTMLOListElement>(null);
  const { step, total, closed } = pageOf(scene);
  const text = words.chess;
  const game = position ? full(position) : null;
  const turn = (to: number) => turnTo(scene, to);

  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = () => {
      const current = box.querySelector<HTMLElement>("[aria-current]");
      if (current) box.scrollTop = current.offsetTop - (box.clientHeight - current.offsetHeight) / 2;
      else box.scrollTop = step === 0 ? 0 : box.scrollHeight;
    };
    const observer = new ResizeObserver(show);
    observer.observe(box);
    show();
    return () => observer.disconnect();
  }, [step, total, game?.thrown.length]);

  const flip = () => (turned.value = turned.value === room.id ? null : room.id);
  const mayChoose = game !== null && you !== null && game.boards.length > 0;
  return (
    <section class="moves" aria-labelledby="moves-title">
      <div class="moves-head">
        <h2 id="moves-title">{text.moves}</h2>
        <button class="small step flip" aria-label={text.flip} title={text.flip} onClick={flip}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M5 13V3L2.5 5.5M11 3v10l2.5-2.5" fill="none" />
          </svg>
        </button>
        <Steps text={text} step={step} total={total} closed={closed} onTurn={turn} />
      </div>
      <ol
        class="moves-list"
        ref={list}
        tabIndex={0}
        aria-labelledby="moves-title"
        onKeyDown={(event) => !event.shiftKey && follow({ step, total, onTurn: turn }, event)}
      >
        {total === 0 && !game?.thrown.length && <li class="soft moves-none">{text.noMoves}</li>}
        {game && (game.thrown.length > 0 ? <Rounds scene={scene} game={game} /> : <Pairs scene={scene} game={game} />)}
      </ol>
      <div class="moves-foot">
        {closed && total > 0 && room.phase === "playing" && <small class="soft">{text.fogMoves}</small>}
        {mayChoose && (
          <label class="choice moves-seen">
            <input
              type="checkbox"
              checked={asSeen.value}
              onChange={(event) => (asSeen.value = event.currentTarget.checked)}
            />
            <span>{text.asSeen}</span>
          </label>
        )}
        {room.phase === "over" && total > 0 && (
          <button class="small moves-file" onClick={() => save(scene)}>
            {text.download}
          </button>
        )}
      </div>
    </section>
  );
}

interface ListProps {
  scene: ChessScene;
  game: Full;
}

/** White and black side by side. */
function Pairs({ scene, game }: ListProps) {
  const entries = entriesOf(game);
  const pairs = Array.from({ length: Math.ceil(entries.length / 2) }, (_, pair) => entries.slice(2 * pair, 2 * pair + 2));
  return (
    <>
      {pairs.map((pair, index) => (
        <li class="moves-pair" key={index}>
          <span class="moves-number">{index + 1}</span>
          {pair.map((entry) => (
            <Move key={entry.index} scene={scene} entry={entry} />
          ))}
        </li>
      ))}
    </>
  );
}

/** A throw and what was made of it. */
function Rounds({ scene, game }: ListProps) {
  const entries = entriesOf(game);
  const again = scene.words.chess.rerolled;
  return (
    <>
      {roundsOf(game).map(({ thrown, moves }, index) => (
        <li class="moves-round" key={index}>
          {thrown && <DiceRow thrown={thrown} colour={colourOf(game, thrown.seat)} again={thrown.again ? again : ""} />}
          <span class="moves-made">
            {moves.map((move) => (
              <Move key={move} scene={scene} entry={entries[move]!} />
            ))}
          </span>
        </li>
      ))}
    </>
  );
}

/** A move as it is written in the list. */
interface Entry {
  index: number;
  number: number;
  colour: Colour;
  name: string;
}

/** Return all moves; where the game is not known from its beginning, from square to square. */
function entriesOf(game: Full): readonly Entry[] {
  const [frames, numbers, sides] = [recordOf(game), numbersOf(game), sidesOf(game)];
  return game.moves.map((uci, index) => ({
    index,
    number: numbers[index]!,
    colour: sides[index] === "b" ? "black" : "white",
    name: uci ? (frames[index + 1]?.san ?? `${uci.slice(0, 2)}–${uci.slice(2)}`) : "？",
  }));
}

function Move({ scene, entry: { index, number, colour, name } }: { scene: ChessScene; entry: Entry }) {
  const { step, closed } = pageOf(scene);
  return (
    <button
      class={`moves-move moves-${colour}`}
      tabIndex={-1}
      disabled={closed}
      aria-label={`${number} ${scene.words.chess[colour]} ${name}`}
      aria-current={index === step - 1 ? "step" : undefined}
      onClick={() => turnTo(scene, index + 1)}
    >
      {name}
    </button>
  );
}

function save({ room, position, nameAt }: ChessScene): void {
  if (position === null) return;
  const game = full(position);
  const text = pgn({
    game,
    options: room.options,
    names: { white: nameAt(game.white), black: nameAt(1 - game.white) },
    result: room.result,
    round: room.match,
    day: new Date(time.now()),
    site: location.host,
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  link.download = `chess-${room.code}-${room.match}.pgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
