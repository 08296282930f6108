/** The page's one session: notices in, state out; and everything a person can ask for. */

import { batch, computed, effect, signal } from "@preact/signals";
import { forgives } from "./games/rules";
import { houseOf } from "./house";
import { words } from "./i18n";
import { text } from "./i18n/room";
import { freshNonce, Outbox, type Command, type Pending } from "./outbox";
import { go, href, route } from "./route";
import { Line, type LineState, type Wire } from "./socket";
import { EMPTY, forget, reduce, unwatched, type Seen, type State } from "./store";
import { Tabs } from "./tabs";
import { ServerTime } from "./time";
import { toast } from "./toasts";
import { nameAt } from "./turn";
import type {
  AnyMove, AnyOptions, ClockPlan, Denied, GameName, Happened, Intent,
  Line as Said, Notice, OfferKind, Phrase, RoomId, Seat, Shown, Table, Ticket, Welcome,
} from "./wire";

const TOKEN = "qipai.token";
const NAME = "qipai.name";
const AGAIN_AFTER = 2_000;

export const state = signal<State>(EMPTY);
export const line = signal<LineState>({ is: "connecting" });
export const time = new ServerTime();
export const outbox = new Outbox(sessionStorage);
export const isUp = computed(() => line.value.is === "up");
/** What was asked for and will lead to a table: an `open`, a `match`, or a code. */
export const awaited = signal<Intent | null>(null);
/** With this another device can take our seat. */
export const ticket = signal<Ticket | null>(null);
/** A line that was refused: whoever wrote it gets it back. */
export const unsaid = signal<{ room: RoomId; text: string } | null>(null);
/** The server speaks another version than this page. */
export const outdated = signal(false);

let following = false;

const tabs = new Tabs(new BroadcastChannel("qipai.tables"), isAt);

