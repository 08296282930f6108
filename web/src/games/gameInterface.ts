/** What a game provides to the page. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import type { Random } from "../fairness/randomness";
import type { Texts } from "../i18n/types";
import type { Lessons } from "../learn/lessonTypes";
import type { Room } from "../net/roomReducer";
import type { SoundKind } from "../settings/soundSettings";
import type { Tone } from "../table/tones";
import type { AnyEvent, AnyPosition, ClockPlanView, GameName, Games, OfferKind, RoomEvent, Seat } from "../net/protocol";

/** Position in the move list: number of moves shown, and of moves played when stepping began. */
export interface MoveCursor {
  step: number;
  total: number;
}

/** What a game's components know about the table. */
export interface Scene<G extends GameName> {
  room: Room;
  /** Null before the first deal. */
  position: Games[G]["position"] | null;
  you: Seat | null;
  /** In a replay: the seat that the user had, which is below the board. */
  facing?: Seat | null;
  /** The user's move that the server has not confirmed yet. */
  pending: Games[G]["move"] | null;
  /** Whether the user may move now. */
  mayMove: boolean;
  play: (move: Games[G]["move"]) => void;
  /** A move that waits for confirmation. */
  draft: Games[G]["move"] | null;
  setDraft: (move: Games[G]["move"] | null) => void;
  /** Which earlier position is shown; null: the current one. */
  cursor: MoveCursor | null;
  setCursor: (back: MoveCursor | null) => void;
  /** The game is live; otherwise this is a replay. */
  live: boolean;
  /** The rules number by which a replayed game was played; null for a live game. */
  rules: number | null;
  texts: Texts;
  nameAt: (seat: Seat) => string;
}

/** The part of a scene that is the same for every replay. */
export const READ_ONLY_SCENE = {
  pending: null,
  mayMove: false,
  play: () => undefined,
  draft: null,
  setDraft: () => undefined,
  live: false,
  rules: null,
} as const;

/** Why a record cannot be shown. */
export interface Problem {
  message: (texts: Texts) => string;
}

/** A game read from PGN or SGF. */
export interface OpenedGame<G extends GameName> {
  /** By seat. */
  names: readonly string[];
  options: Games[G]["options"];
  /** The final position with its history. */
  position: Games[G]["position"];
  total: number;
  winners: readonly Seat[];
  /** Other headers, by their PGN names. */
  headers: readonly (readonly [name: string, value: string])[];
}

/** One game of a text; it is parsed on demand. */
export interface NotationGame<G extends GameName> {
  title: string;
  read: () => OpenedGame<G> | Problem;
}

/** Reads the notation of a game. */
export interface NotationReader<G extends GameName> {
  /** Tell whether a text looks like this notation. */
  matches: (text: string) => boolean;
  /** Load the parser. */
  load: () => Promise<(text: string) => readonly NotationGame<G>[]>;
}

/** All positions of a finished game. */
export interface FinishedPositions<G extends GameName> {
  options: Games[G]["options"];
  positions: readonly Games[G]["position"][];
}

/** Recompute all draws; return whether they match, or null if the page cannot tell. */
export type VerifyGame<G extends GameName> = (ended: FinishedPositions<G>, dice: Random) => boolean | null;

/** The recomputation of a game's randomness. */
export interface DrawVerification<G extends GameName> {
  /** The rules number of the game for which it was written; other rules may draw in another way. */
  rules: number;
  load: () => Promise<VerifyGame<G>>;
}

/** Return CSS colours, by name, as a canvas understands them. */
export type ReadColours = <N extends string>(colours: Readonly<Record<N, string>>) => Record<N, string>;

/** Draws the board on a square of this size in pixels; `colours` reads colours of style sheets. A small board has no coordinates. */
export type BoardDrawing<G extends GameName> = (
  context: CanvasRenderingContext2D,
  size: number,
  scene: Scene<G>,
  colours: ReadColours,
  coordinates?: boolean,
) => Promise<void> | void;

