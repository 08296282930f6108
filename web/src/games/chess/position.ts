/** A game of chess as its reader knows it, and what events do to it. */

import type { ChessEvent, ChessHand, ChessMinefield, ChessPosition, ChessThrown, Seat } from "../../wire";
import { foggy, piecesOf, seenPieces, type Colour } from "./squares";

/** A position with nothing left out. */
export type Full = Required<ChessPosition>;
export type FullHand = Required<ChessHand>;
export type FullMinefield = Required<ChessMinefield>;

/** Fill in what the server leaves out. */
export function full(position: ChessPosition): Full {
  return {
    moves: [],
    sides: "",
    check: false,
    claim: "",
    taken: "",
    board: "",
    dests: "",
    boards: [],
    hand: null,
    thrown: [],
    minefield: null,
    ...position,
  };
}

/** Return the dice on the table with nothing left out. */
export function fullHand(hand: ChessHand): FullHand {
  return {
    dice: "",
    used: "",
    current: -1,
    free: false,
    kept: false,
    movers: "",
    skip: false,
    reroll: false,
    rerolls: [0, 0],
    ...hand,
  };
}

/** Return what is known of the mines with nothing left out. */
export function fullMinefield(minefield: ChessMinefield): FullMinefield {
  return { numbers: [], blasts: [], all: [], ...minefield };
}

/** Return the colour a seat plays with. */
export function colourOf(position: ChessPosition, seat: Seat): Colour {
  return seat === position.white ? "white" : "black";
}

/** Return the seat that plays with a colour. */
export function seatOf(position: ChessPosition, colour: Colour): Seat {
  return colour === "white" ? position.white : 1 - position.white;
}

/** Tell whether the reader sees less than there is. */
export function isFogged(position: ChessPosition): boolean {
  return !position.fen;
}

/** Return `w` or `b` for each move. */
export function sidesOf({ moves, sides }: Pick<Full, "moves" | "sides">): string {
  return sides || alternating(moves.length);
}

function alternating(count: number): string {
  return "wb".repeat(Math.ceil(count / 2)).slice(0, count);
}

/** Return the position after an event; an unknown one changes nothing. */
export function reduce(position: ChessPosition, event: ChessEvent): ChessPosition {
  const before = full(position);
  switch (event.e) {
    case "moved": {
      const turn = seatOf(position, event.fen.split(" ")[1] === "b" ? "black" : "white");
      return {
        ...withMove(before, event.seat, event.uci, before.moves.length + 1),
        fen: event.fen,
        turn,
        check: event.check ?? false,
        claim: event.claim ?? "",
        taken: before.taken + (event.taken ?? ""),
      };
    }
    case "sighted":
      return {
        ...withMove(before, event.seat, event.uci, event.plies),
        board: event.board,
        dests: event.dests,
        turn: event.turn,
        check: event.check ?? false,
        claim: event.claim ?? "",
        taken: before.taken + (event.taken ?? ""),
        minefield: before.minefield && inSight(before.minefield, event.board),
      };
    case "rolled": {
      const { seat, dice, again = false } = event;
      const made: ChessThrown = { ply: before.moves.length, seat, dice, used: ".".repeat(dice.length), again };
      // What was left of the throw before was of no use, unless this one replaces it.
      const past = again ? before.thrown : withoutRest(before.thrown);
      return { ...position, thrown: [...past, made] };
    }
    case "diced":
      return {
        ...(event.hand.free ? position : withTurn({ ...position, fen: event.fen ?? position.fen }, event.hand.owner)),
        hand: event.hand,
        thrown: withUse(before.thrown, event.hand),
      };
    case "passed":
      return { ...position, thrown: withoutRest(before.thrown) };
    case "exploded": {
      const { square, left, piece = "" } = event;
      const field = fullMinefield(before.minefield ?? { left });
      const blasts = [...field.blasts, { ply: before.moves.length, square, piece }];
      return { ...position, taken: before.taken + piece, minefield: { ...field, left, blasts } };
    }
    case "revealed": {
      const { square, mines } = event;
      const field = fullMinefield(before.minefield ?? { left: 0 });
      const numbers = [...field.numbers.filter((one) => one.square !== square), { square, mines }];
      return { ...position, minefield: { ...field, numbers } };
    }
    default:
      return position;
  }
}

/** A turn may go by without a move; then nobody told us the position of the next one. */
function withTurn(position: ChessPosition, seat: Seat): ChessPosition {
  const side = colourOf(position, seat) === "white" ? "w" : "b";
  const [pieces, turn, castling, , quiet, number] = position.fen.split(" ");
  const fen = !position.fen || turn === side ? position.fen : [pieces, side, castling, "-", quiet, number].join(" ");
  return { ...position, turn: seat, fen };
}

/** A number out of sight may have changed; it is told again when its square is seen again. */
function inSight(minefield: ChessMinefield, board: string): ChessMinefield {
  const fog = new Set(foggy(board));
  return { ...minefield, numbers: (minefield.numbers ?? []).filter(({ square }) => !fog.has(square)) };
}

/** Moves that nobody told us of are empty, whoever made them. */
function withMove(position: Full, seat: Seat, uci: string, plies: number): Full {
  const missed = plies - position.moves.length;
  if (missed <= 0) return position;
  const moves = [...position.moves, ...Array<string>(missed - 1).fill(""), uci];
  const sides = sidesOf(position) + (colourOf(position, seat) === "white" ? "w" : "b").repeat(missed);
  const thrown = position.hand ? withDie(position, fullHand(position.hand), seat, uci) : position.thrown;
  return { ...position, moves, thrown, sides: sides === alternating(moves.length) ? "" : sides };
}

/** A move uses the present die or, where any may be used, one of its own kind. */
function withDie(position: Full, hand: FullHand, seat: Seat, uci: string): readonly ChessThrown[] {
  const last = position.thrown.at(-1);
  if (!last || hand.free || hand.owner !== seat || last.seat !== seat) return position.thrown;
  const pieces = position.fen ? piecesOf(position.fen) : seenPieces(position.board);
  const kind = pieces.get(uci.slice(0, 2))?.toUpperCase();
  const fitting = [...last.used].findIndex((sign, die) => sign === "." && last.dice[die] === kind);
  const die = hand.current >= 0 ? hand.current : fitting >= 0 ? fitting : last.used.indexOf(".");
  const used = [...last.used].map((sign, index) => (index === die ? "x" : sign)).join("");
  return [...position.thrown.slice(0, -1), { ...last, used }];
}

function withUse(thrown: readonly ChessThrown[], hand: ChessHand): readonly ChessThrown[] {
  const last = thrown.at(-1);
  if (!last || last.seat !== hand.owner || last.dice !== hand.dice) return thrown;
  return [...thrown.slice(0, -1), { ...last, used: hand.used ?? last.used }];
}

function withoutRest(thrown: readonly ChessThrown[]): readonly ChessThrown[] {
  const last = thrown.at(-1);
  if (!last) return thrown;
  return [...thrown.slice(0, -1), { ...last, used: last.used.replaceAll(".", "-") }];
}
