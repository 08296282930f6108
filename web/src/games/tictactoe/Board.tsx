/** The tic-tac-toe board: nine buttons. */

import { useSignal } from "@preact/signals";
import { BoardGrid, type GridCell } from "../../boardKit/BoardGrid";
import { playOrDraft } from "../../boardKit/tapConfirmation";
import type { Scene } from "../gameInterface";
import { EMPTY, symbolOf, type Symbol } from "./position";
import { SymbolIcon } from "./PlayerBadge";

export function Board({ scene }: { scene: Scene<"tictactoe"> }) {
  const { position, you, pending, draft, mayMove, setDraft, texts } = scene;
  const focus = useSignal(4);
  const board = position?.board ?? EMPTY.repeat(9);
  const won = new Set(position?.lines.flat());
  const mine = position && you !== null ? symbolOf(position, you) : null;
  const waiting = pending?.do === "mark" ? pending.cell : null;
  const drafted = mayMove && draft?.do === "mark" ? draft.cell : null;

  const cell = (number: number): GridCell => {
    const symbol = board[number] === EMPTY ? null : (board[number] as Symbol);
    const shown = symbol ?? (number === waiting || number === drafted ? mine : null);
    const open = mayMove && symbol === null;
    const place = texts.games.tictactoe.cell(Math.floor(number / 3) + 1, (number % 3) + 1);
    const classes = ["cell", open && "cell-open", won.has(number) && "cell-won", symbol === null && shown && "cell-pending"];
    return {
      label: texts.punctuation.labelled(place, shown ?? texts.games.tictactoe.emptyCell),
      class: classes.filter(Boolean).join(" "),
      disabled: !open,
      ...(number === drafted && { selected: true }),
      children: (
        <>
          {shown && <SymbolIcon symbol={shown} fresh />}
          {open && !shown && mine && (
            <span class="cell-hint">
              <SymbolIcon symbol={mine} />
            </span>
          )}
        </>
      ),
    };
  };

  return (
    <BoardGrid
      columns={3}
      rows={3}
      label={texts.games.tictactoe.board}
      focus={focus}
      class={`ttt board ${won.size ? "ttt-decided" : ""} ${position === null ? "ttt-waiting" : ""}`}
      rowClass="ttt-row"
      cell={cell}
      onPress={(number) => playOrDraft(scene, { do: "mark", cell: number })}
      onCancel={() => setDraft(null)}
    >
      <svg class="ttt-lines" viewBox="0 0 300 300" aria-hidden="true">
        <path d="M100 9V291M200 9V291M9 100H291M9 200H291" />
      </svg>
    </BoardGrid>
  );
}
