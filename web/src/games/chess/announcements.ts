/** Status line and event texts of chess. */

import type { Games, RoomEvent } from "../../net/protocol";
import type { Status } from "../gameInterface";
import { earlierStatus } from "../../boardKit/moveNavigation";
import { shownMove, type ChessScene } from "./moveNavigation";
import { colourOf, fullPosition, fullDice, lacksPromotion, type FullPosition } from "./position";
import { kindOf, piecesOf, visiblePieces, type Colour, type Kind } from "./squares";

type Event = RoomEvent | Games["chess"]["event"];

/** Status for an earlier position, for dice, and for a draw that can be claimed. */
export function chessStatus(scene: ChessScene): Status | null {
  const { position, draft, mayMove, texts, play } = scene;
  const text = texts.games.chess;
  const { total, earlier } = shownMove(scene);
  if (earlier) return earlierStatus(scene, total, text);
  if (position === null || !mayMove) return null;
  if (draft?.do === "move") return lacksPromotion(position, draft.uci) ? { text: text.promote, mine: true } : null;
  const game = fullPosition(position);
  const status = turnStatus(scene, game);
  if (!game.draw_claim) return status === null ? null : { text: status, mine: true };
  const why = game.draw_claim === "fifty" ? text.fifty : text.threefold;
  return { text: why, mine: true, button: { label: text.claim, press: () => play({ do: "claim_draw" }) } };
}

function turnStatus({ texts }: ChessScene, game: FullPosition): string | null {
  const text = texts.games.chess;
  if (game.dice) {
    const { free, movers } = fullDice(game.dice);
    if (free) return text.freeMove;
    return movers ? text.turnWith([...movers].map((kind) => text.pieces[kind as Kind]).join(text.comma)) : null;
  }
  return game.check ? text.yourCheck : null;
}

/** Return the announcement of an event; in fog only what the viewer knows. */
export function announceChess(event: Event, { position, texts, nameAt, you }: ChessScene): string | null {
  const text = texts.games.chess;
  if (position === null) return null;
  switch (event.e) {
    case "moved":
      return moveText(event.uci, piecesOf(event.fen), Boolean(event.taken), colourOf(position, event.seat), event.check);
    case "moved_in_fog": {
      const colour = colourOf(position, event.seat);
      if (!event.uci) return event.seat === you ? null : withCheck(text.movedInFog(colour), event.check);
      return moveText(event.uci, visiblePieces(event.board), Boolean(event.taken), colour, event.check);
    }
    case "rolled":
      return text.rolled(nameAt(event.seat), [...event.dice].map((kind) => text.pieces[kind as Kind]).join(text.comma));
    case "passed":
      return text.passed(nameAt(event.seat));
    case "exploded":
      return text.exploded(event.square, event.piece ? text.pieces[kindOf(event.piece)] : "");
    case "draw_claimed":
      return text.claimed;
    case "move_undone":
      return text.undone;
    default:
      return null;
  }

  function moveText(uci: string, after: ReadonlyMap<string, string>, took: boolean, colour: Colour, check = false): string {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const letter = after.get(to);
    const kind = uci.length > 4 ? "P" : letter ? kindOf(letter) : null;
    const step = to.charCodeAt(0) - from.charCodeAt(0);
    const made =
      kind === "K" && Math.abs(step) === 2
        ? text.castled(colour, step > 0)
        : (took ? text.captures : text.moved)(colour, kind ? text.pieces[kind] : "", to);
    return withCheck(made, check);
  }

  function withCheck(move: string, check = false): string {
    return check ? texts.punctuation.sentences(move, text.check) : move;
  }
}
