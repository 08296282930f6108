/** The page's one session: applies notices to the state. */

import { batch, computed, effect, signal } from "@preact/signals";
import { isHarmlessRefusal } from "../games/gameReducers";
import { tableRulesOf } from "../table/tableRules";
import { texts } from "../i18n/language";
import { newNonce, PendingCommands, type Command, type PendingCommand } from "./pendingCommands";
import { go, href, route } from "../app/route";
import { Socket, type ConnectionState, type RawSocket } from "./socket";
import { EMPTY_STATE, withoutTable, reduce, withOutdatedTables, withoutSpectating, type TableState, type State } from "./store";
import { BrowserTabs } from "./browserTabs";
import { onRelationNotice, resetRelations } from "./relationState";
import { ServerTime } from "./serverTime";
import { showToast } from "../app/toastState";
import { nameAt } from "../table/turn";
import { forgetNotices, receiveAnnouncement, receiveSanctions } from "../notices/serverNotices";
import type { Room } from "./roomReducer";
import type { Announcement, Refused, RoomEvents, Intent, Notice, RoomId, FullRoom, TransferTicket, Welcome } from "./protocol";

const TOKEN_KEY = "qipai.token";
export const NAME_KEY = "qipai.name";
const RETRY_AFTER = 2_000;

export const state = signal<State>(EMPTY_STATE);
export const connectionState = signal<ConnectionState>({ is: "connecting" });
export const time = new ServerTime();
export const pendingCommands = new PendingCommands(sessionStorage);
export const isConnected = computed(() => connectionState.value.is === "up");
/** The intent whose answer opens a table: an `open`, a `quick_match`, a `challenge`, a `claim_seat`, or a join by code. */
export const awaitedIntent = signal<Intent | null>(null);
/** Ticket with which another device can take over this seat. */
export const ticket = signal<TransferTicket | null>(null);
/** A refused chat line, to put it back into the input. */
export const refusedChatText = signal<{ room: RoomId; text: string } | null>(null);
/** A table where other programs may receive hidden information: the user must accept that before sitting down. */
export const seesHiddenTable = signal<RoomId | null>(null);
/** The server uses another protocol version than this page. */
export const outdated = signal(false);

let lobbySubscribed = false;

const tabs = new BrowserTabs(new BroadcastChannel("qipai.tables"), isAtTable);

