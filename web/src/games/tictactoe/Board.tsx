/** The tic-tac-toe board: nine buttons. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Scene } from "../gameInterface";
import { EMPTY, neighbour, symbolOf, type Symbol } from "./position";
import { SymbolIcon } from "./PlayerBadge";

const ROWS = [0, 1, 2];

export function Board({ scene }: { scene: Scene<"tictactoe"> }) {
  const { position, you, pending, mayMove, play, texts } = scene;
  const grid = useRef<HTMLDivElement>(null);
  const focus = useSignal(4);
  const board = position?.board ?? EMPTY.repeat(9);
  const won = new Set(position?.lines.flat());
  const mine = position && you !== null ? symbolOf(position, you) : null;
  const waiting = pending?.do === "mark" ? pending.cell : null;

  const move = (event: KeyboardEvent) => {
    const next = neighbour(focus.value, event.key);
    if (next === focus.value && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    focus.value = next;
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };

  const cell = (number: number) => {
    const symbol = board[number] === EMPTY ? null : (board[number] as Symbol);
    const shown = symbol ?? (number === waiting ? mine : null);
    const open = mayMove && symbol === null;
    const place = texts.games.tictactoe.cell(Math.floor(number / 3) + 1, (number % 3) + 1);
    const classes = ["cell", open && "cell-open", won.has(number) && "cell-won", symbol === null && shown && "cell-pending"];
    return (
      <button
        key={number}
        role="gridcell"
        data-cell={number}
        class={classes.filter(Boolean).join(" ")}
        aria-label={texts.punctuation.labelled(place, shown ?? texts.games.tictactoe.emptyCell)}
        aria-disabled={!open}
        tabIndex={number === focus.value ? 0 : -1}
        onFocus={() => (focus.value = number)}
        onClick={() => open && play({ do: "mark", cell: number })}
      >
        {shown && <SymbolIcon symbol={shown} fresh />}
        {open && mine && (
          <span class="cell-hint">
            <SymbolIcon symbol={mine} />
          </span>
        )}
      </button>
    );
  };

  return (
    <div
      ref={grid}
      class={`ttt board ${won.size ? "ttt-decided" : ""} ${position === null ? "ttt-waiting" : ""}`}
      role="grid"
      aria-label={texts.games.tictactoe.board}
      aria-description={texts.sidePanel.keys}
      onKeyDown={move}
    >
      <svg class="ttt-lines" viewBox="0 0 300 300" aria-hidden="true">
        <path d="M100 9V291M200 9V291M9 100H291M9 200H291" />
      </svg>
      {ROWS.map((row) => (
        <div class="ttt-row" role="row" key={row}>
          {ROWS.map((column) => cell(row * 3 + column))}
        </div>
      ))}
    </div>
  );
}
