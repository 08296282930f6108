/** The chess board: chessground with a keyboard grid over it. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Explosions } from "./Explosions";
import { KeyboardGrid } from "./KeyboardGrid";
import { ChessgroundBoard, type GroundApi, type BoardContent } from "./ChessgroundBoard";
import { shownMove, type ChessScene } from "../moveNavigation";
import { squareMarks } from "./squareMarks";
import { bottomSeat } from "./orientation";
import { colourOf } from "../position";
import { Promotion } from "./Promotion";
import { canMoveNow, shownPosition, withPendingMove } from "./shownPosition";
import { placement, promotes, type Colour } from "../squares";
import "./board.css";

export function Board({ scene }: { scene: ChessScene }) {
  const { room, position, you, mayMove, draft, play, setDraft } = scene;
  const ground = useRef<GroundApi>(null);
  const held = useSignal<string | null>(null);
  const resets = useSignal(0);
  const { earlier } = shownMove(scene);
  const { pieces, fog, lastMove, check } = shownPosition(scene);
  const marks = squareMarks(scene, fog);
  const orientation: Colour = position ? colourOf(position, bottomSeat(scene)) : bottomSeat(scene) === 0 ? "white" : "black";
  const playing = you !== null && room.phase === "playing" && scene.live && !earlier;
  const ownColour = position && playing ? colourOf(position, you) : null;
  const choosing = draft?.do === "move" && mayMove;
  const open = mayMove && !earlier && !choosing;
  const dests = open ? canMoveNow(scene) : new Map<string, string[]>();
  // Until the server answers, it may be the other side's turn.
  const waiting = withPendingMove(scene) !== null || !mayMove;
  const other = ownColour === "white" ? "black" : "white";
  const picture: BoardContent = {
    placement: placement(pieces),
    orientation,
    turn: ownColour === null ? "white" : waiting ? other : ownColour,
    mine: choosing ? null : ownColour,
    dests,
    lastMove,
    check,
    marks,
    resets: resets.value,
  };

  const made = (uci: string, premove: boolean) => {
    held.value = null;
    if (!open) resets.value += 1;
    else if (!promotes(pieces, uci)) play({ do: "move", uci });
    else if (premove) play({ do: "move", uci: `${uci}q` });
    else setDraft({ do: "move", uci });
  };

  const press = (square: string) => {
    const api = ground.current;
    if (!api) return;
    api.selectSquare((held.value === square ? null : square) as Parameters<GroundApi["selectSquare"]>[0], true);
    held.value = api.state.selected ?? null;
  };

  const classes = ["chess board", earlier && "chess-earlier", position === null && "chess-waiting"];
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      onPointerDownCapture={(event) => {
        // Chessground caches the board's coordinates; the layout above it may have changed.
        ground.current?.state.dom.bounds.clear();
        const inside = event.target instanceof Element && event.target.closest(".promotion");
        if (choosing && !inside) setDraft(null);
      }}
    >
      <ChessgroundBoard content={picture} ground={ground} onMove={made} onSelect={(square) => (held.value = square)} />
      <Explosions scene={scene} orientation={orientation} />
      <KeyboardGrid
        scene={scene}
        orientation={orientation}
        pieces={pieces}
        marks={marks}
        lastMove={lastMove}
        held={held.value}
        targets={held.value ? (dests?.get(held.value) ?? []) : []}
        onPress={press}
        onCancel={() => {
          ground.current?.selectSquare(null);
          ground.current?.cancelPremove();
          held.value = null;
        }}
      />
      {choosing && ownColour && (
        <Promotion
          square={draft.uci.slice(2, 4)}
          colour={ownColour}
          orientation={orientation}
          onPick={(kind) => play({ do: "move", uci: draft.uci + kind.toLowerCase() })}
          onCancel={() => setDraft(null)}
        />
      )}
    </div>
  );
}
