/** Move list of gomoku. */

import { DownloadButton } from "../../replay/DownloadButton";
import { MoveButton, MoveList as MoveListFrame } from "../../replay/MoveList";
import { time } from "../../net/session";
import { shownMove, showMove, type GomokuScene } from "./moveNavigation";
import { colourOfMove, coordinate, sizeOf } from "./position";

export function MoveList({ scene }: { scene: GomokuScene }) {
  const { position, room, live, texts } = scene;
  const { step, total } = shownMove(scene);
  const moves = position?.moves ?? [];
  const size = sizeOf(position);
  const text = texts.games.gomoku;
  const turn = (to: number) => showMove(scene, to);
  const pairs = Array.from({ length: Math.ceil(total / 2) }, (_, pair) => [2 * pair, 2 * pair + 1] as const);
  const files = live && room.phase === "over" && total > 0 && (
    <DownloadButton
      room={room}
      label={text.download}
      extension="sgf"
      type="application/x-go-sgf"
      text={() => sgfOf(scene)}
    />
  );
  return (
    <MoveListFrame text={text} step={step} total={total} onStep={turn} foot={files}>
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
                label={text.placed(colourOfMove(index), coordinate(cell, size))}
                name={coordinate(cell, size)}
                current={index === step - 1}
                onClick={() => turn(index + 1)}
              />
            );
          })}
        </li>
      ))}
    </MoveListFrame>
  );
}

async function sgfOf({ room, position, nameAt }: GomokuScene): Promise<string> {
  const { writeSgf } = await import("./sgfWriter");
  const { black, moves, rule } = position!;
  const names = { black: nameAt(black), white: nameAt(1 - black) };
  return writeSgf({ black, names, moves, rule, size: sizeOf(position), result: room.result, day: new Date(time.now()) });
}
