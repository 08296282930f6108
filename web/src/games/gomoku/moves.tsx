/** The record of the game: every stone in order. */

import { Files } from "../../parts/files";
import { MoveButton, MoveRecord } from "../../parts/record";
import { time } from "../../session";
import { pageOf, turnTo, type GomokuScene } from "./lookback";
import { colourOfMove, coordinate } from "./position";
import { sgf } from "./sgf";

export function Moves({ scene }: { scene: GomokuScene }) {
  const { position, room, live, words } = scene;
  const { step, total } = pageOf(scene);
  const moves = position?.moves ?? [];
  const text = words.gomoku;
  const turn = (to: number) => turnTo(scene, to);
  const pairs = Array.from({ length: Math.ceil(total / 2) }, (_, pair) => [2 * pair, 2 * pair + 1] as const);
  const files = live && room.phase === "over" && total > 0 && (
    <Files
      room={room}
      label={text.download}
      ending="sgf"
      type="application/x-go-sgf"
      text={() => written(scene)}
    />
  );
  return (
    <MoveRecord text={text} step={step} total={total} onTurn={turn} foot={files}>
      {pairs.map((pair) => (
        <li class="moves-pair" key={pair[0]}>
          <span class="moves-number">{pair[0] / 2 + 1}</span>
          {pair.map((index) => {
            const cell = moves[index];
            if (cell === undefined) return null;
            return (
              <MoveButton
                key={index}
                colour={colourOfMove(index)}
                label={text.placed(colourOfMove(index), coordinate(cell))}
                name={coordinate(cell)}
                current={index === step - 1}
                onClick={() => turn(index + 1)}
              />
            );
          })}
        </li>
      ))}
    </MoveRecord>
  );
}

function written({ room, position, nameAt }: GomokuScene): string {
  const { black, moves } = position!;
  const names = { black: nameAt(black), white: nameAt(1 - black) };
  return sgf({ black, names, moves, result: room.result, day: new Date(time.now()) });
}
