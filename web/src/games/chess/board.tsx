/** The board: chessground to see and touch, and over it a grid of buttons for keys and screen readers. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Booms } from "./booms";
import { Grid } from "./grid";
import { GroundBoard, type Ground, type Picture } from "./ground";
import { pageOf, type ChessScene } from "./lookback";
import { marksOf } from "./marks";
import { below } from "./outlook";
import { colourOf } from "./position";
import { Promotion } from "./promotion";
import { mayGo, shownOf, unconfirmed } from "./shown";
import { placement, promotes, type Colour } from "./squares";
import "./chess.css";

export function Board({ scene }: { scene: ChessScene }) {
  const { room, position, you, mayMove, draft, play, aim } = scene;
  const ground = useRef<Ground>(null);
  const held = useSignal<string | null>(null);
  const again = useSignal(0);
  const { earlier } = pageOf(scene);
  const { pieces, fog, lastMove, check } = shownOf(scene);
  const marks = marksOf(scene, fog);
  const orientation: Colour = position ? colourOf(position, below(scene)) : below(scene) === 0 ? "white" : "black";
  const playing = you !== null && room.phase === "playing" && scene.live && !earlier;
  const own = position && playing ? colourOf(position, you) : null;
  const choosing = draft?.do === "move" && mayMove;
  const open = mayMove && !earlier && !choosing;
  const dests = open ? mayGo(scene) : new Map<string, string[]>();
  // Until the server has answered, it may be the other side's turn.
  const waiting = unconfirmed(scene) !== null || !mayMove;
  const other = own === "white" ? "black" : "white";
  const picture: Picture = {
    placement: placement(pieces),
    orientation,
    turn: own === null ? "white" : waiting ? other : own,
    mine: choosing ? null : own,
    dests,
    lastMove,
    check,
    marks,
    again: again.value,
  };

  const made = (uci: string, premove: boolean) => {
    held.value = null;
    if (!open) again.value += 1;
    else if (!promotes(pieces, uci)) play({ do: "move", uci });
    else if (premove) play({ do: "move", uci: `${uci}q` });
    else aim({ do: "move", uci });
  };

  const press = (square: string) => {
    const api = ground.current;
    if (!api) return;
    api.selectSquare((held.value === square ? null : square) as Parameters<Ground["selectSquare"]>[0], true);
    held.value = api.state.selected ?? null;
  };

  const classes = ["chess board", earlier && "chess-earlier", position === null && "chess-waiting"];
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      onPointerDownCapture={(event) => {
        // The library remembers where the board was; what stands above it may have grown since.
        ground.current?.state.dom.bounds.clear();
        const inside = event.target instanceof Element && event.target.closest(".promotion");
        if (choosing && !inside) aim(null);
      }}
    >
      <GroundBoard picture={picture} ground={ground} onMove={made} onSelect={(square) => (held.value = square)} />
      <Booms scene={scene} orientation={orientation} />
      <Grid
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
      {choosing && own && (
        <Promotion
          square={draft.uci.slice(2, 4)}
          colour={own}
          orientation={orientation}
          onPick={(kind) => play({ do: "move", uci: draft.uci + kind.toLowerCase() })}
          onCancel={() => aim(null)}
        />
      )}
    </div>
  );
}