const connection = new Line({
  connect: () => {
    const url = new URL("play", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    return new WebSocket(url) as unknown as Wire;
  },
  identity: () => ({ token: localStorage.getItem(TOKEN) ?? "", name: localStorage.getItem(NAME) ?? "" }),
  onState: (next) => {
    if (next.is === "connecting") time.forget();
    line.value = next;
  },
  onTrip: (at, sent) => time.learn(at, sent),
  onWelcome: (welcome, fresh) => batch(() => welcomed(welcome, fresh)),
  onNotice: (notice) => batch(() => heard(notice)),
  moment: () => time.moment(),
});

/** Connect, and stay connected as long as the page is open. */
export function start(): void {
  connection.start();
  addEventListener("online", () => connection.hurry());
  addEventListener("offline", () => connection.probe());
  addEventListener("pageshow", (event) => event.persisted && connection.probe());
  document.addEventListener("visibilitychange", () => document.hidden || connection.probe());
  let before = route.peek();
  effect(() => {
    const now = route.value;
    // A record is looked at with the table in mind that it came from.
    if (now.at !== "replay" && now.at !== "game") {
      if (href(now) !== href(before)) departed(before.at === "table" ? before.room : null);
      before = now;
    }
    attend();
  });
}

// What comes in

function welcomed(welcome: Welcome, fresh: boolean): void {
  localStorage.setItem(TOKEN, welcome.token);
  take(welcome);
  if (!fresh) return;
  following = false;
  state.value = unwatched(state.value);
  for (const seen of Object.values(state.value.tables)) {
    if (!seen.replaced) connection.send({ type: "resume", room: seen.room.id, version: seen.version });
  }
  attend();
  for (const room of welcome.rooms) void goOn(room);
  sendAgain();
}

/** Take up a seat that no tab of this browser holds, so that nobody loses it while he looks around. */
async function goOn(room: RoomId): Promise<void> {
  const here = route.peek();
  if (isAt(room) || (here.at === "table" && here.room === room)) return;
  if ((await tabs.isFree(room)) && !isAt(room)) connection.send({ type: "watch", room });
}

function isAt(room: RoomId): boolean {
  const seen = state.peek().tables[room];
  return seen !== undefined && !seen.replaced;
}

function heard(notice: Notice): void {
  const command = notice.type === "events" || notice.type === "done" ? outbox.settle(notice.nonce) : undefined;
  const before = "room" in notice && typeof notice.room === "string" ? state.value.tables[notice.room] : undefined;
  take(notice);
  if (notice.type === "room") arrived(notice);
  else if (notice.type === "refused") denied(notice);
  else if (notice.type === "events") tell(notice, command, before);
  else if (notice.type === "ticket") ticket.value = notice;
  else if (notice.type === "done" && command?.type === "report") toast(text.value.talk.reported);
  else if (notice.type === "left" && notice.reason === "moved") handedOver(notice.room);
}

function take(notice: Notice): void {
  const next = reduce(state.value, notice);
  state.value = next.state;
  for (const intent of next.ask) connection.send(intent);
}

function arrived(notice: Shown): void {
  const { id, code, game } = notice.room;
  const wanted = awaited.value;
  if (wanted === null) return;
  const byKey = (wanted.type === "join" || wanted.type === "watch") && (wanted.room === code || wanted.room === id);
  const byGame = (wanted.type === "open" || wanted.type === "match") && wanted.game === game;
  const byTicket = wanted.type === "take" && route.value.at === "seat";
  if (!byKey && !((byGame || byTicket) && notice.you !== null)) return;
  awaited.value = null;
  go({ at: "table", room: id }, route.value.at === "code" || route.value.at === "seat");
}

/** Our seat went to another device: from here we watch, if we may. */
function handedOver(room: RoomId): void {
  ticket.value = null;
  outbox.drop(room);
  const seen = state.value.tables[room];
  if (seen && houseOf(seen.room.table).watchers) connection.send({ type: "watch", room });
}

function denied(notice: Denied): void {
  const text = words.value.refusals[notice.code] ?? words.value.refusals.internal;
  const pending = notice.nonce ? outbox.list.value.find((one) => one.nonce === notice.nonce) : undefined;
  if (notice.code === "version") {
    outdated.value = true;
    connection.stop();
    return;
  }
  if (notice.code === "unavailable" || (notice.code === "rate_limited" && !notice.nonce)) {
    setTimeout(sendAgain, AGAIN_AFTER);
    toast(text);
    return;
  }
  outbox.settle(notice.nonce);
  if (pending?.type === "say" && pending.text) unsaid.value = { room: pending.room, text: pending.text };
  if (notice.code === "bad_name") localStorage.removeItem(NAME);
  const wanted = awaited.value;
  if (wanted !== null && !pending) {
    const full = wanted.type === "join" && (notice.code === "room_full" || notice.code === "seat_taken");
    awaited.value = full ? { type: "watch", room: wanted.room } : null;
    if (full) connection.send({ type: "watch", room: wanted.room });
    else if (route.value.at === "code") go({ at: "lobby" }, true);
  }
  const onPage = route.value.at === "table" && notice.room === route.value.room && state.value.closed[notice.room];
  const quiet = pending?.type === "play" && forgives(pending.move, notice.code);
  const told = route.value.at === "seat" && notice.code === "ticket";
  if (!onPage && !quiet && !told) toast(text);
}

function tell(notice: Happened, command: Pending | undefined, before: Seen | undefined): void {
  const seen = state.value.tables[notice.room];
  for (const event of notice.events) {
    if (event.e === "back" && seen?.room.phase === "playing" && event.seat !== seen.you && before?.room.chairs[event.seat]?.away) {
      toast(text.value.gone.back(nameAt(seen.room, event.seat)));
    }
    if (event.e === "hushed") toast(event.closed ? text.value.talk.closed : text.value.talk.reopened);
    if (event.e === "resumed") toast(words.value.line.restarted);
    if (event.e === "answered" && !event.yes && event.seat !== seen?.you && command === undefined) {
      toast(words.value.table.declined(seen ? nameAt(seen.room, event.seat) : ""));
    }
  }
}

// Where the reader is

/** Ask for what the present page needs. */
function attend(): void {
  if (!isUp.peek()) return;
  const here = route.peek();
  const listening = here.at === "lobby" || here.at === "code";
  if (listening !== following) {
    following = listening;
    connection.send({ type: "lobby", on: following });
  }
  if (here.at === "table" && !state.peek().tables[here.room]) connection.send({ type: "watch", room: here.room });
  if (here.at === "code") ask({ type: "join", room: here.code, luck: luck() });
}

/** A watcher who goes away leaves; a player keeps the seat until the game is over. */
function departed(room: RoomId | null): void {
  const seen = room === null ? undefined : state.peek().tables[room];
  if (seen === undefined || (seen.you !== null && seen.room.phase !== "over" && !seen.replaced)) return;
  if (!seen.replaced) connection.send({ type: "leave", room: seen.room.id });
  state.value = forget(state.peek(), seen.room.id);
}

function sendAgain(): void {
  if (awaited.value) connection.send(awaited.value);
  for (const command of outbox.list.value) connection.send(command);
}

/** Ask for a table; it is asked again after a cut, until there is an answer. */
function ask(intent: Intent): void {
  awaited.value = intent;
  connection.send(intent);
}

/** Give a command; it is kept until it is answered. */
function command(body: Command): void {
  const pending: Pending = { ...body, nonce: freshNonce() };
  outbox.add(pending);
  connection.send(pending);
}

// What a person can ask for

export const retry = (): void => connection.hurry();

export function rename(name: string): void {
  localStorage.setItem(NAME, name);
  connection.greetAgain();
}

export interface Wish {
  game: GameName;
  bot?: string;
  /** How many seats are the bot's; all, if left out. */
  bots?: number | undefined;
  listed?: boolean;
  clock?: ClockPlan | null;
  title?: string;
  options?: AnyOptions;
  /** Any, if left out. */
  seat?: Seat;
  /** What else is not as usual. */
  house?: Table;
}

export function openTable({ game, bot = "", bots, listed = true, clock = null, title = "", options, seat, house }: Wish): void {
  const table = { ...house, public: listed, clock, title };
  const choice = { ...(options && { options }), ...(seat !== undefined && { seat }), ...(bot && bots && { bots }) };
  ask({ type: "open", game, bot, nonce: freshNonce(), table, luck: luck(), ...choice });
}

export const quickMatch = (game: GameName): void => ask({ type: "match", game, luck: luck() });

export const sit = (room: RoomId): void => void connection.send({ type: "join", room, luck: luck() });

/** Begin the next game, where we are the host. */
export const begin = (room: RoomId): void => void connection.send({ type: "start", room });

/** Come back to a table that another tab has taken over, or that was refused before. */
export const comeBack = (room: RoomId): void => void connection.send({ type: "watch", room });

export function leave(room: RoomId): void {
  outbox.drop(room);
  connection.send({ type: "leave", room });
  state.value = { ...forget(state.value, room), mine: state.value.mine.filter((id) => id !== room) };
  go({ at: "lobby" });
}

export function play(room: RoomId, move: AnyMove): void {
  command({ type: "play", room, move, at_version: state.value.tables[room]?.version ?? 0 });
}

export const offer = (room: RoomId, kind: OfferKind): void => command({ type: "offer", room, kind });

export const answer = (room: RoomId, id: number, yes: boolean): void =>
  command({ type: "answer", room, offer: id, yes });

export const withdraw = (room: RoomId, id: number): void => command({ type: "withdraw", room, offer: id });

export const resign = (room: RoomId): void => command({ type: "resign", room });

export const say = (room: RoomId, text: string): void => command({ type: "say", room, text });

export const sayPhrase = (room: RoomId, phrase: Phrase): void => command({ type: "say", room, phrase });

/** Close the chat for all but phrases, or open it again. */
export const hush = (room: RoomId, closed: boolean): void => command({ type: "hush", room, closed });

/** Bring a line before whoever runs the server. */
export function report(room: RoomId, { at, name, text }: Said): void {
  command({ type: "report", room, text, line: { at, name, text } });
}

/** Ask for a ticket with which another device can take our seat. */
export function handOver(room: RoomId): void {
  ticket.value = null;
  connection.send({ type: "hand", room, nonce: freshNonce() });
}

/** Take a seat with a ticket. */
export const takeSeat = (word: string): void => ask({ type: "take", ticket: word });

/** Bytes of our own for the deal, so that nobody has to trust the server's alone. */
function luck(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
