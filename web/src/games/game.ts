/** What a game brings to the table page. */

import type { FunctionComponent } from "preact";
import type { Dice } from "../chance";
import type { Words } from "../i18n/words";
import type { Room } from "../room";
import type { Tone } from "../sound";
import type { ClockPlan, GameName, Games, OfferKind, RoomEvent, Seat } from "../wire";

/** A page of the record: how many moves are shown, and how many there were when the reader turned to it. */
export interface LookBack {
  step: number;
  total: number;
}

/** What a game may know about the table while it draws. */
export interface Scene<G extends GameName> {
  room: Room;
  /** Null before the first deal. */
  position: Games[G]["position"] | null;
  you: Seat | null;
  /** Our move that the server has not confirmed yet. */
  pending: Games[G]["move"] | null;
  /** Tell whether we may move now. */
  mayMove: boolean;
  play: (move: Games[G]["move"]) => void;
  /** A move that waits for a second tap. */
  draft: Games[G]["move"] | null;
  aim: (move: Games[G]["move"] | null) => void;
  /** Which earlier position the reader looks at; null is the game as it stands. */
  back: LookBack | null;
  look: (back: LookBack | null) => void;
  /** It is played now; otherwise a record of it is being looked at. */
  live: boolean;
  words: Words;
  nameAt: (seat: Seat) => string;
}

/** What is so at every table that is only looked at. */
export const STILL = {
  pending: null,
  mayMove: false,
  play: () => undefined,
  draft: null,
  aim: () => undefined,
  live: false,
} as const;

/** What is wrong with a record, in plain words. */
export interface Problem {
  says: (words: Words) => string;
}

/** A game as its record tells it. */
export interface Told<G extends GameName> {
  /** By seat. */
  names: readonly string[];
  options: Games[G]["options"];
  /** How it ended, with all that led to it. */
  position: Games[G]["position"];
  total: number;
  winners: readonly Seat[];
  /** Whatever else stands at its head, by names that PGN has for it. */
  heads: readonly (readonly [name: string, value: string])[];
}

/** A game of a text that may have several; it is read when it is asked for. */
export interface Written<G extends GameName> {
  title: string;
  read: () => Told<G> | Problem;
}

/** How records of a game are read. */
export interface Records<G extends GameName> {
  /** Tell whether a text looks like one. */
  looks: (text: string) => boolean;
  /** Fetch what reads them. */
  reader: () => Promise<(text: string) => readonly Written<G>[]>;
}

/** A game that is over: everything that lay on the table, from the deal on. */
export interface Ended<G extends GameName> {
  options: Games[G]["options"];
  positions: readonly Games[G]["position"][];
}

/** Draw everything again; tell whether it is what was drawn, or null where a page cannot tell. */
export type Redraw<G extends GameName> = (ended: Ended<G>, dice: Dice) => boolean | null;

/** Draws the board on a square of this many pixels, as a seat saw it. */
export type Drawing<G extends GameName> = (context: CanvasRenderingContext2D, size: number, scene: Scene<G>) => Promise<void> | void;

/** What the line under the board says, and the one thing it offers to do. */
export interface Status {
  text: string;
  mine: boolean;
  /** `until`: when it happens by itself. */
  button?: { label: string; press: () => void; until?: number | null };
}

/** What can be chosen for a new table of a game. */
export interface SettingsProps<G extends GameName> {
  options: Games[G]["options"];
  onChange: (options: Games[G]["options"]) => void;
}

export interface GameParts<G extends GameName> {
  Board: FunctionComponent<{ scene: Scene<G> }>;
  /** What a seat plays with. */
  Badge: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  Score: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  /** A small picture for lists of games. */
  Emblem: FunctionComponent;
  /** A wide picture of the board; its middle alone tells the game as well. */
  Motif: FunctionComponent;
  /** The record of the game, where it can be read; such a board gets the larger part of the page. */
  Moves?: FunctionComponent<{ scene: Scene<G> }>;
  /** How its records are read again. */
  records?: Records<G>;
  /** Its chance, drawn again in the page. */
  redraw?: () => Promise<Redraw<G>>;
  /** What draws the board as a picture. */
  drawing: () => Promise<Drawing<G>>;
  /** How its record is written for other programs, where there is a way. */
  written?: "pgn" | "sgf";
  /** What lies beside the board, dice for example. */
  Panel?: FunctionComponent<{ scene: Scene<G> }>;
  /** What can be chosen when a table is opened. */
  Settings?: FunctionComponent<SettingsProps<G>>;
  /** The clocks to choose from, null for none; without them the usual ones. */
  clocks?: readonly (ClockPlan | null)[];
  /** What the first and the second seat begin with, where one may choose. */
  sides?: (words: Words) => readonly [string, string];
  /** The players sit around the board, which shows them itself. */
  around?: boolean;
  /** What else there is of the game, in the lobby. */
  More?: FunctionComponent;
  /** What of a position can be seen, where it holds more: only that makes a step of a replay. */
  seen?: (position: Games[G]["position"]) => unknown;
  /** Which seat is shown below the board; without it our own. */
  below?: (scene: Scene<G>) => Seat;
  /** Tell whether anything is drawn by chance. */
  hasChance: (options: Games[G]["options"]) => boolean;
  /** Tell whether players see different things. */
  hides?: (options: Games[G]["options"]) => boolean;
  /** The options of a table in a few words. */
  tags?: (options: Games[G]["options"], words: Words) => readonly string[];
  /** What an event sounds like. */
  tone?: (event: RoomEvent | Games[G]["event"]) => Tone | null;
  /** What can be proposed while playing, each in a place of its own. */
  tools: readonly OfferKind[];
  /** Which of these make sense now. */
  offers: (position: Games[G]["position"]) => readonly OfferKind[];
  /** Where in the match we are. */
  heading: (position: Games[G]["position"], words: Words) => string;
  /** What the game has to say itself; null leaves it to the table. */
  status: (scene: Scene<G>) => Status | null;
  /** An event in words, for those who cannot see the board. */
  announce: (event: RoomEvent | Games[G]["event"], scene: Scene<G>) => string | null;
}
