/** Types for games from outside: what `qipai/board-kit` exports, and what the web module of a game exports. */

declare module "qipai/board-kit" {
  import type { ComponentChildren, FunctionComponent, TargetedMouseEvent } from "preact";
  import type { ReadonlySignal, Signal } from "@preact/signals";

  /** Number of a seat, from 0. */
  export type Seat = number;

  /** The values of a game, as JSON: options of a table, a move, a position as the viewer sees it, an event. */
  export interface GameValues {
    options: object;
    move: object;
    position: object;
    event: { e: string };
  }

  /** Texts of the page in the current language; `games` has your own, by the name of the game. */
  export interface Texts {
    punctuation: {
      labelled: (label: string, value: string) => string;
      withNote: (text: string, note: string) => string;
      comma: string;
      sentences: (...parts: readonly string[]) => string;
    };
    games: object;
  }

  /** A table of any game. */
  export interface Room {
    game: string;
    code: string;
    /** Number of the game at this table, from 1. */
    match: number;
    phase: "waiting" | "playing" | "over" | "closed";
    seats: readonly ({ name: string; bot?: string; disconnected?: boolean } | null)[];
    to_act: readonly Seat[];
    result: { winners: readonly Seat[]; reason: string } | null;
  }

  /** Position in the move list: number of moves shown, and of moves played when stepping began. */
  export interface MoveCursor {
    step: number;
    total: number;
  }

  /** What the components of a game know about the table. */
  export interface Scene<V extends GameValues> {
    room: Room;
    /** Null before the game starts. */
    position: V["position"] | null;
    /** The user's seat; null for a spectator and in most replays. */
    you: Seat | null;
    /** In a replay: the seat that the user had, which is below the board. */
    facing?: Seat | null;
    /** The user's move that the server has not confirmed yet. */
    pending: V["move"] | null;
    /** Whether the user may move now. */
    mayMove: boolean;
    play: (move: V["move"]) => void;
    /** A move that waits for confirmation. */
    draft: V["move"] | null;
    setDraft: (move: V["move"] | null) => void;
    /** Which earlier position is shown; null: the current one. */
    cursor: MoveCursor | null;
    setCursor: (cursor: MoveCursor | null) => void;
    /** The game is live; otherwise this is a replay. */
    live: boolean;
    texts: Texts;
    nameAt: (seat: Seat) => string;
  }

  /** Text of the status line, and its button. */
  export interface Status {
    text: string;
    /** It is about the user, for example the user's turn. */
    mine: boolean;
    button?: { label: string; press: () => void };
  }

  export type OfferKind = "draw" | "undo" | "swap";
  /** Sounds of the page. */
  export type Tone = "move" | "capture" | "check" | "dice" | "boom";

  /** A sound of a game. */
  export interface GameSound {
    /** Address of the file, for example `new URL("disc.wav", import.meta.url).href`. */
    file: string;
    /** Which volume applies; that of moves by default. */
    kind?: "moves" | "calls";
    /** The word that the browser says if the user wants spoken calls. */
    spoken?: (texts: Texts) => string;
  }

  /** Return CSS colours, by name, as a canvas understands them. */
  export type ReadColours = <N extends string>(colours: Readonly<Record<N, string>>) => Record<N, string>;

  /** Draws the board on a square of this size in pixels; `colours` reads colours of style sheets. */
  export type BoardDrawing<V extends GameValues> = (
    context: CanvasRenderingContext2D,
    size: number,
    scene: Scene<V>,
    colours: ReadColours,
    /** A small board has no coordinates. */
    coordinates?: boolean,
  ) => Promise<void> | void;

  /** A way to play a game that the lobby offers with one press. */
  export interface Preset<V extends GameValues> {
    id: string;
    options: V["options"];
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

