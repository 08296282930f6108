// Types of the native protocol; written by tools/protocol.py from the server's types, do not edit.

export const PROTOCOL = 2;
export const CHAT_TAIL = 50;
export const CHAT_LINE = 200;
export const ABSENCE = 55000;

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

/** Open a table and sit down at it, alone or against a bot. `bots`: how many of the other seats are its, the first ones after the sitter's; without it all are. */
export interface OpenRoom {
  type: "open";
  game: string;
  nonce: Nonce;
  options?: AnyOptions;
  table?: TableRules;
  seat?: number | null;
  bot?: string;
  bots?: number | null;
  player_entropy?: string;
}

/** Take a seat (any, or this one); who sits there already comes back to it. */
export interface Join {
  type: "join";
  room: string;
  seat?: number | null;
  player_entropy?: string;
}

/** Look on without a seat. */
export interface Watch {
  type: "watch";
  room: string;
}

/** Play whoever waits for this game, or wait for somebody. `back`: go back to a table of this game where you sit already, while it waits or is being played. */
export interface QuickMatch {
  type: "quick_match";
  game: string;
  player_entropy?: string;
  rejoin?: boolean;
}

/** Propose a draw, an undo, a change of sides or a rematch. */
export interface MakeOffer {
  type: "offer";
  room: string;
  kind: OfferKind;
  nonce?: Nonce;
}

/** Answer a standing offer. */
export interface AnswerOffer {
  type: "answer";
  room: string;
  offer: number;
  yes: boolean;
  nonce?: Nonce;
}

/** Take your own standing offer back. */
export interface WithdrawOffer {
  type: "withdraw";
  room: string;
  offer: number;
  nonce?: Nonce;
}

/** Begin a game, where the host does that: with these options and this clock, or as before. */
export interface StartGame {
  type: "start";
  room: string;
  options?: AnyOptions;
  clock?: ClockPlan | null;
  nonce?: Nonce;
}

/** Resign the game. */
export interface Resign {
  type: "resign";
  room: string;
  nonce?: Nonce;
}

/** Say something at the table: a text of your own, or a phrase that this game has. */
export interface Say {
  type: "say";
  room: string;
  text?: string;
  nonce?: Nonce;
  phrase?: Phrase | null;
}

/** Close the chat for all but phrases, or open it again; the host may. */
export interface SetPhrasesOnly {
  type: "phrases_only";
  room: string;
  on: boolean;
  nonce?: Nonce;
}

/** Tell whoever runs the server that something is not right, about a line of chat or the table. */
export interface Report {
  type: "report";
  room: string;
  text: string;
  nonce: Nonce;
  line?: ChatLineRef | null;
}

/** Ask for a ticket with which another device can take your seat. */
export interface RequestSeatTransfer {
  type: "transfer_seat";
  room: string;
  nonce: Nonce;
}

