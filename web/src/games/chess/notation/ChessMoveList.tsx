/** Move list of chess with the rolls between the moves. */

import { DownloadButton } from "../../../replay/DownloadButton";
import { MoveButton, MoveList as MoveListFrame } from "../../../replay/MoveList";
import { time } from "../../../net/session";
import type { ChessOptions } from "../../../net/protocol";
import { shownMove, showMove, type ChessScene } from "../moveNavigation";
import { DiceRow } from "../dice/DicePanel";
import { showFogAsSeen, isFlipped } from "../board/orientation";
import { colourOf, fullPosition, sidesOf, type FullPosition } from "../position";
import { moveRecord } from "./moveRecord";
import { moveNumbers, roundsOfDice } from "../dice/diceHistory";
import type { Colour } from "../squares";

export function MoveList({ scene }: { scene: ChessScene }) {
  const { position, texts } = scene;
  const { step, total, closed } = shownMove(scene);
  const game = position ? fullPosition(position) : null;
  const rollCount = game?.rolls.length ?? 0;
  return (
    <MoveListFrame
      text={texts.games.chess}
      step={step}
      total={total}
      size={total + rollCount}
      closed={closed}
      onStep={(to) => showMove(scene, to)}
      head={<FlipButton scene={scene} />}
      foot={<Footer scene={scene} game={game} />}
    >
      {game && (rollCount > 0 ? <MoveRounds scene={scene} game={game} /> : <MovePairs scene={scene} game={game} />)}
    </MoveListFrame>
  );
}

function FlipButton({ scene: { room, texts } }: { scene: ChessScene }) {
  const label = texts.games.chess.flip;
  const flip = () => (isFlipped.value = isFlipped.value === room.id ? null : room.id);
  return (
    <button class="small step flip" aria-label={label} title={label} onClick={flip}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5 13V3L2.5 5.5M11 3v10l2.5-2.5" fill="none" />
      </svg>
    </button>
  );
}

function Footer({ scene, game }: { scene: ChessScene; game: FullPosition | null }) {
  const { room, you, live, texts } = scene;
  const text = texts.games.chess;
  const { total, closed } = shownMove(scene);
  return (
    <>
      {closed && total > 0 && room.phase === "playing" && <small class="soft">{text.fogMoves}</small>}
      {game !== null && you !== null && game.boards.length > 0 && (
        <label class="choice moves-as-seen">
          <input type="checkbox" checked={showFogAsSeen.value} onChange={(event) => (showFogAsSeen.value = event.currentTarget.checked)} />
          <span>{text.asSeen}</span>
        </label>
      )}
      {game !== null && live && room.phase === "over" && total > 0 && (
        <DownloadButton
          room={room}
          label={text.download}
          extension="pgn"
          type="application/x-chess-pgn"
          text={() => pgnOf(scene, game)}
        />
      )}
    </>
  );
}

interface ListProps {
  scene: ChessScene;
  game: FullPosition;
}

/** Moves of white and black in pairs. */
function MovePairs({ scene, game }: ListProps) {
  const entries = entriesOf(game);
  const pairs = Array.from({ length: Math.ceil(entries.length / 2) }, (_, pair) => entries.slice(2 * pair, 2 * pair + 2));
  return (
    <>
      {pairs.map((pair, index) => (
        <li class="moves-pair" key={index}>
          <span class="moves-number">{index + 1}</span>
          {pair.map((entry) => (
            <MoveEntry key={entry.index} scene={scene} entry={entry} />
          ))}
        </li>
      ))}
    </>
  );
}

/** A roll and the moves made with it. */
function MoveRounds({ scene, game }: ListProps) {
  const entries = entriesOf(game);
  const rerolledText = scene.texts.games.chess.rerolled;
  return (
    <>
      {roundsOfDice(game).map(({ roll, moves }, index) => (
        <li class="moves-round" key={index}>
          {roll && <DiceRow roll={roll} colour={colourOf(game, roll.seat)} rerolledText={roll.again ? rerolledText : ""} />}
          <span class="moves-made">
            {moves.map((move) => (
              <MoveEntry key={move} scene={scene} entry={entries[move]!} />
            ))}
          </span>
        </li>
      ))}
    </>
  );
}

/** A move in the list. */
interface Entry {
  index: number;
  number: number;
  colour: Colour;
  name: string;
}

/** Return all moves; in coordinates if the game is not known from its start. */
function entriesOf(game: FullPosition): readonly Entry[] {
  const [frames, numbers, sides] = [moveRecord(game), moveNumbers(game), sidesOf(game)];
  return game.moves.map((uci, index) => ({
    index,
    number: numbers[index]!,
    colour: sides[index] === "b" ? "black" : "white",
    name: uci ? (frames[index + 1]?.san ?? `${uci.slice(0, 2)}–${uci.slice(2)}`) : "？",
  }));
}

function MoveEntry({ scene, entry: { index, number, colour, name } }: { scene: ChessScene; entry: Entry }) {
  const { step, closed } = shownMove(scene);
  return (
    <MoveButton
      colour={colour}
      label={`${number} ${scene.texts.games.chess[colour]} ${name}`}
      name={name}
      current={index === step - 1}
      disabled={closed}
      onClick={() => showMove(scene, index + 1)}
    />
  );
}

async function pgnOf({ room, nameAt }: ChessScene, game: FullPosition): Promise<string> {
  const { writePgn } = await import("./pgnWriter");
  return writePgn({
    game,
    options: room.options as ChessOptions,
    names: { white: nameAt(game.white), black: nameAt(1 - game.white) },
    result: room.result,
    round: room.match,
    day: new Date(time.now()),
    site: location.host,
  });
}