  /** A moment of a step at which the reader moves. */
  export interface LessonStage<V extends GameValues> {
    position: V["position"];
    /** Moves that continue the step; only those of the last stage may be several. None: there is nothing to try. */
    right: readonly V["move"][];
    /** Moves that the rules refuse, with the key of the text that says why. */
    refused?: readonly { move: V["move"]; reason: string }[];
    /** Moves that the rules allow, but that are not what the step asks for. */
    other?: readonly { move: V["move"]; reason: string }[];
  }

  /** One idea of a page. `after`: the positions after each right move of the last stage. */
  export interface LessonStep<V extends GameValues> {
    id: string;
    options: V["options"];
    /** The reader's seat. */
    you: Seat;
    stages: readonly LessonStage<V>[];
    after: readonly V["position"][];
  }

  /** Texts of a step: paragraphs, a task for each stage, what is said after the right move and after another one. */
  export interface LessonStepTexts {
    title: string;
    text: readonly string[];
    tasks?: readonly string[];
    done?: string;
    other?: string;
  }

  /** Texts of all lessons of a game in one language; `reasons` say why a move is refused. */
  export interface LessonTexts {
    pages: Readonly<Record<string, { name: string; hint: string; steps: Record<string, LessonStepTexts> }>>;
    reasons: Readonly<Record<string, string>>;
    /** Names of the players by seat. */
    names?: readonly string[];
  }

  /** Lessons of a game, by page. */
  export interface Lessons<V extends GameValues> {
    pages: readonly { id: string; steps: readonly LessonStep<V>[]; Icon?: FunctionComponent }[];
    /** Return the id of the page for a table with these options. */
    pageFor: (options: V["options"]) => string;
    /** Number of players; two by default. */
    seats?: number;
    /** Load the texts in a language, given by its tag in lower case. */
    loadTexts: (language: string) => Promise<LessonTexts>;
    /** Board for lessons, instead of that of the table. */
    Board?: FunctionComponent<{ scene: Scene<V>; step: string }>;
    /** Return the options of the board; it must let the reader try any move. */
    boardOptions?: (options: V["options"]) => V["options"];
    /** Return why a move that the step does not list cannot be made; null if it can. */
    explain?(stage: LessonStage<V>, move: V["move"], lesson: LessonTexts, texts: Texts): string | null;
    /** Return the move that a press on a disabled part of the board means. */
    blockedMove?: (data: DOMStringMap, position: V["position"]) => V["move"] | null;
  }

