/** What the page says about a game: the line under the board, and events in words. */

import type { Games, RoomEvent } from "../../wire";
import type { Status } from "../game";
import { pageOf, turnTo, type ChessScene } from "./lookback";
import { colourOf, full, fullHand, type Full } from "./position";
import { kindOf, piecesOf, seenPieces, type Colour, type Kind } from "./squares";

type Event = RoomEvent | Games["chess"]["event"];

/** Says that the board shows an earlier position, what the dice allow, or that a draw can be claimed. */
export function statusOf(scene: ChessScene): Status | null {
  const { room, position, draft, mayMove, words, play } = scene;
  const text = words.chess;
  const { step, total, earlier, news } = pageOf(scene);
  if (earlier) {
    const label = room.phase === "playing" ? text.live : text.end;
    return { text: text.earlier(step, total, news), mine: false, button: { label, press: () => turnTo(scene, total) } };
  }
  if (position === null || !mayMove) return null;
  if (draft?.do === "move") return { text: text.promote, mine: true };
  const game = full(position);
  const says = turnText(scene, game);
  if (!game.claim) return says === null ? null : { text: says, mine: true };
  const why = game.claim === "fifty" ? text.fifty : text.threefold;
  return { text: why, mine: true, button: { label: text.claim, press: () => play({ do: "claim" }) } };
}

function turnText({ words }: ChessScene, game: Full): string | null {
  const text = words.chess;
  if (game.hand) {
    const { free, movers } = fullHand(game.hand);
    if (free) return text.freeMove;
    return movers ? text.turnWith([...movers].map((kind) => text.pieces[kind as Kind]).join(text.comma)) : null;
  }
  return game.check ? text.yourCheck : null;
}

/** Say an event in words; in fog no more than the reader was told. */
export function announce(event: Event, { position, words, nameAt, you }: ChessScene): string | null {
  const text = words.chess;
  if (position === null) return null;
  switch (event.e) {
    case "moved":
      return moveText(event.uci, piecesOf(event.fen), Boolean(event.taken), colourOf(position, event.seat), event.check);
    case "sighted": {
      const colour = colourOf(position, event.seat);
      if (!event.uci) return event.seat === you ? null : `${text.unseen(colour)}${event.check ? ` ${text.check}` : ""}`;
      return moveText(event.uci, seenPieces(event.board), Boolean(event.taken), colour, event.check);
    }
    case "rolled":
      return text.rolled(nameAt(event.seat), [...event.dice].map((kind) => text.pieces[kind as Kind]).join(text.comma));
    case "passed":
      return text.passed(nameAt(event.seat));
    case "exploded":
      return text.exploded(event.square, event.piece ? text.pieces[kindOf(event.piece)] : "");
    case "claimed":
      return text.claimed;
    case "undone":
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
        : (took ? text.took : text.moved)(colour, kind ? text.pieces[kind] : "", to);
    return check ? `${made} ${text.check}` : made;
  }
}
