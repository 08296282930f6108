/** Sixty-four buttons for keyboard and screen readers. */

import { useSignal } from "@preact/signals";
import { BoardGrid } from "../../../boardKit/BoardGrid";
import { texts } from "../../../i18n/language";
import type { ChessScene } from "../moveNavigation";
import { colourOfPiece, kindOf, SQUARES, type Colour, type Pieces } from "../squares";

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

export function KeyboardGrid({ scene, orientation, pieces, marks, lastMove, held, targets, onPress, onCancel }: KeyboardGridProps) {
  const text = scene.texts.games.chess;
  const focus = useSignal(SQUARES.indexOf("e2"));

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
    <BoardGrid
      columns={8}
      rows={8}
      label={text.board}
      focus={focus}
      class="chess-grid"
      rowClass="chess-row"
      turned={orientation === "black"}
      cell={(number) => {
        const square = SQUARES[number]!;
        return { label: labels(square), class: "chess-square", square, selected: square === held };
      }}
      onPress={(number) => onPress(SQUARES[number]!)}
      onCancel={onCancel}
    />
  );
}
