// Written by tools/protocol.py from the server's types; do not edit.

export const PROTOCOL = 1;
export const CHAT_TAIL = 50;
export const CHAT_LINE = 200;

/** Make a move; `at_version` is the version of the table it was meant for (0: any). */
export interface Play {
  type: "play";
  room: RoomId;
  move: AnyMove;
  nonce?: Nonce;
  at_version?: number;
}

/** Say who you are: with the token of an earlier welcome, or as a new guest. */
export interface Hello {
  type: "hello";
  v?: number;
  token?: string;
  name?: string;
}

/** Open a table and sit down at it, alone or against a bot. */
export interface OpenTable {
  type: "open";
  game: string;
  nonce: Nonce;
  options?: AnyOptions;
  table?: Table;
  seat?: number | null;
  bot?: string;
  luck?: string;
}

/** Take a seat (any, or this one); who sits there already comes back to it. */
export interface Join {
  type: "join";
  room: string;
  seat?: number | null;
  luck?: string;
}

/** Look on without a seat. */
export interface Watch {
  type: "watch";
  room: string;
}

/** Play whoever waits for this game, or wait for somebody. `back`: go back to a table of this game where you sit already, while it waits or is being played. */
export interface Match {
  type: "match";
  game: string;
  luck?: string;
  back?: boolean;
}

/** Propose a draw, an undo, a change of sides or a rematch. */
export interface Propose {
  type: "offer";
  room: string;
  kind: OfferKind;
  nonce?: Nonce;
}

/** Answer a standing offer. */
export interface Reply {
  type: "answer";
  room: string;
  offer: number;
  yes: boolean;
  nonce?: Nonce;
}

/** Take your own standing offer back. */
export interface TakeBack {
  type: "withdraw";
  room: string;
  offer: number;
  nonce?: Nonce;
}

/** Begin a game, where the host does that: with these options and this clock, or as before. */
export interface Begin {
  type: "start";
  room: string;
  options?: AnyOptions;
  clock?: ClockPlan | null;
  nonce?: Nonce;
}

/** Resign the game. */
export interface GiveUp {
  type: "resign";
  room: string;
  nonce?: Nonce;
}

/** Say something at the table. */
export interface Speak {
  type: "say";
  room: string;
  text: string;
  nonce?: Nonce;
}

/** Leave the table for good; in a running game this forfeits it. */
export interface Leave {
  type: "leave";
  room: string;
}

/** Come back to a table after a cut; `version` is the last one seen. */
export interface Resume {
  type: "resume";
  room: string;
  version: number;
}

/** Follow the list of public tables, or stop following it. */
export interface Lobby {
  type: "lobby";
  on?: boolean;
}

/** Ask for a pong. */
export interface Ping {
  type: "ping";
  n?: number;
}

/** What made `version` out of the one before. `seat` acted with `nonce`. */
export interface Happened {
  type: "events";
  room: RoomId;
  version: number;
  at: Millis;
  events: readonly (RoomEvent | AnyEvent)[];
  to_act: readonly Seat[];
  seat?: Seat | null;
  nonce?: Nonce;
  clock?: ClockView | null;
}

/** The whole table as you may see it; `you` is your seat, null for a watcher. */
export interface Shown {
  type: "room";
  room: RoomView;
  version: number;
  at: Millis;
  you: Seat | null;
}

/** Who you are from now on. Keep the token: it is your name, your seats and your tables. */
export interface Welcome {
  type: "welcome";
  v: number;
  token: string;
  name: string;
  at: Millis;
  games: readonly GameCard[];
  rooms: readonly RoomId[];
}

/** Nothing was changed, and why; `incident` names our log entry when the fault is ours. */
export interface Denied {
  type: "refused";
  code: Refusal;
  room?: string;
  nonce?: string;
  about?: string;
  incident?: string;
}

/** The command with this nonce had been done before, or there was nothing to do. */
export interface Done {
  type: "done";
  room: RoomId;
  version: number;
  nonce?: Nonce;
}

/** You are no longer at this table; `replaced`: another of your connections took it over. */
export interface Left {
  type: "left";
  room: RoomId;
  replaced: boolean;
}

/** Changed tables and those that are gone; `full`: forget what you had before. */
export interface LobbyNews {
  type: "lobby";
  online: number;
  rooms?: readonly LobbyRow[];
  gone?: readonly RoomId[];
  full?: boolean;
}

/** Answers a ping with the server's time. */
export interface Pong {
  type: "pong";
  n: number;
  at: Millis;
}

/** Somebody took a seat. `luck` is the hex of the bytes he adds to the deal. A `seer`'s client is told all secrets. */
export interface Sat {
  e: "sat";
  seat: Seat;
  name: string;
  bot?: string;
  luck?: string;
  seer?: boolean;
}