export const connection = new Socket({
  connect: () => {
    const url = new URL("play", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    return new WebSocket(url) as unknown as RawSocket;
  },
  identity: () => {
    const [token, name] = [guestToken(), localStorage.getItem(NAME_KEY) ?? ""];
    return { token, name: name || (token ? "" : newcomerName()) };
  },
  onState: (next) => {
    if (next.is === "connecting") time.forget();
    connectionState.value = next;
  },
  onTrip: (at, sent) => time.learn(at, sent),
  onWelcome: (welcome, fresh) => batch(() => onWelcome(welcome, fresh)),
  onNotice: (notice) => batch(() => onNotice(notice)),
  moment: () => time.moment(),
});

/** Return the token of this browser's guest; empty before the first welcome. */
export function guestToken(): string {
  return localStorage.getItem(TOKEN_KEY) ?? "";
}

/** Forget the guest of this browser and its name. */
export function forgetGuest(): void {
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(NAME_KEY);
}

/** Connect as another person: nothing of the person before is shown or sent. */
export function changePerson(): void {
  for (const { room } of Object.values(state.peek().tables)) pendingCommands.drop(room.id);
  state.value = { ...state.peek(), tables: {}, closed: {}, myRooms: [] };
  connection.reconnect();
}

/** Return a name for a new visitor in the language of the page. */
function newcomerName(): string {
  const names = texts.peek().newcomers;
  const random = (below: number) => Math.floor(Math.random() * below);
  return `${names[random(names.length)]} ${100 + random(900)}`;
}

/** Connect, and stay connected as long as the page is open. */
export function start(): void {
  connection.start();
  addEventListener("online", () => connection.retryNow());
  addEventListener("offline", () => connection.probe());
  addEventListener("pageshow", (event) => event.persisted && connection.probe());
  document.addEventListener("visibilitychange", () => document.hidden || connection.probe());
  let before = route.peek();
  effect(() => {
    const now = route.value;
    // A replay does not leave the table it was opened from.
    if (now.at !== "replay" && now.at !== "game") {
      if (href(now) !== href(before)) onRouteLeft(before.at === "table" ? before.room : null);
      before = now;
    }
    requestForRoute();
  });
}

// Incoming notices

function onWelcome(welcome: Welcome, fresh: boolean): void {
  // An account has no token; that of the guest is kept for the time after signing out.
  if (!welcome.account) localStorage.setItem(TOKEN_KEY, welcome.token);
  applyToState(welcome);
  resetRelations();
  if (!fresh) return;
  forgetNotices();
  lobbySubscribed = false;
  state.value = withoutSpectating(state.value);
  for (const seen of Object.values(state.value.tables)) {
    if (!seen.replaced) connection.send({ type: "resume", room: seen.room.id, version: seen.version });
  }
  requestForRoute();
  for (const room of welcome.rooms) void watchUnheldSeat(room);
  resendPending();
}

/** Hold a seat that no other tab of this browser holds, so that it is not forfeited. */
async function watchUnheldSeat(room: RoomId): Promise<void> {
  const here = route.peek();
  if (isAtTable(room) || (here.at === "table" && here.room === room)) return;
  if ((await tabs.isFree(room)) && !isAtTable(room)) connection.send({ type: "watch", room });
}

function isAtTable(room: RoomId): boolean {
  const seen = state.peek().tables[room];
  return seen !== undefined && !seen.replaced;
}

function onNotice(notice: Notice): void {
  const command = notice.type === "events" || notice.type === "unchanged" ? pendingCommands.settle(notice.nonce) : undefined;
  const before = "room" in notice && typeof notice.room === "string" ? state.value.tables[notice.room] : undefined;
  applyToState(notice);
  if (notice.type === "room") openAwaitedRoom(notice);
  else if (notice.type === "refused") onRefused(notice);
  else if (notice.type === "sanctions") receiveSanctions(notice);
  else if (notice.type === "announcement") onAnnouncement(notice);
  else if (notice.type === "events") announceEvents(notice, command, before);
  else if (notice.type === "ticket") ticket.value = notice;
  else if (notice.type === "unchanged" && command?.type === "report") showToast(texts.value.chatActions.reported);
  else if (notice.type === "left" && notice.reason === "transferred") onSeatTransferred(notice.room);
  else if (notice.type === "left" && notice.reason === "matched" && before) onMatched(before.room);
  else if (notice.type === "challenge" || notice.type === "challenge_ended" || notice.type === "blocked") onRelationNotice(notice);
}

function applyToState(notice: Notice): void {
  const next = reduce(state.value, notice);
  state.value = next.state;
  for (const intent of next.intents) connection.send(intent);
}

/** With a room, it says why an operator closes this table. */
function onAnnouncement(notice: Announcement): void {
  if (!notice.room) receiveAnnouncement(notice);
  else if (notice.text) showToast(texts.value.punctuation.labelled(texts.value.refusals.room_closed, notice.text));
}

function openAwaitedRoom(notice: FullRoom): void {
  const { id, code, game } = notice.room;
  const wanted = awaitedIntent.value;
  if (wanted === null) return;
  const byKey = (wanted.type === "join" || wanted.type === "watch") && (wanted.room === code || wanted.room === id);
  const opened = wanted.type === "challenge" ? wanted.open : wanted;
  const byGame = (opened.type === "open" || opened.type === "quick_match") && opened.game === game;
  const byTicket = wanted.type === "claim_seat" && route.value.at === "seat";
  if (!byKey && !((byGame || byTicket) && notice.you !== null)) return;
  awaitedIntent.value = null;
  const here = route.value;
  go({ at: "table", room: id }, here.at === "code" || here.at === "seat" || (here.at === "table" && !state.value.tables[here.room]));
}

/** The seat moved to another device: watch from here if that is allowed. */
function onSeatTransferred(room: RoomId): void {
  ticket.value = null;
  pendingCommands.drop(room);
  const seen = state.value.tables[room];
  if (seen && tableRulesOf(seen.room.table).spectators) connection.send({ type: "watch", room });
}

/** The server moves the player to another table: show it in place of this one. */
function onMatched({ id, game, options, table: { clock = null } }: Room): void {
  pendingCommands.drop(id);
  const here = route.peek();
  if (here.at !== "table" || here.room !== id) return;
  awaitedIntent.value = { type: "quick_match", game, options, clock, rated: true, rejoin: true };
}

function onRefused(notice: Refused): void {
  const text = texts.value.refusals[notice.code] ?? texts.value.refusals.internal;
  const pending = notice.nonce ? pendingCommands.list.value.find((one) => one.nonce === notice.nonce) : undefined;
  if (notice.code === "version") {
    outdated.value = true;
    connection.stop();
    return;
  }
  if (notice.code === "unavailable" || (notice.code === "rate_limited" && !notice.nonce)) {
    setTimeout(resendPending, RETRY_AFTER);
    showToast(text);
    return;
  }
  pendingCommands.settle(notice.nonce);
  if (pending?.type === "say" && pending.text) refusedChatText.value = { room: pending.room, text: pending.text };
  if (notice.code === "bad_name") localStorage.removeItem(NAME_KEY);
  const wanted = awaitedIntent.value;
  if (wanted !== null && !pending) {
    const full = wanted.type === "join" && (notice.code === "room_full" || notice.code === "seat_taken");
    awaitedIntent.value = full ? { type: "watch", room: wanted.room } : null;
    if (full) connection.send({ type: "watch", room: wanted.room });
    else if (route.value.at === "code") go({ at: "lobby" }, true);
  }
  if (notice.code === "sees_hidden") {
    seesHiddenTable.value = notice.room ?? null;
    return;
  }
  const onPage = route.value.at === "table" && notice.room === route.value.room && state.value.closed[notice.room];
  const quiet = pending?.type === "play" && isHarmlessRefusal(state.value.tables[pending.room]?.room.game ?? "", pending.move, notice.code);
  const shownByPage = route.value.at === "seat" && notice.code === "bad_ticket";
  if (!onPage && !quiet && !shownByPage) showToast(text);
}

function announceEvents(notice: RoomEvents, command: PendingCommand | undefined, before: TableState | undefined): void {
  const seen = state.value.tables[notice.room];
  for (const event of notice.events) {
    if (event.e === "reconnected" && seen?.room.phase === "playing" && event.seat !== seen.you && before?.room.seats[event.seat]?.disconnected) {
      showToast(texts.value.absence.back(nameAt(seen.room, event.seat)));
    }
    if (event.e === "phrases_only_set") showToast(event.on ? texts.value.chatActions.closed : texts.value.chatActions.reopened);
    if (event.e === "outage_ended") showToast(texts.value.connection.restarted);
    if (event.e === "offer_answered" && !event.yes && event.seat !== seen?.you && command === undefined) {
      showToast(texts.value.table.declined(seen ? nameAt(seen.room, event.seat) : ""));
    }
  }
}

// The current route

/** Send the subscriptions that the current route needs. */
function requestForRoute(): void {
  if (!isConnected.peek()) return;
  const here = route.peek();
  const listening = here.at === "lobby" || here.at === "code";
  if (listening !== lobbySubscribed) {
    lobbySubscribed = listening;
    connection.send({ type: "lobby", on: lobbySubscribed, featured: lobbySubscribed });
  }
  if (here.at === "table" && !state.peek().tables[here.room]) connection.send({ type: "watch", room: here.room });
  if (here.at === "code") sendAwaited({ type: "join", room: here.code, player_entropy: playerEntropy() });
}

/** A spectator leaves the table with the page; a player keeps the seat until the game is over. */
function onRouteLeft(room: RoomId | null): void {
  const seen = room === null ? undefined : state.peek().tables[room];
  if (seen === undefined || (seen.you !== null && seen.room.phase !== "over" && !seen.replaced)) return;
  if (!seen.replaced) connection.send({ type: "leave", room: seen.room.id });
  state.value = withoutTable(state.peek(), seen.room.id);
}

/** Fetch the tables of a game again: as long as its module was not loaded, its events changed no position. */
export function reloadTables(game: string): void {
  const ofGame = Object.values(state.peek().tables).filter(({ room, replaced }) => room.game === game && !replaced);
  state.value = withOutdatedTables(state.peek(), ofGame);
  // Without a connection, they are resumed by the next welcome.
  for (const { room } of ofGame) connection.send({ type: "resume", room: room.id, version: 0 });
}

function resendPending(): void {
  if (awaitedIntent.value) connection.send(awaitedIntent.value);
  for (const command of pendingCommands.list.value) connection.send(command);
}

/** Send an intent that opens a table; it is sent again after a reconnect until it is answered. */
export function sendAwaited(intent: Intent): void {
  awaitedIntent.value = intent;
  connection.send(intent);
}

/** Send a command; it is kept until it is answered. */
export function sendCommand(body: Command): void {
  const pending: PendingCommand = { ...body, nonce: newNonce() };
  pendingCommands.add(pending);
  connection.send(pending);
}

/** Player entropy for the match, so that its randomness does not depend on the server alone. */
export function playerEntropy(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