  /** What a game provides to the page: the export `game` of its web module. */
  export interface GameParts<V extends GameValues> {
    /** Its root element has the class `board` and the width `var(--board)`. */
    Board: FunctionComponent<{ scene: Scene<V> }>;
    /** Symbol or colour of a seat. */
    Badge: FunctionComponent<{ position: V["position"]; seat: Seat }>;
    Score: FunctionComponent<{ position: V["position"]; seat: Seat }>;
    /** Small icon for lists of games, with the class `game-icon`. */
    Icon: FunctionComponent;
    /** Wide picture for the lobby, with the class `lobby-picture`; it may be cropped to its middle. */
    LobbyPicture: FunctionComponent;
    /** Picture beside the ways to play, twice as high as wide; it may show the chosen preset. */
    HeroPicture?: FunctionComponent<{ preset: string | undefined }>;
    /** Ways to play that the lobby offers, the default one first. */
    presets?: readonly Preset<V>[];
    /** Loads the drawing of the board image. */
    boardDrawing: () => Promise<BoardDrawing<V>>;
    /** Tell whether a game with these options uses randomness. */
    usesRandomness: (options: V["options"]) => boolean;
    /** Kinds of offers, each with its own button. */
    offerKinds: readonly OfferKind[];
    /** Offers that are possible now. */
    possibleOffers: (position: V["position"]) => readonly OfferKind[];
    /** Progress of the game. */
    hasMoves?: (position: V["position"]) => boolean;
    heading: (position: V["position"], texts: Texts) => string;
    /** Status line of the game; null: the default of the table. */
    status: (scene: Scene<V>) => Status | null;
    /** Announcement of an event for screen readers. */
    announce: (event: { e: string } | V["event"], scene: Scene<V>) => string | null;
    /** List of moves; for replays, the position then has an array `moves`. */
    MoveList?: FunctionComponent<{ scene: Scene<V> }>;
    /** Panel beside the board. */
    Panel?: FunctionComponent<{ scene: Scene<V> }>;
    /** Form for the options of a new table; with presets it is folded. */
    OptionsForm?: FunctionComponent<{ options: V["options"]; onChange: (options: V["options"]) => void }>;
    /** Form for options that few change, always folded. */
    MoreOptionsForm?: FunctionComponent<{ options: V["options"]; onChange: (options: V["options"]) => void }>;
    /** Loads what the settings sheet offers for the game. */
    settings?: () => Promise<readonly (LookSetting | SwitchSetting)[]>;
    /** Additional button in the lobby. */
    LobbyExtra?: FunctionComponent;
    /** Loads the lessons on how to play. */
    lessons?: () => Promise<Lessons<V>>;
    /** Notation that the server can export, as the suffix of its files. */
    notation?: string;
    /** Names of the sides of seats 0 and 1, if the player may choose. */
    sides?: (texts: Texts) => readonly [string, string];
    /** Name of a twist of finished games; an empty text if it needs none. Without it, the presets name the twists. */
    twistName?: (twist: string, texts: Texts) => string;
    /** Options that differ from the default, as short tags; at the table also what players want to see of the others. */
    tags?: (options: V["options"], texts: Texts, atTable?: boolean) => readonly string[];
    /** Sound of an event: a name in `sounds`, or a sound of the page. */
    tone?: (event: { e: string } | V["event"]) => Tone | (string & {}) | null;
    /** Loads the game's own sounds, by name. Of several events at once, the first of them is heard, then those of the page. */
    sounds?: () => Promise<Readonly<Record<string, GameSound>>>;
    /** Tell whether the board itself makes the user's next move, for example a pass; the user is not told to move then. */
    movesItself?: (position: V["position"]) => Promise<boolean>;
    /** Seat shown below the board; the user's own by default. */
    bottomSeat?: (scene: Scene<V>) => Seat;
    /** Tell whether a game with these options hides information. */
    hidesInformation?: (options: V["options"]) => boolean;
    /** The visible part of a position; only its changes are steps of a replay. */
    visiblePart?: (position: V["position"]) => unknown;
    /** The hand to which a position belongs, if a game has several; it changes from hand to hand. */
    handOf?: (position: V["position"]) => string;
    /** The board shows the players itself. */
    playersOnBoard?: boolean;
  }

  /** The exports of a web module. */
  export interface GameModule<V extends GameValues> {
    game: GameParts<V>;
    /** Return the position after an event; an unknown event changes nothing. */
    reduce: (position: V["position"], event: V["event"]) => V["position"];
    /** Moves, by the value of `do`, that another player may make first; a refusal of them needs no message. */
    SHARED_MOVES?: readonly string[];
    /** Path of a stylesheet, relative to the module. */
    stylesheet?: string;
  }

  /** A cell as it is shown now. */
  export interface GridCell {
    /** What a screen reader says: the place and its content. */
    label: string;
    class?: string;
    /** Pressing the cell does nothing; it can still be focused and read. */
    disabled?: boolean;
    /** The cell holds the piece that is about to move. */
    selected?: boolean;
    /** Name of the cell in the notation of the game. */
    square?: string;
    children?: ComponentChildren;
  }

