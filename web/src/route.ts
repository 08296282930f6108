/** Where in the page we are: the part of the address after `#`. */

import { signal } from "@preact/signals";
import type { RoomId } from "./wire";

export type Route =
  | { at: "lobby" }
  | { at: "replay" }
  | { at: "game"; room: RoomId; match: number }
  | { at: "table"; room: RoomId }
  | { at: "seat"; ticket: string }
  | { at: "code"; code: string };

/** Read the part after `#`; what is not understood is the lobby. */
export function parse(hash: string): Route {
  const [kind, word, third] = hash.replace(/^#?\/?/, "").split("/");
  const room = word !== undefined && /^[\w-]{1,32}$/.test(word) ? word : null;
  if (kind === "t" && room) return { at: "table", room };
  if (kind === "g" && room && third !== undefined && /^[1-9]\d{0,5}$/.test(third)) return { at: "game", room, match: Number(third) };
  if (kind === "replay" && word === undefined) return { at: "replay" };
  if (kind === "seat" && word && /^[\w.-]{1,400}$/.test(word)) return { at: "seat", ticket: word };
  const code = word === undefined ? "" : tidyCode(word);
  if (kind === "c" && code) return { at: "code", code };
  return { at: "lobby" };
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
    case "game":
      return `#/g/${to.room}/${to.match}`;
    case "lobby":
      return "#/";
  }
}

/** Return a table's code as people type it: capital letters and digits only. */
export function tidyCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 32);
}

/** Return the whole address of a table, for sending to somebody. */
export function shareLink(room: RoomId): string {
  return `${location.origin}${location.pathname}${href({ at: "table", room })}`;
}

/** Return the whole address under which another device takes a seat. */
export function seatLink(ticket: string): string {
  return `${location.origin}${location.pathname}${href({ at: "seat", ticket })}`;
}

/** Tell whether the page was opened at an address that means another machine on every machine. */
export function isLocal(): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

export const route = signal<Route>({ at: "lobby" });

/** Follow the address bar from now on. */
export function followAddress(): void {
  const read = () => (route.value = parse(location.hash));
  addEventListener("hashchange", read);
  read();
}

/** Go somewhere; `replace` leaves no step in the history. */
export function go(to: Route, replace = false): void {
  if (replace) {
    history.replaceState(null, "", href(to));
    route.value = to;
  } else {
    location.hash = href(to);
  }
}
