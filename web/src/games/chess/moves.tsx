/** The record of the game: moves as people write them, throws between them, and the way through it. */

import { Files } from "../../parts/files";
import { MoveButton, MoveRecord } from "../../parts/record";
import { time } from "../../session";
import type { ChessOptions } from "../../wire";
import { pageOf, turnTo, type ChessScene } from "./lookback";
import { DiceRow } from "./dice";
import { asSeen, turned } from "./outlook";
import { pgn } from "./pgn";
import { colourOf, full, sidesOf, type Full } from "./position";
import { recordOf } from "./record";
import { numbersOf, roundsOf } from "./rolls";
import type { Colour } from "./squares";

export function Moves({ scene }: { scene: ChessScene }) {
  const { position, words } = scene;
  const { step, total, closed } = pageOf(scene);
  const game = position ? full(position) : null;
  const thrown = game?.thrown.length ?? 0;
  return (
    <MoveRecord
      text={words.chess}
      step={step}
      total={total}
      size={total + thrown}
      closed={closed}
      onTurn={(to) => turnTo(scene, to)}
      head={<Flip scene={scene} />}
      foot={<Foot scene={scene} game={game} />}
    >
      {game && (thrown > 0 ? <Rounds scene={scene} game={game} /> : <Pairs scene={scene} game={game} />)}
    </MoveRecord>
  );
}

function Flip({ scene: { room, words } }: { scene: ChessScene }) {
  const label = words.chess.flip;
  const flip = () => (turned.value = turned.value === room.id ? null : room.id);
  return (
    <button class="small step flip" aria-label={label} title={label} onClick={flip}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5 13V3L2.5 5.5M11 3v10l2.5-2.5" fill="none" />
      </svg>
    </button>
  );
}

function Foot({ scene, game }: { scene: ChessScene; game: Full | null }) {
  const { room, you, live, words } = scene;
  const text = words.chess;
  const { total, closed } = pageOf(scene);
  return (
    <>
      {closed && total > 0 && room.phase === "playing" && <small class="soft">{text.fogMoves}</small>}
      {game !== null && you !== null && game.boards.length > 0 && (
        <label class="choice moves-seen">
          <input type="checkbox" checked={asSeen.value} onChange={(event) => (asSeen.value = event.currentTarget.checked)} />
          <span>{text.asSeen}</span>
        </label>
      )}
      {game !== null && live && room.phase === "over" && total > 0 && (
        <Files
          room={room}
          label={text.download}
          ending="pgn"
          type="application/x-chess-pgn"
          text={() => written(scene, game)}
        />
      )}
    </>
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
    <MoveButton
      colour={colour}
      label={`${number} ${scene.words.chess[colour]} ${name}`}
      name={name}
      current={index === step - 1}
      disabled={closed}
      onClick={() => turnTo(scene, index + 1)}
    />
  );
}

function written({ room, nameAt }: ChessScene, game: Full): string {
  return pgn({
    game,
    options: room.options as ChessOptions,
    names: { white: nameAt(game.white), black: nameAt(1 - game.white) },
    result: room.result,
    round: room.match,
    day: new Date(time.now()),
    site: location.host,
  });
}
