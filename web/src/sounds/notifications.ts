/** Notifications of the browser: one for each table, while the tab is hidden. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { go, href, type Route } from "../app/route";
import { gameName, texts } from "../i18n/language";
import { lazyTexts } from "../i18n/lazyTexts";
import type { SettingsTexts } from "../i18n/types/settings";
import type { RoomId } from "../net/protocol";
import type { Room } from "../net/roomReducer";
import { notifyChallenge, notifyOffer, notifySeat, notifyTurn } from "../settings/soundSettings";
import { nameAt } from "../table/turn";
import type { Alert } from "./tableTones";

const ICON = "/icon-192.png";
const WANTED = { turn: notifyTurn, seat: notifySeat, offer: notifyOffer } as const;

/** Whether the browser shows notifications of this page. */
export type Permission = NotificationPermission | "unsupported";

export const permission = signal<Permission>(currentPermission());

function currentPermission(): Permission {
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}

/** Read the permission again: the user may have changed it in the browser. */
export function updatePermission(): void {
  permission.value = currentPermission();
}

/** Let the browser ask the user; only after a press of a button. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission().catch(() => undefined);
  updatePermission();
}

const shown = new Map<RoomId, Notification>();
let ownTexts: Promise<ReadonlySignal<SettingsTexts>> | undefined;

/** Show a notification about a table, in place of the one before, unless the user does not want it. */
export async function notify(room: Room, alert: Alert): Promise<void> {
  if (currentPermission() !== "granted" || !WANTED[alert.about].peek()) return;
  ownTexts ??= lazyTexts(import.meta.glob<SettingsTexts>(["../i18n/*/settings.ts", "!../i18n/types/*"], { import: "settings" }));
  const title = titleOf(room, alert, (await ownTexts).value);
  // The texts may come when the user is already back.
  if (!document.hidden) return;
  await show(room.id, title, `${gameName(room.game)} ${room.code}`, { at: "table", room: room.id });
}

/** Show a notification of a challenge, unless the user does not want it; the page asks for the answer. */
export async function tellOfChallenge(room: RoomId, title: string, body: string): Promise<void> {
  if (currentPermission() === "granted" && notifyChallenge.peek() && document.hidden) await show(room, title, body);
}

/** Show a notification in place of the one with the same tag; a press leads to the page, and to a route of it. */
async function show(tag: RoomId, title: string, body: string, to?: Route): Promise<void> {
  // The page has its own sounds. `data`: the address to which the service worker goes.
  const options = { tag, body, icon: ICON, silent: true, data: `${location.origin}/${to ? href(to) : location.hash}` };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      notification.close();
      window.focus();
      if (to) go(to);
    };
    shown.set(tag, notification);
  } catch {
    // On Android only the service worker may show one; it also handles the click.
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, options).catch(() => undefined);
  }
}

function titleOf(room: Room, alert: Alert, { notifications }: SettingsTexts): string {
  if (alert.about === "turn") return texts.peek().table.yourTurn;
  const name = nameAt(room, alert.seat);
  return alert.about === "seat" ? notifications.satDown(name) : texts.peek().table.offers[alert.kind].question(name);
}

/** The user is back: close all notifications of this page. */
async function closeAll(): Promise<void> {
  for (const notification of shown.values()) notification.close();
  shown.clear();
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications?.()) ?? []) notification.close();
}

document.addEventListener("visibilitychange", () => document.hidden || void closeAll());
