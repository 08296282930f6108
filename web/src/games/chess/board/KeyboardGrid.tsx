/** Sixty-four buttons for keyboard and screen readers. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import type { ChessScene } from "../moveNavigation";
import { colourOfPiece, kindOf, neighbour, SQUARES, type Colour, type Pieces } from "../squares";

interface KeyboardGridProps {
  scene: ChessScene;
  orientation: Colour;
  pieces: Pieces;
  marks: ReadonlyMap<string, string>;
  lastMove: readonly string[];
  held: string | null;
  targets: readonly string[];
  onPress: (square: string) => void;
  onCancel: () => void;
}

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

export function KeyboardGrid({ scene, orientation, pieces, marks, lastMove, held, targets, onPress, onCancel }: KeyboardGridProps) {
  const text = scene.texts.games.chess;
  const grid = useRef<HTMLDivElement>(null);
  const focus = useSignal("e2");
  const order = orientation === "white" ? SQUARES : SQUARES.toReversed();

  const travel = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = neighbour(focus.value, event.key, orientation);
    if (next === focus.value && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    focus.value = next;
    grid.current?.querySelector<HTMLElement>(`[data-square="${next}"]`)?.focus();
  };

  const labels = (square: string): string => {
    const signs = (marks.get(square) ?? "").split(" ");
    const letter = pieces.get(square);
    const number = signs.find((sign) => /^number-\d/.test(sign));
    const what = letter
      ? text.piece(colourOfPiece(letter), text.pieces[kindOf(letter)])
      : signs.includes("fog")
        ? text.inFog
        : text.emptySquare;
    const more = [
      square === held && text.selected,
      targets.includes(square) && text.target,
      lastMove.includes(square) && text.lastMove,
      signs.includes("crater") && text.crater,
      signs.includes("mine") && text.mine,
      number && text.minesAround(Number(number.slice(7))),
    ];
    return texts.value.punctuation.labelled(square, [what, ...more].filter(Boolean).join(texts.value.punctuation.comma));
  };

  return (
    <div ref={grid} class="chess-grid" role="grid" aria-label={text.board} aria-description={texts.value.sidePanel.keys} onKeyDown={travel}>
      {ROWS.map((row) => (
        <div class="chess-row" role="row" key={row}>
          {order.slice(8 * row, 8 * row + 8).map((square) => (
            <button
              key={square}
              type="button"
              class="chess-square"
              role="gridcell"
              data-square={square}
              aria-label={labels(square)}
              aria-selected={square === held}
              tabIndex={square === focus.value ? 0 : -1}
              onFocus={() => (focus.value = square)}
              onClick={() => onPress(square)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