/** Text of the status line, and its button. */
export interface Status {
  text: string;
  mine: boolean;
  /** `until`: when it is done automatically. */
  button?: { label: string; press: () => void; until?: number | null };
  /** Several choices, instead of one button. */
  buttons?: readonly { label: string; press: () => void }[];
}

/** Props of the options form of a game. */
export interface OptionsFormProps<G extends GameName> {
  options: Games[G]["options"];
  onChange: (options: Games[G]["options"]) => void;
}

/** Props of a board. With `statusOnBoard` it has the status line and the actions after a game; a replay has neither. */
export interface BoardProps<G extends GameName> {
  scene: Scene<G>;
  status?: ComponentChildren;
  ending?: ComponentChildren;
}

/** A way to play a game that the lobby offers with one press. */
export interface Preset<G extends GameName> {
  id: string;
  options: Games[G]["options"];
  texts: (texts: Texts) => { name: string; hint: string };
  Icon: FunctionComponent;
}

/** A choice between looks, each with a preview. */
export interface LookSetting {
  title: (texts: Texts) => string;
  value: Signal<string>;
  options: readonly { value: string; name: (texts: Texts) => string; Preview: FunctionComponent }[];
}

/** A switch. */
export interface SwitchSetting {
  title: (texts: Texts) => string;
  note?: (texts: Texts) => string;
  isOn: () => boolean;
  change: (on: boolean) => void;
}

export type GameSetting = LookSetting | SwitchSetting;

/** A sound of a game. */
export interface GameSound {
  /** Address of the file. */
  file: string;
  /** Which volume applies; that of moves by default. */
  kind?: SoundKind;
  /** The word that the browser says if the user wants spoken calls. */
  spoken?: (texts: Texts) => string;
}

/** Sounds of a game by name. Of several events at once, the first of them is heard, then those of the page. */
export type GameSounds = Readonly<Record<string, GameSound>>;

