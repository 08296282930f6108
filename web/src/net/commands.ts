/** Everything a player can send: open, join, play, offer, chat, resign. */

import { go } from "../app/route";
import { newNonce } from "./pendingCommands";
import type { AnyMove, AnyOptions, ClockPlanView, ChatLineView, OfferKind, Phrase, RoomId, Seat, TableRulesView } from "./protocol";
import { openChallenges, withoutChallenge } from "./relationState";
import { connection, NAME_KEY, pendingCommands, playerEntropy, sendAwaited, sendCommand, state, ticket } from "./session";
import { withoutTable } from "./store";

export const retry = (): void => connection.retryNow();

export function rename(name: string): void {
  localStorage.setItem(NAME_KEY, name);
  connection.sendHelloAgain();
}

export interface NewTable {
  game: string;
  bot?: string;
  /** Number of seats for the bot; all by default. */
  bots?: number | undefined;
  listed?: boolean;
  clock?: ClockPlanView | null;
  title?: string;
  options?: AnyOptions;
  /** Any seat by default. */
  seat?: Seat;
  /** Table rules that differ from the default. */
  rules?: TableRulesView;
  /** Name of a player who is challenged to it. */
  challenged?: string | undefined;
}

export function openTable({ game, bot = "", bots, listed = true, clock = null, title = "", options, seat, rules, challenged }: NewTable): void {
  const table = { ...rules, public: listed, clock, title };
  const choice = { ...(options && { options }), ...(seat !== undefined && { seat }), ...(bot && bots && { bots }) };
  const open = { type: "open", game, bot, nonce: newNonce(), table, player_entropy: playerEntropy(), ...choice } as const;
  sendAwaited(challenged ? { type: "challenge", name: challenged, open } : open);
}

/** Play anyone who wants the same options and clock, or wait. */
export function quickMatch(game: string, options?: AnyOptions, clock: ClockPlanView | null = null, rated = false): void {
  const choice = { ...(options && { options }), ...(clock && { clock }), ...(rated && { rated }) };
  sendAwaited({ type: "quick_match", game, player_entropy: playerEntropy(), ...choice });
}

export const joinTable = (room: RoomId): void => void connection.send({ type: "join", room, player_entropy: playerEntropy() });

/** Accept a challenge: sit down at its table and go there. */
export const acceptChallenge = (room: RoomId): void => sendAwaited({ type: "join", room, player_entropy: playerEntropy() });

export function declineChallenge(room: RoomId): void {
  connection.send({ type: "decline_challenge", room });
  openChallenges.value = withoutChallenge(openChallenges.value, room);
}

/** Take a seat where other programs may receive hidden information. */
export const joinAnyway = (room: RoomId): void => sendAwaited({ type: "join", room, player_entropy: playerEntropy(), accept_sees_hidden: true });

/** Start the next game as the host. */
export const startGame = (room: RoomId): void => void connection.send({ type: "start", room });

/** Rejoin a table that another tab has taken over, or that was refused before. */
export const rejoin = (room: RoomId): void => void connection.send({ type: "watch", room });

/** Give up a seat at a table that the page does not show. */
export function stopWaiting(room: RoomId): void {
  pendingCommands.drop(room);
  connection.send({ type: "leave", room });
  state.value = { ...withoutTable(state.value, room), myRooms: state.value.myRooms.filter((id) => id !== room) };
}

export function leave(room: RoomId): void {
  stopWaiting(room);
  go({ at: "lobby" });
}

export function play(room: RoomId, move: AnyMove): void {
  sendCommand({ type: "play", room, move, at_version: state.value.tables[room]?.version ?? 0 });
}

export const offer = (room: RoomId, kind: OfferKind): void => sendCommand({ type: "offer", room, kind });

export const answer = (room: RoomId, id: number, yes: boolean): void =>
  sendCommand({ type: "answer", room, offer: id, yes });

export const withdraw = (room: RoomId, id: number): void => sendCommand({ type: "withdraw", room, offer: id });

export const resign = (room: RoomId): void => sendCommand({ type: "resign", room });

export const say = (room: RoomId, text: string): void => sendCommand({ type: "say", room, text });

export const sayPhrase = (room: RoomId, phrase: Phrase): void => sendCommand({ type: "say", room, phrase });

/** Restrict the chat to phrases, or lift that. */
export const setPhrasesOnly = (room: RoomId, on: boolean): void => sendCommand({ type: "phrases_only", room, on });

/** Report a chat line to the server operator. */
export function report(room: RoomId, { at, name, text }: ChatLineView): void {
  sendCommand({ type: "report", room, text, line: { at, name, text } });
}

/** Request a ticket with which another device can take over this seat. */
export function requestSeatTransfer(room: RoomId): void {
  ticket.value = null;
  connection.send({ type: "transfer_seat", room, nonce: newNonce() });
}

/** Take over a seat with a ticket. */
export const claimSeat = (word: string): void => sendAwaited({ type: "claim_seat", ticket: word });
