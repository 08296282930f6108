/** The sounds of the page, by name. */

import type { GameSounds } from "../games/gameInterface";
import type { SoundKind } from "../settings/soundSettings";
import type { Tone } from "../table/tones";
import boom from "./files/boom.wav";
import capture from "./files/capture.wav";
import chat from "./files/chat.wav";
import check from "./files/check.wav";
import dice from "./files/dice.wav";
import lost from "./files/lost.wav";
import lowTime from "./files/lowTime.wav";
import move from "./files/move.wav";
import seat from "./files/seat.wav";
import turn from "./files/turn.wav";
import won from "./files/won.wav";

export interface Sound {
  file: string;
  kind: SoundKind;
  /** Also heard in a hidden tab. */
  inBackground?: boolean;
}

/** Of several events at once, the first in this list is heard. */
export const PAGE_SOUNDS: Readonly<Record<Tone, Sound>> = {
  boom: { file: boom, kind: "moves" },
  check: { file: check, kind: "moves" },
  dice: { file: dice, kind: "moves" },
  capture: { file: capture, kind: "moves" },
  move: { file: move, kind: "moves" },
  lowTime: { file: lowTime, kind: "clock", inBackground: true },
  won: { file: won, kind: "endings" },
  lost: { file: lost, kind: "endings" },
  seat: { file: seat, kind: "turn", inBackground: true },
  turn: { file: turn, kind: "turn", inBackground: true },
  chat: { file: chat, kind: "turn" },
};

/** Return all sounds that a game may make, the most important first; those of the game replace those of the page. */
export function soundsWith(own: GameSounds): Readonly<Record<string, GameSounds[string] & Sound>> {
  const ofGame = Object.entries(own).map(([tone, sound]) => [tone, { kind: "moves", ...sound }] as const);
  const others = Object.entries(PAGE_SOUNDS).filter(([tone]) => !(tone in own));
  return Object.fromEntries([...ofGame, ...others]) as Record<string, GameSounds[string] & Sound>;
}
