/** Route of the page, from and to the address after `#`; links to tables and seats. */

import { signal } from "@preact/signals";
import type { RoomId } from "../net/protocol";

const OPERATOR_VIEWS = ["reports", "people", "sanctions", "tables", "server", "health", "log"] as const;
export type OperatorView = (typeof OPERATOR_VIEWS)[number];

export type Route =
  | { at: "lobby" }
  | { at: "replay" }
  | { at: "mine" }
  /** `link`: the secret of a link with which a person signs in once. `outcome`: what came of a way to the provider. */
  | { at: "account"; link?: string; outcome?: string }
  | { at: "profile"; name: string }
  /** `category`: empty for the one with most players. */
  | { at: "leaderboards"; category: string }
  | { at: "learn"; game: string; page: string }
  /** `id`: the report, person or table that is shown; empty for none. */
  | { at: "operator"; view: OperatorView; id: string }
  | { at: "nowhere" }
  /** `hand`: starts at this hand, counted from 1, of a game of several. */
  | { at: "game"; room: RoomId; match: number; hand?: number }
  | { at: "table"; room: RoomId }
  | { at: "seat"; ticket: string }
  | { at: "code"; code: string };

/** Longest name in an address. */
const MAX_NAME = 100;

/** Parse the part after `#`; without one it is the lobby. */
export function parseRoute(hash: string): Route {
  const [kind, word, third, fourth] = hash.replace(/^#?\/?/, "").split("/");
  const room = word !== undefined && /^[\w-]{1,32}$/.test(word) ? word : null;
  if (kind === "t" && room) return { at: "table", room };
  if (kind === "g" && room && isNumber(third) && (fourth === undefined || isNumber(fourth))) {
    return { at: "game", room, match: Number(third), ...(fourth !== undefined && { hand: Number(fourth) }) };
  }
  if (kind === "replay" && word === undefined) return { at: "replay" };
  if (kind === "mine" && word === undefined) return { at: "mine" };
  if (kind?.startsWith("@") && word === undefined) return profileRoute(kind.slice(1));
  if (kind === "account" && word === undefined) return { at: "account" };
  if (kind === "account" && word === "link" && third && /^[\w-]{1,100}$/.test(third) && fourth === undefined) return { at: "account", link: third };
  if (kind === "account" && word === "openid" && third && /^[a-z_]{1,40}$/.test(third) && fourth === undefined) return { at: "account", outcome: third };
  if (kind === "operator" && fourth === undefined) return operatorRoute(word || "reports", third ?? "");
  if (kind === "leaderboards" && (room || !word)) return { at: "leaderboards", category: word ?? "" };
  if (kind === "learn" && (room || !word)) return { at: "learn", game: word ?? "", page: third ?? "" };
  if (kind === "seat" && word && /^[\w.-]{1,400}$/.test(word)) return { at: "seat", ticket: word };
  const code = word === undefined ? "" : normalizeCode(word);
  if (kind === "c" && code) return { at: "code", code };
  return kind ? { at: "nowhere" } : { at: "lobby" };
}

function profileRoute(encoded: string): Route {
  try {
    const name = decodeURIComponent(encoded);
    return name && name.length <= MAX_NAME ? { at: "profile", name } : { at: "nowhere" };
  } catch {
    return { at: "nowhere" };
  }
}

function operatorRoute(word: string, id: string): Route {
  const view = OPERATOR_VIEWS.find((each) => each === word);
  return view && /^[\w-]{0,64}$/.test(id) ? { at: "operator", view, id } : { at: "nowhere" };
}

/** Tell whether a part of an address is a number from 1. */
function isNumber(part: string | undefined): boolean {
  return part !== undefined && /^[1-9]\d{0,5}$/.test(part);
}

/** Return the address of a route. */
export function href(to: Route): string {
  switch (to.at) {
    case "table":
      return `#/t/${to.room}`;
    case "seat":
      return `#/seat/${to.ticket}`;
    case "code":
      return `#/c/${to.code}`;
    case "replay":
      return "#/replay";
    case "mine":
      return "#/mine";
    case "account":
      return to.link ? `#/account/link/${to.link}` : to.outcome ? `#/account/openid/${to.outcome}` : "#/account";
    case "profile":
      return `#/@${encodeURIComponent(to.name)}`;
    case "leaderboards":
      return ["#/leaderboards", to.category].filter(Boolean).join("/");
    case "learn":
      return ["#/learn", to.game, to.page].filter(Boolean).join("/");
    case "operator":
      return ["#/operator", to.view, to.id].filter(Boolean).join("/");
    case "nowhere":
      return "#/nowhere";
    case "game":
      return ["#/g", to.room, to.match, to.hand].filter(Boolean).join("/");
    case "lobby":
      return "#/";
  }
}

/** Return a typed table code in its normal form: capital letters and digits only. */
export function normalizeCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 32);
}

/** Return the address of a table, a finished game or a profile to share: the route is in the path, where link previews see it. */
export function shareLink(to: Route & { at: "table" | "game" | "profile" }): string {
  return location.origin + href(to).slice(1);
}

/** Return the full address at which another device takes over a seat; the ticket is secret, so it is not in the path. */
export function seatLink(ticket: string): string {
  return `${location.origin}/${href({ at: "seat", ticket })}`;
}

/** Return the route of a shared link. */
export function sharedRoute(path: string): Route | null {
  const to = parseRoute(path);
  return to.at === "table" || to.at === "game" || to.at === "profile" || to.at === "operator" ? to : null;
}

/** Tell whether the page was opened at a loopback address, which other devices cannot reach. */
export function isLocalAddress(): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** Tell whether the server has a page at this address; it answers any other one with this page too. */
export function isPageAddress(): boolean {
  return location.pathname === "/";
}

export const route = signal<Route>({ at: "lobby" });

/** Keep the route up to date with the address bar; the route of a shared link goes after `#`. */
export function startRouting(): void {
  const shared = sharedRoute(location.pathname);
  if (shared) history.replaceState(null, "", `/${href(shared)}`);
  const read = () => (route.value = isPageAddress() ? parseRoute(location.hash) : { at: "nowhere" });
  addEventListener("hashchange", read);
  read();
}

/** Go to a route; `replace` adds no entry to the history. */
export function go(to: Route, replace = false): void {
  if (replace) {
    history.replaceState(null, "", href(to));
    route.value = to;
  } else {
    location.hash = href(to);
  }
}
