/** The request to the server that scores a hand. */

import type { MahjongForm, MahjongHouseRules, MahjongWinner } from "../../../net/protocol";
import type { FullPosition } from "../position";
import { EAST, FLOWER, kindOf, notation, windLetter } from "../tiles/tiles";

/** Special wins that the form offers. */
export type Flag = "rob" | "kong_bloom" | "last" | "heaven" | "earth" | "human";
/** Special wins that only a table knows. */
type RareFlag = "tianting" | "diting" | "ting" | "miji" | "seven_flowers" | "eight_flowers";
export type Form = Exclude<MahjongForm, "akong">;

export interface ScoreRequest {
  variant: 13 | 16;
  /** Kinds; the last one is the winning tile. */
  hand: readonly number[];
  melds: readonly { form: Form; kinds: readonly number[] }[];
  /** Kinds. */
  flowers: readonly number[];
  selfDraw: boolean;
  seatWind: number;
  roundWind: number;
  dealer: boolean;
  flags: readonly (Flag | RareFlag)[];
  /** House rules that differ from the default. */
  rules: MahjongHouseRules;
}

export const EMPTY_REQUEST: ScoreRequest = {
  variant: 16, hand: [], melds: [], flowers: [], selfDraw: false, seatWind: 1, roundWind: 0, dealer: false, flags: [], rules: {},
};

/** Return the request for a winning hand of a table. */
export function requestFromResult(game: FullPosition, winner: MahjongWinner, rules: MahjongHouseRules = {}): ScoreRequest {
  const { seat, hand, win, drawn } = winner;
  const { melds: sets, flowers, wind } = game.players[seat]!;
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

/** Return the special wins that the patterns show. */
const FLAGS: readonly (readonly [string, Flag | RareFlag])[] = [
  ["搶槓", "rob"], ["槓上開花", "kong_bloom"], ["海底撈月", "last"], ["河底撈魚", "last"],
  ["天胡", "heaven"], ["地胡", "earth"], ["人胡", "human"], ["天聽", "tianting"], ["地聽", "diting"], ["門清聽", "ting"],
  ["咪幾", "miji"], ["七搶一", "seven_flowers"], ["八仙過海", "eight_flowers"],
];

function flagsOf({ patterns }: MahjongWinner): (Flag | RareFlag)[] {
  return FLAGS.filter(([name]) => patterns.some((pattern) => pattern.name === name)).map(([, flag]) => flag);
}

/** Return the number of tiles, a kong counting three, and how many a win needs. */
export function tileCount({ variant, hand, melds }: ScoreRequest): { have: number; need: number } {
  return { have: hand.length + 3 * melds.length, need: variant + 1 };
}

/** Return how many tiles of a kind are used. */
export function usedTiles({ hand, melds, flowers }: ScoreRequest, kind: number): number {
  return [...hand, ...melds.flatMap(({ kinds }) => kinds), ...flowers].filter((one) => one === kind).length;
}

/** Return the request with one more tile, in the hand or as the first of a meld; unchanged if none is left. */
export function withTile(question: ScoreRequest, kind: number, form: Form | null): ScoreRequest {
  const free = (kind >= FLOWER ? 1 : 4) - usedTiles(question, kind);
  if (free < 1) return question;
  if (kind >= FLOWER) return { ...question, flowers: [...question.flowers, kind].sort((one, other) => one - other) };
  const { have, need } = tileCount(question);
  if (form === null) return have < need ? { ...question, hand: [...question.hand, kind] } : question;
  const kinds = form === "chow" ? chowFrom(kind) : Array<number>(form === "pong" ? 3 : 4).fill(kind);
  const enough = kinds.every((one) => usedTiles(question, one) + kinds.filter((other) => other === one).length <= 4);
  return kinds.length && enough && have + 3 <= need ? { ...question, melds: [...question.melds, { form, kinds }] } : question;
}

/** Return the chow that starts with a kind, or ends with it at the end of a suit. */
function chowFrom(kind: number): number[] {
  if (kind >= EAST) return [];
  const low = Math.min(kind, Math.floor(kind / 9) * 9 + 6);
  return [low, low + 1, low + 2];
}

/** Return the request body. */
export function requestBody(question: ScoreRequest): object {
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

export interface ScoreResponse {
  total: number;
  patterns: Record<string, number>;
}

/** Fetch the score of a hand; null: not a winning hand. */
export async function fetchScore(question: ScoreRequest): Promise<ScoreResponse | null> {
  const response = await fetch(new URL("api/mahjong/score", document.baseURI), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(requestBody(question)),
  });
  const answer = (await response.json()) as ScoreResponse | { error: string };
  if (!("error" in answer)) return answer;
  if (answer.error === "not_a_win") return null;
  throw new Error(answer.error);
}
