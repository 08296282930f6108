/** What a game brings to the table page. */

import type { FunctionComponent } from "preact";
import type { Words } from "../i18n/words";
import type { Room } from "../room";
import type { GameName, Games, RoomEvent, Seat } from "../wire";

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
  words: Words;
  nameAt: (seat: Seat) => string;
}

/** What the line under the board says, and the move it offers. */
export interface Status<G extends GameName> {
  text: string;
  mine: boolean;
  button?: { label: string; move: Games[G]["move"]; until: number | null };
}

export interface GameParts<G extends GameName> {
  Board: FunctionComponent<{ scene: Scene<G> }>;
  /** What a seat plays with. */
  Badge: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  Score: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  /** Where in the match we are. */
  heading: (position: Games[G]["position"], words: Words) => string;
  /** What the game has to say itself; null leaves it to the table. */
  status: (scene: Scene<G>) => Status<G> | null;
  /** An event in words, for those who cannot see the board. */
  announce: (event: RoomEvent | Games[G]["event"], scene: Scene<G>) => string | null;
}