/** Take the seat that the ticket is for: it is yours from now on. */
export interface ClaimSeat {
  type: "claim_seat";
  ticket: string;
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
export interface SubscribeLobby {
  type: "lobby";
  on?: boolean;
}

/** Ask for a pong. */
export interface Ping {
  type: "ping";
  n?: number;
}

/** What made `version` out of the one before. `seat` acted with `nonce`. */
export interface RoomEvents {
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
export interface FullRoom {
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
  games: readonly GameDescription[];
  rooms: readonly RoomId[];
}

/** Nothing was changed, and why; `incident` names our log entry when the fault is ours. */
export interface Refused {
  type: "refused";
  code: Refusal;
  room?: string;
  nonce?: string;
  about?: string;
  incident?: string;
}

/** The command with this nonce had been done before, or there was nothing to do. */
export interface Unchanged {
  type: "unchanged";
  room: RoomId;
  version: number;
  nonce?: Nonce;
}

/** You are no longer at this table; `replaced`: another of your connections took it over. The reason `transferred`: another device took your seat with a ticket of yours, and it is no longer yours. */
export interface Left {
  type: "left";
  room: RoomId;
  replaced?: boolean;
  reason?: "" | "transferred";
}

/** Whoever brings this ticket first, until it expires, gets your seat at this table. */
export interface TransferTicket {
  type: "ticket";
  room: RoomId;
  ticket: string;
  expires: Millis;
  nonce: Nonce;
}

/** A line among watchers, who see their table later: it is heard at once, and belongs to no version. */
export interface SpectatorChat {
  type: "spectator_chat";
  room: RoomId;
  line: ChatLine;
}

/** How many look on at your table, when that has changed; after a `resume` also if anybody does. */
export interface SpectatorCount {
  type: "spectators";
  room: RoomId;
  spectators: number;
}

/** Changed tables and those that are gone; `full`: forget what you had before. */
export interface LobbyUpdate {
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

/** A seat was taken. `player_entropy`: hex of the bytes the player adds to the randomness. `sees_hidden`: the player's client receives hidden information. `reserved`: the player is not here yet. */
export interface SeatTaken {
  e: "seat_taken";
  seat: Seat;
  name: string;
  bot?: string;
  player_entropy?: string;
  sees_hidden?: boolean;
  reserved?: boolean;
}

/** A seat is empty again. */
export interface SeatLeft {
  e: "seat_left";
  seat: Seat;
}

/** A game started: its number in this room, its commitment, and the position as the reader may see it. */
export interface GameStarted {
  e: "game_started";
  match: number;
  commitment: string;
  position: AnyPosition;
}

/** The host starts a game with these options and this clock. */
export interface OptionsChosen {
  e: "options_chosen";
  options: AnyOptions;
  clock: ClockPlan | null;
}

/** Another seat is the host. */
export interface HostChanged {
  e: "host_changed";
  seat: Seat;
}

/** A move was undone; `position` replaces the reader's. */
export interface MoveUndone {
  e: "move_undone";
  position: AnyPosition;
}

/** The players swapped sides; `position` replaces the reader's. */
export interface SidesSwapped {
  e: "sides_swapped";
  position: AnyPosition;
}

/** An offer was made. */
export interface OfferMade {
  e: "offer_made";
  offer: Offer;
}

/** A seat accepted or declined an offer. */
export interface OfferAnswered {
  e: "offer_answered";
  offer: number;
  kind: OfferKind;
  seat: Seat;
  yes: boolean;
}

/** An offer no longer stands. */
export interface OfferEnded {
  e: "offer_ended";
  offer: number;
}

/** A chat line was added. */
export interface Said {
  e: "said";
  line: ChatLine;
}

/** The host restricted the chat to phrases, or lifted that. */
export interface PhrasesOnlySet {
  e: "phrases_only_set";
  seat: Seat;
  on: boolean;
}

/** A player is disconnected and forfeits at `forfeits_at` (null: the game waits). */
export interface Disconnected {
  e: "disconnected";
  seat: Seat;
  forfeits_at: Millis | null;
}

/** A player is connected again. */
export interface Reconnected {
  e: "reconnected";
  seat: Seat;
}

/** The game ended; `seed` is the secret behind its commitment, in hex. */
export interface GameOver {
  e: "game_over";
  winners: readonly Seat[];
  reason: string;
  seed: string;
}

/** The game is over: `position` replaces the reader's and contains what was hidden. */
export interface SecretsRevealed {
  e: "secrets_revealed";
  position: AnyPosition;
}

/** The server was down from `down` until now; no clock was charged for that time. */
export interface OutageEnded {
  e: "outage_ended";
  down: Millis;
}

/** The room is closed. */
export interface Closed {
  e: "closed";
}

/** What `/api/games/{room}/{match}` answers: a match that is over, from its deal to its end. `seat` is whose eyes it is seen through: a seat's number, `watch`, or `all` where nothing is hidden; `seats` are those that can be asked for. `bots` has an empty text for each person. `luck` is the hex of what each player added to the chance of the first game at a table. `began` is the deal. */
export interface Replay {
  game: string;
  room: RoomId;
  match: number;
  options: AnyOptions;
  table: TableRules;
  names: readonly string[];
  bots: readonly string[];
  player_entropy: readonly string[];
  result: Outcome;
  commitment: string;
  seed: string;
  began: Millis;
  seat: string;
  seats: readonly string[];
  frames: readonly Frame[];
}

export type RoomId = string;

export type Nonce = string;

/** What the creator of a room chose beside the options of the game. `disconnect_timeout`: seconds until a disconnected player forfeits; 0 waits without limit. `empty_timeout`: seconds the room stays open when all players have left; 0 closes it at once. `substitute_bot`: the bot that plays for a long absent player and replaces a player who leaves. `spectator_delay`: seconds by which spectators see everything later. `legacy`: rules that only rooms of older clients have. */
export interface TableRules {
  public?: boolean;
  spectators?: boolean;
  disconnect_timeout?: number;
  clock?: ClockPlan | null;
  title?: string;
  empty_timeout?: number;
  substitute_bot?: string;
  spectator_delay?: number;
  undo_allowed?: boolean;
  legacy?: LegacyTableRules;
}

/** What a seat can offer to the others. */
export type OfferKind = "draw" | "undo" | "rematch" | "swap";

/** How time is given, in milliseconds. `main`: one budget for all or one per seat; 0 is unlimited. `move`: limit of every single move. `first_free`: the first move is not charged and earns nothing. */
export interface ClockPlan {
  main?: readonly number[];
  increment?: number;
  move?: number;
  first_free?: boolean;
}

/** A predefined chat text. The later ones belong to single games, which list theirs. */
export type Phrase = "hello" | "good_luck" | "have_fun" | "thanks" | "well_played" | "good_game" | "sorry" | "oops" | "nice_move" | "wow" | "hurry" | "take_your_time" | "one_moment" | "back_now" | "again" | "bye" | "yes" | "no" | "your_turn_please" | "cheers" | "check_it" | "good_opening" | "sharp" | "close_game" | "watch_out" | "blocked" | "nice_four" | "what_a_wall" | "so_close" | "nice_hand" | "pong_again" | "unlucky" | "last_round";

/** A line of chat by what is known of it: when, by whom, what. */
export interface ChatLineRef {
  at: number;
  name: string;
  text: string;
}

export type Millis = number;

export type Seat = number;

/** The time each seat has left at `at` (null: unlimited) and the seats whose clocks run. `grants`: time for the present decision, instead of the budget. `since`: when each clock started, for the limit of a single move. `at` may lie in the future: no time is charged before it. */
export interface ClockView {
  left: readonly (number | null)[];
  running: readonly Seat[];
  grants: readonly (number | null)[];
  since: readonly (number | null)[];
  at: Millis;
}

/** A room as one viewer may see it. `position` is the view of the game, null before it starts. `host`: the seat of the player who has been seated longest. `phrases_only`: the host has restricted the chat to phrases. `spectators`: their number. */
export interface RoomView {
  id: RoomId;
  code: Code;
  game: string;
  options: AnyOptions;
  table: TableRules;
  phase: Phase;
  seats: readonly (SeatView | null)[];
  match: number;
  commitment: string;
  position?: AnyPosition | null;
  to_act?: readonly Seat[];
  clock?: ClockView | null;
  offers?: readonly Offer[];
  chat?: readonly ChatLine[];
  result?: Outcome | null;
  seed?: string;
  host?: Seat;
  phrases_only?: boolean;
  spectators?: number;
}

/** A game this server plays; `phrases` are all that can be said at its tables without typing. */
export interface GameDescription {
  name: string;
  seats: number;
  bots: readonly string[];
  phrases: readonly Phrase[];
}

/** Why a command or an intent was refused. A closed list: every dialect maps all of them. */
export type Refusal = "malformed" | "version" | "hello_first" | "bad_name" | "rate_limited" | "too_many_rooms" | "no_such_game" | "no_such_bot" | "no_such_room" | "bad_options" | "not_in_room" | "no_spectators" | "room_full" | "busy" | "room_closed" | "seat_taken" | "not_seated" | "not_playing" | "still_playing" | "not_your_turn" | "bad_move" | "out_of_range" | "occupied" | "illegal" | "stale" | "too_late" | "not_offered" | "not_asked" | "offer_stands" | "too_soon" | "not_allowed" | "nothing_to_undo" | "empty" | "forbidden" | "phrases_only" | "not_host" | "bad_ticket" | "unavailable" | "internal";

/** One line of chat. `seat` is the author's, None for a spectator. `spectators_only`: only spectators read it. With a `phrase`, `text` is its English version. */
export interface ChatLine {
  at: Millis;
  name: string;
  text: string;
  seat?: Seat | null;
  spectators_only?: boolean;
  phrase?: Phrase | null;
}

/** A public room as a row of the lobby; `options` are null if they are the defaults. `since`: when it was opened. `spectator_delay`: seconds by which spectators see everything later. */
export interface LobbyRow {
  id: RoomId;
  code: Code;
  game: string;
  phase: Phase;
  names: readonly (string | null)[];
  spectators?: number;
  clock?: ClockPlan | null;
  title?: string;
  options?: AnyOptions | null;
  seats?: readonly (SeatRow | null)[];
  since?: Millis;
  spectator_delay?: number;
}

/** A standing offer; `asked` are the seats that have not answered yet. `moved`: the seat that made it has moved since; recorded where offers stand until answered. */
export interface Offer {
  id: number;
  kind: OfferKind;
  seat: Seat;
  asked: readonly Seat[];
  moved?: boolean;
}

/** How a game ended: the winning seats (none: a draw) and the reason. */
export interface Outcome {
  winners: readonly Seat[];
  reason: string;
}

/** One step of a game: what happened, and what the viewer then had before him. `actor` is the seat that acted, null where nobody did. The first one is the deal. */
export interface Frame {
  version: number;
  at: Millis;
  actor: Seat | null;
  events: readonly (RoomEvent | AnyEvent)[];
  position: AnyPosition;
  to_act: readonly Seat[];
  clock: ClockView | null;
}

/** How a room of an older client differs from other rooms. `host_starts`: the host starts each game; an offer stands until the asked player has moved in reply. `open_seats`: anyone may take a reserved seat of a running game, or that of a long absent player. `chat_with_spectators`: players read the spectators' chat during a game. */
export interface LegacyTableRules {
  host_starts?: boolean;
  open_seats?: boolean;
  chat_with_spectators?: boolean;
}

export type Code = string;

/** The phase of a room. */
export type Phase = "waiting" | "playing" | "over" | "closed";

/** A taken seat as viewers see it. `disconnected_at`: since when its player is disconnected. `forfeits_at`: when that forfeits the game. `player_entropy`: hex of the bytes the player added to the randomness. `sees_hidden`: the player's client receives hidden information. `reserved`: the seat is kept for a player who has not connected yet. */
export interface SeatView {
  name: string;
  bot?: string;
  disconnected?: boolean;
  forfeits_at?: Millis | null;
  player_entropy?: string;
  sees_hidden?: boolean;
  reserved?: boolean;
  disconnected_at?: Millis | null;
}

/** A taken seat in a row of the lobby. */
export interface SeatRow {
  name: string;
  bot?: string;
  disconnected?: boolean;
}

/** What a client may send. */
export type Intent =
  | Play
  | Hello
  | OpenRoom
  | Join
  | Watch
  | QuickMatch
  | MakeOffer
  | AnswerOffer
  | WithdrawOffer
  | StartGame
  | Resign
  | Say
  | SetPhrasesOnly
  | Report
  | RequestSeatTransfer
  | ClaimSeat
  | Leave
  | Resume
  | SubscribeLobby
  | Ping;

/** What the server may send. */
export type Notice =
  | RoomEvents
  | FullRoom
  | Welcome
  | Refused
  | Unchanged
  | Left
  | TransferTicket
  | SpectatorChat
  | SpectatorCount
  | LobbyUpdate
  | Pong;

/** Events of a room of any game. */
export type RoomEvent =
  | SeatTaken
  | SeatLeft
  | GameStarted
  | OptionsChosen
  | HostChanged
  | MoveUndone
  | SidesSwapped
  | OfferMade
  | OfferAnswered
  | OfferEnded
  | Said
  | PhrasesOnlySet
  | Disconnected
  | Reconnected
  | GameOver
  | SecretsRevealed
  | OutageEnded
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
  e: "round_started";
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
export interface GomokuFiveInRow {
  e: "five_in_row";
  cells: readonly number[];
}

export type GomokuEvent =
  | GomokuPlaced
  | GomokuFiveInRow;

/** All that a table is played by; what is beyond the options comes from older clients only. `white` is the seat that begins. `older`: dice are used as the older clients do, nobody claims a draw, and whoever runs out of time loses whatever the other has left. `trusting`: the older clients play by rules of their own, so only turns and squares are checked. */
export interface ChessOptions {
  dice?: ChessDiceMode;
  fog?: boolean;
  mines?: number;
  rerolls?: number;
  white?: Seat;
  older?: boolean;
  trusting?: boolean;
}

/** Move a piece. */
export interface ChessMove {
  do: "move";
  uci: string;
}

/** Let the present die go, where only the king could use it. */
export interface ChessSkip {
  do: "skip";
}

/** Throw all dice again, before the first of them is used. */
export interface ChessReroll {
  do: "reroll";
}

/** Claim the draw that the position offers: threefold repetition or fifty moves. */
export interface ChessClaimDraw {
  do: "claim_draw";
}

/** Ask for the dice, as an older client does; `kinds` is how many the asker thinks can move. */
export interface ChessRoll {
  do: "roll";
  kinds?: number;
}

/** Bring dice of one's own, as an older client does: three letters. */
export interface ChessSetDice {
  do: "set_dice";
  dice: string;
}

/** A game as one viewer sees it. `turn` is the seat to move. `moves` are in order, empty where one was not seen; `sides` has `w` or `b` for each of them if they do not simply alternate. `taken` are the captured and exploded pieces in order, as far as they are known. `claim` is the draw that whoever is to move may claim: `threefold` or `fifty`. In fog `fen` is empty until the game is over. `board` shows 64 squares from a8 to h1: a piece, `.` or `?`. `dests` are the reader's moves as if it were his turn, with spaces between. When the game is over `boards` are what he saw: at the beginning and after each move. */
export interface ChessPosition {
  white: Seat;
  turn: Seat;
  fen: string;
  moves?: readonly string[];
  sides?: string;
  check?: boolean;
  draw_claim?: string;
  taken?: string;
  board?: string;
  dests?: string;
  boards?: readonly string[];
  dice?: ChessCurrentDice | null;
  rolls?: readonly ChessDiceRoll[];
  minefield?: ChessMinefield | null;
}

/** A piece was moved; `fen` is the position now, explosions included. `taken`: what was captured. */
export interface ChessMoved {
  e: "moved";
  seat: Seat;
  uci: string;
  fen: string;
  check?: boolean;
  taken?: string;
  claim?: string;
}

/** A piece was moved in the fog, or sight has changed; `uci` is empty where the reader saw no move. `plies` is how many moves there are now. The rest is as in the view. */
export interface ChessMoveInFog {
  e: "moved_in_fog";
  seat: Seat;
  uci: string;
  plies: number;
  board: string;
  dests: string;
  turn: Seat;
  check?: boolean;
  taken?: string;
  claim?: string;
}

/** Dice were thrown. `picks`: in free play, the places in the list of kinds that could move. */
export interface ChessRolled {
  e: "rolled";
  seat: Seat;
  dice: string;
  again?: boolean;
  picks?: readonly number[];
  brought?: boolean;
}

/** The dice on the table are these now; `fen` is the position if it is another one without a move. */
export interface ChessDiceChanged {
  e: "dice_changed";
  dice: ChessCurrentDice;
  fen?: string;
}

/** A seat could use none of its dice, and its turn went by. */
export interface ChessPassed {
  e: "passed";
  seat: Seat;
}

/** A mine went off; the piece is told to whoever could see it. `left` mines are left. */
export interface ChessExploded {
  e: "exploded";
  square: string;
  left: number;
  piece?: string;
}

/** Somebody landed on a square: so many unexploded mines lie around it. */
export interface ChessLandedOnNumber {
  e: "landed_on_number";
  square: string;
  mines: number;
}

/** A draw was claimed, and is one. */
export interface ChessClaimed {
  e: "draw_claimed";
  seat: Seat;
}

/** How dice are used: not at all, strictly from left to right, or in any order. */
export type ChessDiceMode = "" | "sequential" | "free";

/** The dice on the table. `dice` is empty before a throw, `used` as in `Thrown`. `owner` threw them; `current` is the die to use, -1 if any may be. `free`: whoever is to act makes one move without dice, because he is in check; then the owner goes on with what is `kept`. `movers` are the kinds of pieces that may move now. `skip` and `reroll`: whoever is to act may do it. `rerolls` are what each seat has left. */
export interface ChessCurrentDice {
  owner: Seat;
  dice?: string;
  used?: string;
  current?: number;
  free?: boolean;
  kept?: boolean;
  movers?: string;
  skip?: boolean;
  reroll?: boolean;
  rerolls?: readonly [number, number];
}

/** A throw: after how many moves of the game, whose, what it showed, and what became of each die. `used` has a sign for each die: `.` not yet, `x` used, `-` skipped. `again`: it replaced the one before. */
export interface ChessDiceRoll {
  ply: number;
  seat: Seat;
  dice: string;
  used: string;
  again?: boolean;
}

/** What is known of the mines: how many are left, numbers, blasts; `all` of them when the game is over. */
export interface ChessMinefield {
  left: number;
  numbers?: readonly ChessMineCount[];
  explosions?: readonly ChessExplosion[];
  all?: readonly string[];
}

/** How many unexploded mines lie around a square that somebody has landed on. */
export interface ChessMineCount {
  square: string;
  mines: number;
}

/** A piece that went up: with which move of the game (from 1), where, and the piece if it was seen. */
export interface ChessExplosion {
  ply: number;
  square: string;
  piece: string;
}

export type ChessAnyMove =
  | ChessMove
  | ChessSkip
  | ChessReroll
  | ChessClaimDraw
  | ChessRoll
  | ChessSetDice;

export type ChessEvent =
  | ChessMoved
  | ChessMoveInFog
  | ChessRolled
  | ChessDiceChanged
  | ChessPassed
  | ChessExploded
  | ChessLandedOnNumber
  | ChessClaimed;

/** All that a table is played by. `manual`: older clients throw, deal, draw and go on by command. */
export interface MahjongOptions {
  tiles?: MahjongSize;
  house?: MahjongHouseRules;
  flowers?: MahjongFlowers;
  base?: number;
  unit?: number;
  start?: number;
  rounds?: number;
  hints?: boolean | MahjongAllowedHints;
  manual?: boolean;
}

/** Throw the dice: for the positions, then for the dealer. */
export interface MahjongRoll {
  do: "roll";
}

/** Shuffle and deal. */
export interface MahjongDeal {
  do: "deal";
}

/** Take the next tile of the wall. */
export interface MahjongDraw {
  do: "draw";
}

/** Put a tile down. `ready`: announce a ready hand, where the house has it; it stays as it is then. */
export interface MahjongDiscard {
  do: "discard";
  tile: number;
  ready?: boolean;
}

/** Claim nothing (過). */
export interface MahjongPass {
  do: "pass";
}

/** 吃: make a run of the discard and these two tiles of the hand, the lower one first. */
export interface MahjongChow {
  do: "chow";
  tiles: readonly [number, number];
}

/** 碰: make a pung of the discard and two tiles of the hand. */
export interface MahjongPong {
  do: "pong";
}

/** 槓: of the discard, without `tile`; in an own turn of the tile's kind, concealed or added to a pong. */
export interface MahjongKong {
  do: "kong";
  tile?: number | null;
}

/** 胡: win, on a tile just drawn or on another's. */
export interface MahjongHu {
  do: "hu";
}

/** Go on to the next hand, once one is over. */
export interface MahjongNext {
  do: "next";
}

/** A game as one viewer sees it. Tiles are 0 to 143. Four of a kind follow each other, so that `tile // 4` below 136 is the kind: 0-8 萬, 9-17 筒, 18-26 條, 27-30 東南西北, 31-33 中發白. From 136 on come the flowers 梅蘭竹菊春夏秋冬, kinds 34-41, one of each. While claims are waited for, whoever has answered stays in `to_act`: he may answer anew until all have. Once a hand is over, whoever sends `next` first begins another. `turn` is who draws or discards; while claims are waited for, who put down or showed the `tile` that may be claimed. `place` counts hands from 0 without repeats, `label` is what people call it ("1-1"), `wind` the prevailing one; `streak` is how often the dealer has stayed. `seating`, `choosing` and `opening` are dice: for positions, for the dealer, for this hand. `left` tiles are undrawn, `drawable` of them can be drawn. `voted` have answered. `last` is the last discard and `dropper` whose it was. `commitment` is the SHA-256 of this hand's seed; `seed` (hex) and `wall` are shown when the hand is over, with all hands. */
export interface MahjongPosition {
  stage: MahjongStage;
  turn: Seat;
  dealer: Seat;
  players: readonly [MahjongPlayer, MahjongPlayer, MahjongPlayer, MahjongPlayer];
  place?: number;
  label?: string;
  wind?: number;
  streak?: number;
  seating?: readonly number[];
  choosing?: readonly number[];
  opening?: readonly number[];
  left?: number;
  drawable?: number;
  claim_window?: MahjongClaimWindow;
  tile?: number | null;
  answered?: readonly Seat[];
  last?: number | null;
  discarder?: Seat | null;
  private?: MahjongPrivateView | null;
  result?: MahjongResult | null;
  commitment?: string;
  seed?: string;
  wall?: readonly number[];
}

/** Dice were thrown for the positions, or for the dealer, who is told then. */
export interface MahjongDiceRolled {
  e: "dice_rolled";
  dice: readonly number[];
  dealer?: Seat | null;
}

/** Tiles were dealt, or the next hand may be; `position` replaces the reader's. */
export interface MahjongHandStarted {
  e: "hand_started";
  position: MahjongPosition;
}

/** A seat drew; the tile is told to its owner only. `flowers` were laid open before it. `empty`: nothing was left to draw. `waiting`: the last flower may be robbed before it is replaced. */
export interface MahjongDrew {
  e: "drew";
  seat: Seat;
  tile?: number | null;
  flowers?: readonly number[];
  empty?: boolean;
  waiting?: boolean;
}

/** A seat put a tile down. */
export interface MahjongDiscarded {
  e: "discarded";
  seat: Seat;
  tile: number;
  ready?: boolean;
}

/** A seat has answered a window for claims; what, only itself is told. */
export interface MahjongClaimAnswered {
  e: "claim_answered";
  seat: Seat;
  answer?: MahjongPass | MahjongChow | MahjongPong | MahjongKong | MahjongHu | null;
}

/** A seat has laid a set on the table; `place` is where among its sets, the end or a pong's place. */
export interface MahjongMelded {
  e: "melded";
  seat: Seat;
  place: number;
  meld: MahjongMeld;
}

/** What the table waits for now, as in the view; answers to the last window are forgotten. */
export interface MahjongTurnChanged {
  e: "turn_changed";
  stage: MahjongStage;
  turn: Seat;
  left: number;
  drawable: number;
  claim_window?: MahjongClaimWindow;
  tile?: number | null;
}

/** What only the reader sees is this now. */
export interface MahjongPrivateViewChanged {
  e: "private_view_changed";
  private: MahjongPrivateView;
}

/** A hand ended; `position` replaces the reader's, with its result and nothing hidden. */
export interface MahjongHandEnded {
  e: "hand_ended";
  position: MahjongPosition;
}

/** How many tiles a hand has before a draw. */
export type MahjongSize = 13 | 16;

/** The house rules of a table; `GET /api/mahjong/rules` says what each of them is. */
export interface MahjongHouseRules {
  seven_pairs?: boolean;
  thirteen_orphans?: boolean;
  ligu?: boolean;
  four_as_two_pairs?: boolean;
  dead_wall?: number | null;
  dead_wall_grows?: boolean;
  late_added_kong?: boolean;
  act_after_claim?: boolean;
  last_discard_hu_only?: boolean;
  no_swap_call?: boolean;
  orphans_rob_concealed?: boolean;
  several_winners?: boolean;
  passed_hu?: "until_draw" | "until_change" | "free";
  passed_pong?: boolean;
  seat_winds?: "dealer" | "opening";
  declare_ting?: boolean;
  flower_kong_absorbs?: boolean;
  flower_bloom?: boolean;
  claimed_absorbs_single?: boolean;
  concealed_pungs_add?: boolean;
  small_absorbs?: boolean;
  flowers_win?: boolean;
  great_winds_add?: boolean;
  human_tai?: number;
  heaven_tai?: number;
  four_concealed_tai?: number;
  all_honours_tai?: number;
  every_flower_and_honour?: boolean;
  kong_tai?: boolean;
  no_honours_no_flowers_tai?: number;
  concealed_ready_tai?: number;
  early_ready?: boolean;
  triple_dice_double?: boolean;
  feeder_pays?: boolean;
  cap?: number;
}

/** What becomes of flowers: laid open and replaced, or kept in the hand as dead tiles. */
export type MahjongFlowers = "replace" | "keep";

/** Which hints a table allows, each to everybody about his own hand. `waits`: what it waits for, how many of those are unseen, and their tai. `keeps`: which discards leave it ready. `shanten`: how many tiles it lacks until then. */
export interface MahjongAllowedHints {
  waits?: boolean;
  ready_discards?: boolean;
  shanten?: boolean;
}

/** What the table waits for. `seating` and `choosing` are dice that somebody throws, for positions and for the dealer; `dealing`, `drawing` are asked for too. Only tables of older clients stop there. */
export type MahjongStage = "seating" | "choosing" | "dealing" | "drawing" | "discarding" | "claiming" | "hand_over" | "game_over";

/** What everybody sees of a seat. `count` tiles are in its hand; `tiles` are empty until the hand is over. `wind` is 0 to 3 for East, South, West, North. `ready`: it has announced a ready hand. */
export interface MahjongPlayer {
  wind: number;
  score: number;
  count?: number;
  tiles?: readonly number[];
  melds?: readonly MahjongMeld[];
  flowers?: readonly number[];
  discards?: readonly MahjongDiscardedTile[];
  ready?: boolean;
}

/** What may be claimed: a discard, the tile of a kong that is being made, or another's flower. */
export type MahjongClaimWindow = "" | "kong" | "flower";

/** What only its owner sees: his tiles in order, the one just drawn apart, and what he may do. In a window for claims: `hu`, `pong`, `kong`, and each `chows` by two of his tiles; `vote` is what he has answered. In his own turn: `hu`, `kongs` by one of their tiles, `barred` tiles that may not be discarded now, `readies` tiles with whose discard he may announce a ready hand. `passed`: he has let a win go (過水), and may not win on another's tile yet. */
export interface MahjongPrivateView {
  tiles: readonly number[];
  drawn?: number | null;
  hu?: boolean;
  pong?: boolean;
  kong?: boolean;
  chows?: readonly (readonly [number, number])[];
  kongs?: readonly number[];
  barred?: readonly number[];
  readies?: readonly number[];
  answer?: MahjongPass | MahjongChow | MahjongPong | MahjongKong | MahjongHu | null;
  passed?: boolean;
  hints?: MahjongHints | null;
}

/** How a hand ended; without winners it was drawn (荒莊). `payer` is null when all others pay. `dealer` are 莊家 and 連n拉n, which count between the dealer and whoever wins or pays. */
export interface MahjongResult {
  delta: readonly [number, number, number, number];
  winners?: readonly MahjongWinner[];
  payer?: Seat | null;
  dealer?: readonly MahjongPattern[];
}

/** A set that lies on the table. `tiles` is empty where the reader may not see a concealed kong. `taken` was discarded by `source`; both are null for a concealed kong. */
export interface MahjongMeld {
  form: MahjongForm;
  tiles?: readonly number[];
  taken?: number | null;
  source?: Seat | null;
}

/** A discard; `by` has claimed it, if anybody has. */
export interface MahjongDiscardedTile {
  tile: number;
  by?: Seat | null;
}

/** What the reader's own hand lacks, as far as the table allows to be told. `shanten` is how many tiles until it is ready (0: ready, -1: complete), `waits` are those of a hand that has not drawn, `keeps` the choices of one that has. */
export interface MahjongHints {
  shanten?: number | null;
  waits?: readonly MahjongWait[];
  ready_discards?: readonly MahjongReadyDiscard[];
}

/** Who won: the concealed tiles with the winning one, and what they are worth without the dealer's tai. */
export interface MahjongWinner {
  seat: Seat;
  tai: number;
  patterns: readonly MahjongPattern[];
  hand: readonly number[];
  win: number;
  drawn: boolean;
}

/** A row of the tai table. */
export interface MahjongPattern {
  name: string;
  tai: number;
}

/** 吃, 碰, 明槓, 暗槓, 加槓. */
export type MahjongForm = "chow" | "pong" | "kong" | "ckong" | "akong";

/** A kind that completes the hand: how many are unseen by its owner, its tai claimed and self-drawn. */
export interface MahjongWait {
  kind: number;
  unseen: number;
  tai: number;
  drawn: number;
}

/** A discard, by kind, that leaves the hand ready, and what it then waits for, if waits are told. */
export interface MahjongReadyDiscard {
  kind: number;
  waits: readonly MahjongWait[];
}

export type MahjongMove =
  | MahjongRoll
  | MahjongDeal
  | MahjongDraw
  | MahjongDiscard
  | MahjongPass
  | MahjongChow
  | MahjongPong
  | MahjongKong
  | MahjongHu
  | MahjongNext;

export type MahjongEvent =
  | MahjongDiceRolled
  | MahjongHandStarted
  | MahjongDrew
  | MahjongDiscarded
  | MahjongClaimAnswered
  | MahjongMelded
  | MahjongTurnChanged
  | MahjongPrivateViewChanged
  | MahjongHandEnded;

/** The types of each game. */
export interface Games {
  tictactoe: { options: TictactoeOptions; move: TictactoeMove; position: TictactoePosition; event: TictactoeEvent; };
  gomoku: { options: GomokuOptions; move: GomokuMove; position: GomokuPosition; event: GomokuEvent; };
  chess: { options: ChessOptions; move: ChessAnyMove; position: ChessPosition; event: ChessEvent; };
  mahjong: { options: MahjongOptions; move: MahjongMove; position: MahjongPosition; event: MahjongEvent; };
}

export type GameName = keyof Games;
export type AnyOptions = Games[GameName]["options"];
export type AnyMove = Games[GameName]["move"];
export type AnyPosition = Games[GameName]["position"];
export type AnyEvent = Games[GameName]["event"];
