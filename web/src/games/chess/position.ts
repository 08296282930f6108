/** Position of chess as its viewer knows it, and how events change it. */

import type { ChessEvent, ChessCurrentDice, ChessMinefield, ChessPosition, ChessDiceRoll, Seat } from "../../net/protocol";
import { foggedSquares, piecesOf, promotes, visiblePieces, type Colour } from "./squares";

/** A position with every default filled in. */
export type FullPosition = Required<ChessPosition>;
export type FullDice = Required<ChessCurrentDice>;
export type FullMinefield = Required<ChessMinefield>;

/** Fill in the defaults that the server omits. */
export function fullPosition(position: ChessPosition): FullPosition {
  return {
    moves: [],
    sides: "",
    check: false,
    draw_claim: "",
    taken: "",
    board: "",
    dests: "",
    boards: [],
    dice: null,
    rolls: [],
    minefield: null,
    ...position,
  };
}

/** Return the dice with every default filled in. */
export function fullDice(hand: ChessCurrentDice): FullDice {
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
    picks: [],
    ...hand,
  };
}

/** Return the minefield with every default filled in. */
export function fullMinefield(minefield: ChessMinefield): FullMinefield {
  return { numbers: [], explosions: [], all: [], ...minefield };
}

/** Return the colour a seat plays with. */
export function colourOf(position: ChessPosition, seat: Seat): Colour {
  return seat === position.white ? "white" : "black";
}

/** Return the seat that plays with a colour. */
export function seatOf(position: ChessPosition, colour: Colour): Seat {
  return colour === "white" ? position.white : 1 - position.white;
}

/** Tell whether the viewer sees only part of the board. */
export function isFogged(position: ChessPosition): boolean {
  return !position.fen;
}

/** Tell whether a move is a promotion without its piece. */
export function lacksPromotion(position: ChessPosition, uci: string): boolean {
  return uci.length === 4 && promotes(position.fen ? piecesOf(position.fen) : visiblePieces(position.board ?? ""), uci);
}

/** Return `w` or `b` for each move. */
export function sidesOf({ moves, sides }: Pick<FullPosition, "moves" | "sides">): string {
  return sides || alternating(moves.length);
}

function alternating(count: number): string {
  return "wb".repeat(Math.ceil(count / 2)).slice(0, count);
}

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position: ChessPosition, event: ChessEvent): ChessPosition {
  const before = fullPosition(position);
  switch (event.e) {
    case "moved": {
      const turn = seatOf(position, event.fen.split(" ")[1] === "b" ? "black" : "white");
      return {
        ...withMove(before, event.seat, event.uci, before.moves.length + 1),
        fen: event.fen,
        turn,
        check: event.check ?? false,
        draw_claim: event.claim ?? "",
        taken: before.taken + (event.taken ?? ""),
      };
    }
    case "moved_in_fog":
      return {
        ...withMove(before, event.seat, event.uci, event.plies),
        board: event.board,
        dests: event.dests,
        turn: event.turn,
        check: event.check ?? false,
        draw_claim: event.claim ?? "",
        taken: before.taken + (event.taken ?? ""),
        minefield: before.minefield && withVisible(before.minefield, event.board),
      };
    case "rolled": {
      const { seat, dice, again = false } = event;
      const made: ChessDiceRoll = { ply: before.moves.length, seat, dice, used: ".".repeat(dice.length), again };
      // Dice left from the previous roll were skipped, unless this is a reroll.
      const past = again ? before.rolls : withRestSkipped(before.rolls);
      return { ...position, rolls: [...past, made] };
    }
    case "dice_changed":
      return {
        ...(event.dice.free ? position : withTurn({ ...position, fen: event.fen ?? position.fen }, event.dice.owner)),
        dice: event.dice,
        rolls: withDieUsed(before.rolls, event.dice),
      };
    case "passed":
      return { ...position, rolls: withRestSkipped(before.rolls) };
    case "exploded": {
      const { square, left, piece = "" } = event;
      const field = fullMinefield(before.minefield ?? { left });
      const explosions = [...field.explosions, { ply: before.moves.length, square, piece }];
      return { ...position, taken: before.taken + piece, minefield: { ...field, left, explosions } };
    }
    case "landed_on_number": {
      const { square, mines } = event;
      const field = fullMinefield(before.minefield ?? { left: 0 });
      const numbers = [...field.numbers.filter((one) => one.square !== square), { square, mines }];
      return { ...position, minefield: { ...field, numbers } };
    }
    default:
      return position;
  }
}

/** A turn can pass without a move; then the FEN must be updated here. */
function withTurn(position: ChessPosition, seat: Seat): ChessPosition {
  const side = colourOf(position, seat) === "white" ? "w" : "b";
  const [pieces, turn, castling, , quiet, number] = position.fen.split(" ");
  const fen = !position.fen || turn === side ? position.fen : [pieces, side, castling, "-", quiet, number].join(" ");
  return { ...position, turn: seat, fen };
}

/** A count out of sight may have changed; the server sends it again when its square is visible. */
function withVisible(minefield: ChessMinefield, board: string): ChessMinefield {
  const fog = new Set(foggedSquares(board));
  return { ...minefield, numbers: (minefield.numbers ?? []).filter(({ square }) => !fog.has(square)) };
}

/** Moves that the viewer did not see are empty. */
function withMove(position: FullPosition, seat: Seat, uci: string, plies: number): FullPosition {
  const missed = plies - position.moves.length;
  if (missed <= 0) return position;
  const moves = [...position.moves, ...Array<string>(missed - 1).fill(""), uci];
  const sides = sidesOf(position) + (colourOf(position, seat) === "white" ? "w" : "b").repeat(missed);
  const rolls = position.dice ? withDiceChange(position, fullDice(position.dice), seat, uci) : position.rolls;
  return { ...position, moves, rolls, sides: sides === alternating(moves.length) ? "" : sides };
}

/** A move uses the current die or, in free order, one of its kind. */
function withDiceChange(position: FullPosition, hand: FullDice, seat: Seat, uci: string): readonly ChessDiceRoll[] {
  const last = position.rolls.at(-1);
  if (!last || hand.free || hand.owner !== seat || last.seat !== seat) return position.rolls;
  const pieces = position.fen ? piecesOf(position.fen) : visiblePieces(position.board);
  const kind = pieces.get(uci.slice(0, 2))?.toUpperCase();
  const fitting = [...last.used].findIndex((sign, die) => sign === "." && last.dice[die] === kind);
  const die = hand.current >= 0 ? hand.current : fitting >= 0 ? fitting : last.used.indexOf(".");
  const used = [...last.used].map((sign, index) => (index === die ? "x" : sign)).join("");
  return [...position.rolls.slice(0, -1), { ...last, used }];
}

function withDieUsed(rolls: readonly ChessDiceRoll[], hand: ChessCurrentDice): readonly ChessDiceRoll[] {
  const last = rolls.at(-1);
  if (!last || last.seat !== hand.owner || last.dice !== hand.dice) return rolls;
  return [...rolls.slice(0, -1), { ...last, used: hand.used ?? last.used }];
}

function withRestSkipped(rolls: readonly ChessDiceRoll[]): readonly ChessDiceRoll[] {
  const last = rolls.at(-1);
  if (!last) return rolls;
  return [...rolls.slice(0, -1), { ...last, used: last.used.replaceAll(".", "-") }];
}
