/** What operators tell this person: the announcement for everybody, and sanctions with their reasons. */

import { computed, signal } from "@preact/signals";
import type { Announcement, Sanctions, SanctionView } from "../net/protocol";

const KEY = "qipai.dismissedNotices";
/** Dismissed notices that are remembered. */
const REMEMBERED = 30;

/** The announcement that is in force; null for none. */
export const announcement = signal<Announcement | null>(null);
/** The sanctions in force for this person or this address. */
export const sanctions = signal<readonly SanctionView[]>([]);
/** The ban because of which the server has closed the connection. */
export const ban = signal<SanctionView | null>(null);
const dismissed = signal<readonly string[]>(readDismissed());

const announcementKey = ({ text, ends }: Announcement): string => `${text}/${ends ?? ""}`;
const sanctionKey = ({ id, ends }: SanctionView): string => `#${id}/${ends ?? ""}`;

/** The announcement, unless it was dismissed in this browser. */
export const shownAnnouncement = computed(() => {
  const found = announcement.value;
  return found !== null && !dismissed.value.includes(announcementKey(found)) ? found : null;
});

/** The sanctions that were not dismissed in this browser. */
export const shownSanctions = computed(() => sanctions.value.filter((each) => !dismissed.value.includes(sanctionKey(each))));

/** Forget what another connection was told: what is in force follows the welcome. */
export function forgetNotices(): void {
  announcement.value = null;
  sanctions.value = [];
  ban.value = null;
}

/** Note what is in force now. */
export function receiveSanctions(notice: Sanctions): void {
  sanctions.value = notice.sanctions;
  ban.value = notice.sanctions.find(({ kind }) => kind === "ban") ?? null;
}

/** Note the announcement for everybody; an empty text ends it. */
export function receiveAnnouncement(notice: Announcement): void {
  announcement.value = notice.text ? notice : null;
}

export const dismissAnnouncement = (notice: Announcement): void => dismiss(announcementKey(notice));
export const dismissSanction = (sanction: SanctionView): void => dismiss(sanctionKey(sanction));

function dismiss(key: string): void {
  dismissed.value = [...dismissed.value.filter((one) => one !== key), key].slice(-REMEMBERED);
  localStorage.setItem(KEY, JSON.stringify(dismissed.value));
}

function readDismissed(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