  /** A board as a grid of buttons: one Tab stop; arrow keys, Home, End, PageUp and PageDown move the focus. */
  export const BoardGrid: FunctionComponent<{
    columns: number;
    rows: number;
    /** Accessible name of the board. */
    label: string;
    /** The cell that the Tab key reaches. */
    focus: Signal<number>;
    class?: string;
    rowClass?: string;
    /** Show the board turned by 180 degrees; cells keep their numbers. */
    turned?: boolean;
    /** Return a cell by its number, counted by rows from the top left. */
    cell: (number: number) => GridCell;
    /** A cell that is not disabled was pressed: by mouse, touch, Enter, Space or a screen reader. */
    onPress?: (number: number, event: TargetedMouseEvent<HTMLButtonElement>) => void;
    /** Escape was pressed. */
    onCancel?: () => void;
    /** Decoration in front of the rows. */
    children?: ComponentChildren;
  }>;

  /** Play a move; if the user confirms every move, make it the draft first. A status of null then shows a button to confirm it. */
  export function playOrDraft<M>(scene: { draft: M | null; setDraft: (move: M | null) => void; play: (move: M) => void }, move: M): void;

  /**
   * Hook that asks for a second tap where cells are smaller than 40 pixels, and for every move if the user wants that.
   * `onPointerDown` goes on an element around the board.
   */
  export function useTapConfirmation<M>(scene: { draft: M | null; setDraft: (move: M | null) => void; play: (move: M) => void }): {
    onPointerDown: (event: PointerEvent) => void;
    /** Play the move, or make it the draft. */
    press: (move: M, event: MouseEvent, cellSize: number) => void;
  };

  /** Return which move is shown, of this many. */
  export function shownMove(scene: { cursor: MoveCursor | null }, total: number): { step: number; total: number; earlier: boolean; newMoves: boolean };

  /** Show another move; the last one is the current position. */
  export function showMove(scene: { cursor: MoveCursor | null; setCursor: (cursor: MoveCursor | null) => void }, total: number, step: number): void;

  /** Return the status while an earlier position is shown, with a button to the current one; otherwise null. */
  export function earlierStatus(
    scene: { room: Pick<Room, "phase">; cursor: MoveCursor | null; setCursor: (cursor: MoveCursor | null) => void },
    total: number,
    text: { earlier: (step: number, total: number, newMoves: boolean) => string; backToGame: string; end: string },
  ): Status | null;

  /** Moves as a list, with buttons and keys to step; its items are `<li class="moves-pair">` with `MoveButton`s. */
  export const MoveList: FunctionComponent<{
    text: { moves: string; noMoves: string; steps: string; first: string; previous: string; next: string; last: string };
    step: number;
    total: number;
    onStep: (step: number) => void;
    head?: ComponentChildren;
    foot?: ComponentChildren;
    children: ComponentChildren;
  }>;

  /** One move of the list. */
  export const MoveButton: FunctionComponent<{
    colour: "black" | "white";
    label: string;
    name: string;
    current: boolean;
    disabled?: boolean;
    onClick: () => void;
  }>;

  /** Downloads a text, for example the record of a finished game. */
  export const DownloadButton: FunctionComponent<{
    room: Pick<Room, "game" | "code" | "match">;
    label: string;
    extension: string;
    type: string;
    text: () => string | Promise<string>;
  }>;

  /** Small round stone beside a player's name. */
  export const StoneBadge: FunctionComponent<{ colour: "black" | "white"; label: string }>;

  /** Return a text with `{name}` replaced by the value of that name. */
  export function fillText(text: string, values: Readonly<Record<string, string | number>>): string;

  /**
   * Return a setting with a few named choices, the first of them to begin with. It is remembered in this browser.
   * For style sheets a choice other than the first is the attribute `data-<name>` of the root element.
   */
  export function choice<T extends string>(name: string, choices: readonly [T, ...T[]]): Signal<T>;

  /** Return a setting; it is remembered in this browser. A stored value that `allowed` does not have is ignored. */
  export function setting<T extends boolean | number | string>(
    name: string,
    initial: T,
    allowed?: (value: boolean | number | string) => boolean,
  ): Signal<T extends boolean ? boolean : T extends number ? number : T>;

  /** The texts of the current language, for components without a scene. */
  export const texts: ReadonlySignal<Texts>;
}
