/** A hand to be counted, as it is put together and as the server is asked. */

import type { MahjongForm, MahjongHouse, MahjongWinner } from "../../wire";
import type { Full } from "./position";
import { EAST, FLOWER, kindOf, notation, windLetter } from "./tiles";

/** What the form asks about. */
export type Flag = "rob" | "kong_bloom" | "last" | "heaven" | "earth" | "human";
/** What only a table can tell. */
type RareFlag = "tianting" | "diting" | "ting" | "miji" | "seven_flowers" | "eight_flowers";
export type Form = Exclude<MahjongForm, "akong">;

export interface Question {
  variant: 13 | 16;
  /** Kinds; the last one is what it was won on. */
  hand: readonly number[];
  melds: readonly { form: Form; kinds: readonly number[] }[];
  /** Kinds. */
  flowers: readonly number[];
  selfDraw: boolean;
  seatWind: number;
  roundWind: number;
  dealer: boolean;
  flags: readonly (Flag | RareFlag)[];
  /** House rules that differ from most tables'. */
  rules: MahjongHouse;
}

export const NOTHING: Question = {
  variant: 16, hand: [], melds: [], flowers: [], selfDraw: false, seatWind: 1, roundWind: 0, dealer: false, flags: [], rules: {},
};

/** Return the question about a hand that was won at a table. */
export function questionOf(game: Full, winner: MahjongWinner, rules: MahjongHouse = {}): Question {
  const { seat, hand, win, drawn } = winner;
  const { sets, flowers, wind } = game.players[seat]!;
  const melds = sets.map(({ form, tiles = [] }) => {
    const made: Form = form === "akong" ? "kong" : form;
    return { form: made, kinds: tiles.map(kindOf) };
  });
  const size = hand.length + 3 * sets.length;
  return {
    variant: size > 14 ? 16 : 13,
    hand: [...hand.filter((tile) => tile !== win), win].map(kindOf),
    melds,
    flowers: flowers.map(kindOf),
    selfDraw: drawn,
    seatWind: wind,
    roundWind: game.wind,
    dealer: seat === game.dealer,
    flags: flagsOf(winner),
    rules,
  };
}

/** What the course of play has added, as far as the patterns tell. */
const FLAGS: readonly (readonly [string, Flag | RareFlag])[] = [
  ["搶槓", "rob"], ["槓上開花", "kong_bloom"], ["海底撈月", "last"], ["河底撈魚", "last"],
  ["天胡", "heaven"], ["地胡", "earth"], ["人胡", "human"], ["天聽", "tianting"], ["地聽", "diting"], ["門清聽", "ting"],
  ["咪幾", "miji"], ["七搶一", "seven_flowers"], ["八仙過海", "eight_flowers"],
];

function flagsOf({ patterns }: MahjongWinner): (Flag | RareFlag)[] {
  return FLAGS.filter(([name]) => patterns.some((pattern) => pattern.name === name)).map(([, flag]) => flag);
}

/** Return how many tiles there are, a kong as three, and how many a win has. */
export function sizeOf({ variant, hand, melds }: Question): { have: number; need: number } {
  return { have: hand.length + 3 * melds.length, need: variant + 1 };
}

/** Return how many tiles of a kind are used already. */
export function usedOf({ hand, melds, flowers }: Question, kind: number): number {
  return [...hand, ...melds.flatMap(({ kinds }) => kinds), ...flowers].filter((one) => one === kind).length;
}

/** Return the question with a tile more, if there is one: in the hand, or as the first of a set. */
export function added(question: Question, kind: number, form: Form | null): Question {
  const free = (kind >= FLOWER ? 1 : 4) - usedOf(question, kind);
  if (free < 1) return question;
  if (kind >= FLOWER) return { ...question, flowers: [...question.flowers, kind].sort((one, other) => one - other) };
  const { have, need } = sizeOf(question);
  if (form === null) return have < need ? { ...question, hand: [...question.hand, kind] } : question;
  const kinds = form === "chow" ? runFrom(kind) : Array<number>(form === "pong" ? 3 : 4).fill(kind);
  const enough = kinds.every((one) => usedOf(question, one) + kinds.filter((other) => other === one).length <= 4);
  return kinds.length && enough && have + 3 <= need ? { ...question, melds: [...question.melds, { form, kinds }] } : question;
}

/** Return the run that begins with a kind; the last ones of a suit end one. */
function runFrom(kind: number): number[] {
  if (kind >= EAST) return [];
  const low = Math.min(kind, Math.floor(kind / 9) * 9 + 6);
  return [low, low + 1, low + 2];
}

/** Return the question as the server reads it. */
export function asked(question: Question): object {
  const { variant, hand, melds, flowers, selfDraw, seatWind, roundWind, dealer, flags, rules } = question;
  return {
    variant,
    hand: notation(hand),
    ...(hand.length > 0 && { win: notation(hand.slice(-1)) }),
    melds: melds.map(({ form, kinds }) => [form, notation(kinds)]),
    self_draw: selfDraw,
    seat_wind: windLetter(seatWind),
    round_wind: windLetter(roundWind),
    is_dealer: dealer,
    flowers: flowers.map((kind) => kind - FLOWER + 1),
    flags,
    rules,
  };
}

export interface Answer {
  total: number;
  patterns: Record<string, number>;
}

/** Ask the server what a hand is worth; null: it has not won. */
export async function count(question: Question): Promise<Answer | null> {
  const response = await fetch(new URL("api/mahjong/score", document.baseURI), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked(question)),
  });
  const answer = (await response.json()) as Answer | { error: string };
  if (!("error" in answer)) return answer;
  if (answer.error === "not_a_win") return null;
  throw new Error(answer.error);
}
