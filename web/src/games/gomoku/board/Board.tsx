/** The gomoku board: canvas with a grid of buttons over it. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { BoardGrid, type GridCell } from "../../../boardKit/BoardGrid";
import { useTapConfirmation } from "../../../boardKit/tapConfirmation";
import { BoardCanvas } from "./BoardCanvas";
import { intersection, middle, UNITS } from "./geometry";
import { shownMove, type GomokuScene } from "../moveNavigation";
import type { PreviewStone } from "./paintBoard";
import { CENTRE, colourOf, coordinate, SIZE, stones } from "../position";

export function Board({ scene }: { scene: GomokuScene }) {
  const { position, you, pending, draft, mayMove, setDraft, texts } = scene;
  const box = useRef<HTMLDivElement>(null);
  const tap = useTapConfirmation(scene);
  const focus = useSignal(CENTRE);
  const hover = useSignal<number | null>(null);
  const { step, earlier } = shownMove(scene);
  const moves = position?.moves.slice(0, step) ?? [];
  const laid = stones(moves);
  const line = earlier ? [] : (position?.line ?? []);
  const open = mayMove && !earlier;
  const sent = pending && !earlier ? pending.x + SIZE * pending.y : null;
  const aimed = draft && open ? draft.x + SIZE * draft.y : null;
  const mine = position && you !== null ? colourOf(position, you) : null;

  const ghost = (): PreviewStone | null => {
    if (mine === null) return null;
    if (sent !== null && !laid.has(sent)) return { cell: sent, colour: mine, kind: "sent" };
    if (aimed !== null && !laid.has(aimed)) return { cell: aimed, colour: mine, kind: "aimed" };
    const over = hover.value;
    return open && over !== null && !laid.has(over) ? { cell: over, colour: mine, kind: "hover" } : null;
  };

  const under = (event: MouseEvent): number => {
    const { x, y } = intersection(event.clientX, event.clientY, box.current!.getBoundingClientRect());
    return x + SIZE * y;
  };

  const press = (event: MouseEvent) => {
    const button = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-cell]") : null;
    // A click without a pointer comes from the keyboard or a screen reader.
    const cell = event.detail === 0 && button ? Number(button.dataset.cell) : under(event);
    if (!open || laid.has(cell)) return;
    focus.value = cell;
    tap.press({ do: "place", x: cell % SIZE, y: Math.floor(cell / SIZE) }, event, box.current!.getBoundingClientRect().width / UNITS);
  };

  const point = (cell: number): GridCell => {
    const colour = laid.get(cell) ?? (cell === sent ? mine : null);
    const marks = [
      cell === moves.at(-1) && texts.games.gomoku.lastStone,
      line.includes(cell) && texts.games.gomoku.inLine,
      cell === aimed && texts.games.gomoku.unconfirmed,
    ].filter(Boolean);
    const content = [colour ? texts.games.gomoku[colour] : texts.games.gomoku.empty, ...marks].join(", ");
    return {
      label: texts.punctuation.labelled(coordinate(cell), content),
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
      onPointerDown={tap.onPointerDown}
      onPointerMove={(event) => (hover.value = event.pointerType === "touch" ? null : under(event))}
      onPointerLeave={() => (hover.value = null)}
      onClick={press}
    >
      <BoardCanvas picture={{ moves, line, preview: ghost() }} />
      {fallen !== undefined && !earlier && (
        <span
          key={moves.length}
          class="gomoku-fall"
          style={{ left: `${middle(fallen % SIZE, 100)}%`, top: `${middle(Math.floor(fallen / SIZE), 100)}%` }}
        />
      )}
      <BoardGrid
        columns={SIZE}
        rows={SIZE}
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
