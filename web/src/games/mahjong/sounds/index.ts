/** Sounds of mahjong, the most important first. */

import type { Texts } from "../../../i18n/types";
import type { GameSound } from "../../gameInterface";
import chow from "./chow.wav";
import deal from "./deal.wav";
import draw from "./draw.wav";
import kong from "./kong.wav";
import pong from "./pong.wav";
import tile from "./tile.wav";
import win from "./win.wav";

const call = (file: string, action: "hu" | "kong" | "pong" | "chow"): GameSound => ({
  file,
  kind: "calls",
  spoken: ({ games }: Texts) => games.mahjong.actions[action],
});

export const sounds = {
  win: call(win, "hu"),
  kong: call(kong, "kong"),
  pong: call(pong, "pong"),
  chow: call(chow, "chow"),
  deal: { file: deal },
  move: { file: tile },
  draw: { file: draw },
} as const satisfies Record<string, GameSound>;

/** A sound of mahjong, or the one of the page for a hand without a winner. */
export type ToneName = keyof typeof sounds | "lost";