/** A seat is empty again. */
export interface Stood {
  e: "stood";
  seat: Seat;
}

/** A game begins: its number at this table, its commitment and what the reader may see of it. */
export interface Dealt {
  e: "dealt";
  match: number;
  commitment: string;
  position: AnyPosition;
}

/** The host begins a game with these options and this clock. */
export interface Arranged {
  e: "arranged";
  options: AnyOptions;
  clock: ClockPlan | null;
}

/** The table has another host. */
export interface Hosting {
  e: "hosting";
  seat: Seat;
}

/** A move was taken back; `position` replaces the reader's. */
export interface Undone {
  e: "undone";
  position: AnyPosition;
}

/** The players changed sides; `position` replaces the reader's. */
export interface Swapped {
  e: "swapped";
  position: AnyPosition;
}

/** A proposal stands. */
export interface Offered {
  e: "offered";
  offer: Offer;
}

/** A seat answered a proposal. */
export interface Answered {
  e: "answered";
  offer: number;
  kind: OfferKind;
  seat: Seat;
  yes: boolean;
}

/** A proposal no longer stands. */
export interface Lapsed {
  e: "lapsed";
  offer: number;
}

/** Somebody spoke. */
export interface Said {
  e: "said";
  line: Line;
}

/** A player is out of reach; at `until` he forfeits (null: he is waited for). */
export interface Away {
  e: "away";
  seat: Seat;
  until: Millis | null;
}

/** A player is in reach again. */
export interface Back {
  e: "back";
  seat: Seat;
}

/** The game ended; `seed` is the secret behind its commitment, in hex. */
export interface Over {
  e: "over";
  winners: readonly Seat[];
  reason: string;
  seed: string;
}

/** The server was away from `down` until now; no clock was charged for it. */
export interface Resumed {
  e: "resumed";
  down: Millis;
}

/** The room is gone. */
export interface Closed {
  e: "closed";
}

export type RoomId = string;

export type Nonce = string;

/** The house rules of a table. `away`: seconds until a lost player forfeits; 0 waits for ever. `linger`: seconds that it is kept when everybody has left; 0 closes it with the last one. `relaxed`: players hear watchers during a game, and what was declined may be asked again at once. `hosted`: whoever has been there longest begins each game, and an offer outlasts the next move. */
export interface Table {
  public?: boolean;
  watchers?: boolean;
  away?: number;
  clock?: ClockPlan | null;
  title?: string;
  linger?: number;
  relaxed?: boolean;
  hosted?: boolean;
}

/** What can be proposed to the other seats. */
export type OfferKind = "draw" | "undo" | "rematch" | "swap";

/** How time is given. `main` has one entry for all or one per seat; 0 means unlimited. `first_free`: the first move of the game costs nothing and earns nothing. */
export interface ClockPlan {
  main?: readonly number[];
  increment?: number;
  move?: number;
  first_free?: boolean;
}

export type Millis = number;

export type Seat = number;

/** What each seat has left at `at` (null: unlimited) and which seats are thinking. `grants`: time for this one decision, instead of the budget. `since`: when each of them began to think, for a limit that every move has. `at` in a view may lie in the future: nothing is charged before it. */
export interface ClockView {
  left: readonly (number | null)[];
  running: readonly Seat[];
  grants: readonly (number | null)[];
  since: readonly (number | null)[];
  at: Millis;
}

/** A table as one viewer sees it. `position` is the game's own view, null before the deal. `host` is the seat that begins each game, if the table is hosted. */
export interface RoomView {
  id: RoomId;
  code: Code;
  game: string;
  options: AnyOptions;
  table: Table;
  phase: Phase;
  chairs: readonly (ChairView | null)[];
  match: number;
  commitment: string;
  position?: AnyPosition | null;
  to_act?: readonly Seat[];
  clock?: ClockView | null;
  offers?: readonly Offer[];
  chat?: readonly Line[];
  result?: Outcome | null;
  seed?: string;
  host?: Seat;
}

/** A game this server plays. */
export interface GameCard {
  name: string;
  seats: number;
  bots: readonly string[];
}

/** Why a command changed nothing. Closed: every dialect maps all of them. */
export type Refusal = "malformed" | "version" | "hello_first" | "bad_name" | "rate_limited" | "too_many_rooms" | "no_such_game" | "no_such_bot" | "no_such_room" | "bad_options" | "not_in_room" | "no_watchers" | "room_full" | "busy" | "room_closed" | "seat_taken" | "not_seated" | "not_playing" | "still_playing" | "not_your_turn" | "bad_move" | "out_of_range" | "occupied" | "illegal" | "stale" | "too_late" | "not_offered" | "not_asked" | "offer_stands" | "too_soon" | "not_allowed" | "nothing_to_undo" | "empty" | "unavailable" | "internal";