/** What a game provides to the page. `GameParts<GameName>` is any game, also one from outside: the page only passes its values on. */
export interface GameParts<G extends GameName> {
  Board: FunctionComponent<BoardProps<G>>;
  /** Symbol or colour of a seat. */
  Badge: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  Score: FunctionComponent<{ position: Games[G]["position"]; seat: Seat }>;
  /** Small icon for lists of games. */
  Icon: FunctionComponent;
  /** Wide picture for the lobby; it may be cropped to its middle. */
  LobbyPicture: FunctionComponent;
  /** Picture beside the ways to play, twice as high as wide; it may show the chosen preset. */
  HeroPicture?: FunctionComponent<{ preset: string | undefined }>;
  /** List of moves; games that have one get a larger board. */
  MoveList?: FunctionComponent<{ scene: Scene<G> }>;
  /** Reader of the game's notation. */
  notationReader?: NotationReader<G>;
  drawVerification?: DrawVerification<G>;
  /** Loads the drawing of the board image. */
  boardDrawing: () => Promise<BoardDrawing<G>>;
  /** Loads what the settings sheet offers for a game from outside; the games of the page have it in `settings/`. */
  settings?: () => Promise<readonly GameSetting[]>;
  /** Loads the lessons of a game from outside; those of the page are in the folder `learn` of each game. */
  lessons?: () => Promise<Lessons<G>>;
  /** Notation that the server can export, as the suffix of its files. */
  notation?: string;
  /** Panel beside the board, for example dice. */
  Panel?: FunctionComponent<{ scene: Scene<G> }>;
  /** Ways to play that the lobby offers, the default one first. */
  presets?: readonly Preset<G>[];
  /** Form for the options of a new table; with presets it is folded. */
  OptionsForm?: FunctionComponent<OptionsFormProps<G>>;
  /** Form for options that few change, always folded. */
  MoreOptionsForm?: FunctionComponent<OptionsFormProps<G>>;
  /** The options of a rated table for what was chosen; null if that cannot be rated. Without it, the game has no ratings. */
  ratedOptions?: (options: Games[G]["options"]) => Games[G]["options"] | null;
  /** The twist of a game with these options, as on the server. */
  twistOf?: (options: Games[G]["options"]) => string;
  /** The category in which a rated table with these options and this clock counts, as on the server. */
  ratingCategory?: (options: Games[G]["options"], clock: ClockPlanView) => string;
  /** Options of a new table, until the user chooses others. */
  defaultOptions?: Games[G]["options"];
  /** Clock presets; null is no clock. Without them the default presets apply. */
  clockPresets?: readonly (ClockPlanView | null)[];
  /** Names of the sides of seats 0 and 1, if the player may choose. */
  sides?: (texts: Texts) => readonly [string, string];
  /** The board shows the players itself. */
  playersOnBoard?: boolean;
  /** The board shows the status line and the actions after a game itself, and a rail replaces the column beside it. */
  statusOnBoard?: boolean;
  /** Additional button in the lobby. */
  LobbyExtra?: FunctionComponent;
  /** The visible part of a position; only its changes are steps of a replay. */
  visiblePart?: (position: Games[G]["position"]) => unknown;
  /** The hand to which a position belongs, if a game has several; it changes from hand to hand. */
  handOf?: (position: Games[G]["position"]) => string;
  /** Seat shown below the board; the user's own by default. */
  bottomSeat?: (scene: Scene<G>) => Seat;
  /** Tell whether a game with these options uses randomness. */
  usesRandomness: (options: Games[G]["options"]) => boolean;
  /** Tell whether a game with these options hides information. */
  hidesInformation?: (options: Games[G]["options"]) => boolean;
  /** An older client of this game receives all hidden information. */
  olderClientSeesHidden?: boolean;
  /** Name of a twist of finished games; an empty text if it needs none. Without it, the presets name the twists. */
  twistName?: (twist: string, texts: Texts) => string;
  /** Options that differ from the default, as short tags; at the table also what players want to see of the others. */
  tags?: (options: Games[G]["options"], texts: Texts, atTable?: boolean) => readonly string[];
  /** Sound of an event: a name in `sounds`, or a sound of the page. */
  tone?: (event: RoomEvent | Games[G]["event"]) => Tone | (string & {}) | null;
  /** Loads the game's own sounds. */
  sounds?: () => Promise<GameSounds>;
  /** Tell whether the board itself makes the user's next move, for example a pass; the user is not told to move then. */
  movesItself?: (position: Games[G]["position"]) => Promise<boolean>;
  /** Kinds of offers, each with its own button. */
  offerKinds: readonly OfferKind[];
  /** Offers that are possible now. */
  possibleOffers: (position: Games[G]["position"]) => readonly OfferKind[];
  /** Tell whether a move was made; a win without one is not celebrated. */
  hasMoves?: (position: Games[G]["position"]) => boolean;
  /** Progress of the match. */
  heading: (position: Games[G]["position"], texts: Texts) => string;
  /** Status line of the game; null: the default of the table. */
  status: (scene: Scene<G>) => Status | null;
  /** Announcement of an event for screen readers. */
  announce: (event: RoomEvent | Games[G]["event"], scene: Scene<G>) => string | null;
}

/** A game whose folder is in the page. */
export interface OwnGameParts<G extends GameName> extends GameParts<G> {
  /** Place among the games of the lobby. */
  order: number;
}

/** What a module of a game from outside exports. */
export interface GameModule {
  game: GameParts<GameName>;
  /** Return the position after an event; an unknown event changes nothing. */
  reduce: (position: AnyPosition, event: AnyEvent) => AnyPosition;
  /** Moves that another player may make first; a refusal of them needs no message. */
  SHARED_MOVES?: readonly string[];
  /** Path of a stylesheet, relative to the module. */
  stylesheet?: string;
}
