/** The chess board: chessground with drawings and a keyboard grid over it. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { DrawingLayer } from "../../../boardKit/drawing/DrawingLayer";
import { playOrDraft } from "../../../boardKit/tapConfirmation";
import { coordinates } from "../../../settings/boardSettings";
import { Explosions } from "./Explosions";
import { KeyboardGrid } from "./KeyboardGrid";
import { ChessgroundBoard, type GroundApi, type BoardContent } from "./ChessgroundBoard";
import { shownMove, type ChessScene } from "../moveNavigation";
import { squareMarks } from "./squareMarks";
import { bottomSeat } from "./orientation";
import { colourOf, lacksPromotion } from "../position";
import { Promotion } from "./Promotion";
import { canMoveNow, shownPosition, withPendingMove } from "./shownPosition";
import { placement, promotes, type Colour } from "../squares";
import "./board.css";

export function Board({ scene }: { scene: ChessScene }) {
  const { room, position, you, mayMove, draft, play, setDraft } = scene;
  const root = useRef<HTMLDivElement>(null);
  const ground = useRef<GroundApi>(null);
  const confirms = useRef(false);
  const held = useSignal<string | null>(null);
  const resets = useSignal(0);
  const { earlier } = shownMove(scene);
  const { pieces, fog, lastMove, check } = shownPosition(scene);
  const marks = squareMarks(scene, fog);
  const orientation: Colour = position ? colourOf(position, bottomSeat(scene)) : bottomSeat(scene) === 0 ? "white" : "black";
  const playing = you !== null && room.phase === "playing" && scene.live && !earlier;
  const ownColour = position && playing ? colourOf(position, you) : null;
  const drafted = draft?.do === "move" && mayMove ? draft : null;
  const choosing = drafted !== null && position !== null && lacksPromotion(position, drafted.uci);
  const confirming = drafted !== null && !choosing;
  const open = mayMove && !earlier && drafted === null;
  const dests = open ? canMoveNow(scene) : new Map<string, string[]>();
  // Until the server answers, it may be the other side's turn.
  const waiting = withPendingMove(scene) !== null || !mayMove;
  const other = ownColour === "white" ? "black" : "white";
  const picture: BoardContent = {
    placement: placement(pieces),
    orientation,
    turn: ownColour === null ? "white" : waiting ? other : ownColour,
    mine: drafted ? null : ownColour,
    dests,
    lastMove,
    check,
    marks,
    resets: resets.value,
  };

  const made = (uci: string, premove: boolean) => {
    held.value = null;
    if (!open) resets.value += 1;
    else if (premove) play({ do: "move", uci: promotes(pieces, uci) ? `${uci}q` : uci });
    else if (promotes(pieces, uci)) setDraft({ do: "move", uci });
    else playOrDraft(scene, { do: "move", uci });
  };

  /** Confirm the draft on its target; any other square cancels it. */
  const isTarget = (square: string | undefined) => confirming && square === drafted.uci.slice(2, 4);
  const isOnTarget = ({ clientX, clientY }: PointerEvent) => isTarget(ground.current?.getKeyAtDomPos([clientX, clientY]));

  const unselect = () => {
    ground.current?.cancelMove();
    held.value = null;
  };

  const press = (square: string) => {
    const api = ground.current;
    if (!api) return;
    if (confirming) return isTarget(square) ? play(drafted) : setDraft(null);
    api.selectSquare((held.value === square ? null : square) as Parameters<GroundApi["selectSquare"]>[0], true);
    held.value = api.state.selected ?? null;
  };

  const classes = ["chess board", earlier && "chess-earlier", position === null && "chess-waiting", confirming && "chess-draft", coordinates.value || "chess-bare"];
  return (
    <div
      ref={root}
      class={classes.filter(Boolean).join(" ")}
      onPointerDownCapture={(event) => {
        // Chessground caches the board's coordinates; the layout above it may have changed.
        ground.current?.state.dom.bounds.clear();
        const inside = event.target instanceof Element && event.target.closest(".promotion");
        confirms.current = event.button === 0 && isOnTarget(event);
        if (drafted && event.button === 0 && !inside && !confirms.current) setDraft(null);
      }}
      onPointerUp={(event) => confirms.current && drafted && isOnTarget(event) && play(drafted)}
    >
      <ChessgroundBoard content={picture} ground={ground} onMove={made} onSelect={(square) => (held.value = square)} />
      <DrawingLayer
        board={root}
        area={{ columns: 8, rows: 8, edge: 0, turned: orientation === "black" }}
        content={picture.placement}
        onStart={() => {
          confirms.current = false;
          unselect();
        }}
      />
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
          unselect();
          if (drafted) setDraft(null);
        }}
      />
      {choosing && ownColour && (
        <Promotion
          square={drafted.uci.slice(2, 4)}
          colour={ownColour}
          orientation={orientation}
          onPick={(kind) => playOrDraft(scene, { do: "move", uci: drafted.uci + kind.toLowerCase() })}
          onCancel={() => setDraft(null)}
        />
      )}
    </div>
  );
}
