/** What a game brings to the table page. */

import type { FunctionComponent } from "preact";
import type { Words } from "../i18n/words";
import type { Room } from "../room";
import type { GameName, Games, OfferKind, RoomEvent, Seat } from "../wire";

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
  words: Words;
  nameAt: (seat: Seat) => string;
}

/** What the line under the board says, and the one thing it offers to do. */
export interface Status {
  text: string;
  mine: boolean;
  /** `until`: when it happens by itself. */
  button?: { label: string; press: () => void; until?: number | null };
}

export interface GameParts<G extends GameName> {
  Board: FunctionComponent<{ scene: Scene<G> }>;
  /** What a seat plays with. */
  Badge: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  Score: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  /** A small picture for lists of games. */
  Emblem: FunctionComponent;
  /** The record of the game, where it can be read; such a board gets the larger part of the page. */
  Moves?: FunctionComponent<{ scene: Scene<G> }>;
  /** Tell whether anything is drawn by chance. */
  hasChance: boolean;
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
