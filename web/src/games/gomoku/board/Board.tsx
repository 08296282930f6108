/** The gomoku board: canvas with drawings and a grid of buttons over it. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { BoardGrid, type GridCell } from "../../../boardKit/BoardGrid";
import { DrawingLayer } from "../../../boardKit/drawing/DrawingLayer";
import { useTapConfirmation } from "../../../boardKit/tapConfirmation";
import { coordinates } from "../../../settings/boardSettings";
import { BoardCanvas } from "./BoardCanvas";
import { intersection, middle, unitsOf } from "./geometry";
import { shownMove, type GomokuScene } from "../moveNavigation";
import type { PreviewStone } from "./paintBoard";
import type { GomokuMove, GomokuOptions } from "../../../net/protocol";
import { colourOfMove, coordinate, forbiddenKind, sizeOf, stageOf, STAGE_CHOICES, stones } from "../position";

export function Board({ scene }: { scene: GomokuScene }) {
  const { position, room, pending, draft, mayMove, setDraft, texts } = scene;
  const size = sizeOf(position, room.options as GomokuOptions);
  const box = useRef<HTMLDivElement>(null);
  const tap = useTapConfirmation(scene);
  const focus = useSignal((size * size - 1) / 2);
  const hover = useSignal<number | null>(null);
  const { step, earlier } = shownMove(scene);
  const moves = position?.moves.slice(0, step) ?? [];
  const laid = stones(moves);
  const line = earlier ? [] : (position?.line ?? []);
  const stage = position && stageOf(position);
  const open = mayMove && !earlier && !(stage && STAGE_CHOICES[stage].length > 0);
  const cellOf = (move: GomokuMove | null) => (move?.do === "place" ? move.x + size * move.y : null);
  const sent = earlier ? null : cellOf(pending);
  const aimed = open ? cellOf(draft) : null;
  // In swap2 a player places stones of both colours.
  const next = colourOfMove(moves.length);
  const forbidden = (position && !earlier && position.forbidden) || [];
  const isBarred = (cell: number) => position !== null && forbiddenKind(position, cell) !== null;

  const ghost = (): PreviewStone | null => {
    if (sent !== null && !laid.has(sent)) return { cell: sent, colour: next, kind: "sent" };
    if (aimed !== null && !laid.has(aimed) && !isBarred(aimed)) return { cell: aimed, colour: next, kind: "aimed" };
    const over = hover.value;
    return open && over !== null && !laid.has(over) && !isBarred(over) ? { cell: over, colour: next, kind: "hover" } : null;
  };

  const under = (event: MouseEvent): number => {
    const { x, y } = intersection(event.clientX, event.clientY, box.current!.getBoundingClientRect(), size);
    return x + size * y;
  };

  const press = (event: MouseEvent) => {
    const button = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-cell]") : null;
    // A click without a pointer comes from the keyboard or a screen reader.
    const cell = event.detail === 0 && button ? Number(button.dataset.cell) : under(event);
    if (!open || laid.has(cell)) return;
    focus.value = cell;
    const move: GomokuMove = { do: "place", x: cell % size, y: Math.floor(cell / size) };
    // The status line says why the point is forbidden.
    if (isBarred(cell)) setDraft(move);
    else tap.press(move, event, box.current!.getBoundingClientRect().width / unitsOf(size));
  };

  const point = (cell: number): GridCell => {
    const colour = laid.get(cell) ?? (cell === sent ? next : null);
    const kind = earlier || position === null ? null : forbiddenKind(position, cell);
    const marks = [
      kind && texts.games.gomoku.forbiddenPoint(texts.games.gomoku.forbiddenKinds[kind]),
      cell === moves.at(-1) && texts.games.gomoku.lastStone,
      line.includes(cell) && texts.games.gomoku.inLine,
      cell === aimed && !kind && texts.games.gomoku.unconfirmed,
    ].filter(Boolean);
    const content = [colour ? texts.games.gomoku[colour] : texts.games.gomoku.empty, ...marks].join(", ");
    return {
      label: texts.punctuation.labelled(coordinate(cell, size), content),
      class: cell === sent && !laid.has(cell) ? "point point-pending" : "point",
      disabled: !open || laid.has(cell),
    };
  };

  const fallen = moves.at(-1);
  const classes = ["gomoku board", open && "gomoku-open", earlier && "gomoku-earlier", position === null && "gomoku-waiting"];
  return (
    <div
      ref={box}
      class={classes.filter(Boolean).join(" ")}
      style={{ "--lines": size }}
      onPointerDown={tap.onPointerDown}
      onPointerMove={(event) => (hover.value = event.pointerType === "touch" ? null : under(event))}
      onPointerLeave={() => (hover.value = null)}
      onClick={press}
    >
      <BoardCanvas picture={{ lines: size, coordinates: coordinates.value, moves, line, forbidden: forbidden.map(({ cell }) => cell), preview: ghost() }} />
      {fallen !== undefined && !earlier && (
        <span
          key={moves.length}
          class="gomoku-fall"
          style={{ left: `${middle(fallen % size, 100, size)}%`, top: `${middle(Math.floor(fallen / size), 100, size)}%` }}
        />
      )}
      <DrawingLayer board={box} area={{ columns: size, rows: size, edge: 0.5, turned: false }} content={moves.join()} />
      <BoardGrid
        columns={size}
        rows={size}
        label={texts.games.gomoku.board}
        focus={focus}
        class="gomoku-grid"
        rowClass="gomoku-row"
        cell={point}
        onCancel={() => setDraft(null)}
      />
    </div>
  );
}