/** A public table in one line. */
export interface LobbyRow {
  id: RoomId;
  code: Code;
  game: string;
  phase: Phase;
  names: readonly (string | null)[];
  watchers?: number;
  clock?: ClockPlan | null;
  title?: string;
}

/** A standing proposal; `asked` are the seats that have not answered yet. `moved`: its maker has moved since, where that matters. */
export interface Offer {
  id: number;
  kind: OfferKind;
  seat: Seat;
  asked: readonly Seat[];
  moved?: boolean;
}

/** One line. `aside` lines were said among watchers and are shown to watchers only. */
export interface Line {
  at: Millis;
  name: string;
  text: string;
  seat?: Seat | null;
  aside?: boolean;
}

export type Code = string;

/** The four ages of a room. */
export type Phase = "waiting" | "playing" | "over" | "closed";

/** A person at the table. `until`: when he forfeits if he stays out of reach. A `seer`'s client is told all secrets: what the others do not see is open to it. */
export interface ChairView {
  name: string;
  bot?: string;
  away?: boolean;
  until?: Millis | null;
  luck?: string;
  seer?: boolean;
}

/** How a game ended: the winning seats (none: a draw) and a word for why. */
export interface Outcome {
  winners: readonly Seat[];
  reason: string;
}

/** What a client may send. */
export type Intent =
  | Play
  | Hello
  | OpenTable
  | Join
  | Watch
  | Match
  | Propose
  | Reply
  | TakeBack
  | Begin
  | GiveUp
  | Speak
  | Leave
  | Resume
  | Lobby
  | Ping;

/** What the server may send. */
export type Notice =
  | Happened
  | Shown
  | Welcome
  | Denied
  | Done
  | Left
  | LobbyNews
  | Pong;

/** What can happen at a table of any game. */
export type RoomEvent =
  | Sat
  | Stood
  | Dealt
  | Arranged
  | Hosting
  | Undone
  | Swapped
  | Offered
  | Answered
  | Lapsed
  | Said
  | Away
  | Back
  | Over
  | Resumed
  | Closed;

/** Nothing to choose. */
export type TictactoeOptions = Record<string, never>;

/** Put your symbol into a cell, counted by rows from the top left. */
export interface TictactoeMark {
  do: "mark";
  cell: number;
}

/** Begin the next round, once one is over. */
export interface TictactoeNext {
  do: "next";
}

/** The match as anybody may see it; there are no secrets. */
export interface TictactoePosition {
  left: Seat;
  x: Seat;
  first: Seat;
  turn: Seat;
  board: string;
  round: number;
  wins: readonly [number, number];
  draws: number;
  resting: boolean;
  taken: Seat | null;
  lines: readonly (readonly number[])[];
}

/** A symbol was put into a cell. */
export interface TictactoeMarked {
  e: "marked";
  seat: Seat;
  cell: number;
}

/** A round ended; no winner means a draw. `round` counts from 0. */
export interface TictactoeRoundOver {
  e: "round_over";
  round: number;
  winner: Seat | null;
  lines: readonly (readonly number[])[];
  wins: readonly [number, number];
  draws: number;
}

/** A new round with an empty board. */
export interface TictactoeRoundBegan {
  e: "round_began";
  round: number;
  first: Seat;
}

export type TictactoeMove =
  | TictactoeMark
  | TictactoeNext;

export type TictactoeEvent =
  | TictactoeMarked
  | TictactoeRoundOver
  | TictactoeRoundBegan;

/** Nothing to choose. */
export type GomokuOptions = Record<string, never>;

/** Put a stone on an empty point: column from the left, row from the top. */
export interface GomokuMove {
  do: "place";
  x: number;
  y: number;
}

/** The game as anybody may see it; cells are x + 15 * y, the stones of both sides in turn. */
export interface GomokuPosition {
  black: Seat;
  turn: Seat;
  moves: readonly number[];
  line: readonly number[];
}

/** A stone was put on the board. */
export interface GomokuPlaced {
  e: "placed";
  seat: Seat;
  x: number;
  y: number;
}

/** The last stone completed a line; its cells are x + 15 * y, from one end to the other. */
export interface GomokuLined {
  e: "lined";
  cells: readonly number[];
}

export type GomokuEvent =
  | GomokuPlaced
  | GomokuLined;

/** What each game puts into a table. */
export interface Games {
  tictactoe: { options: TictactoeOptions; move: TictactoeMove; position: TictactoePosition; event: TictactoeEvent; };
  gomoku: { options: GomokuOptions; move: GomokuMove; position: GomokuPosition; event: GomokuEvent; };
}

export type GameName = keyof Games;
export type AnyOptions = Games[GameName]["options"];
export type AnyMove = Games[GameName]["move"];
export type AnyPosition = Games[GameName]["position"];
export type AnyEvent = Games[GameName]["event"];
