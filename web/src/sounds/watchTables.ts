/** Watches all tables of this page. What is heard and notified is loaded later, so that it does not delay the first board. */

import { effect } from "@preact/signals";
import { route } from "../app/route";
import { state } from "../net/session";
import type { TableState } from "../net/store";
import { audioOutput } from "../table/tones";

/** Whether the user has touched a table, or was told something. */
let isStarted = false;

const load = () => import("./alerts");

export function watchTables(): void {
  addEventListener("pointerdown", startAtTable);
  addEventListener("keydown", startAtTable);
  let before = state.peek().tables;
  effect(() => {
    const { tables } = state.value;
    for (const now of Object.values(tables)) {
      const old = before[now.room.id];
      if (!old || now.version === old.version || !(audioOutput() || document.hidden)) continue;
      isStarted ||= document.hidden || isFromPeople(now);
      if (isStarted) load().then(({ tell }) => tell(old, now)).catch(() => undefined);
    }
    before = tables;
  });
}

/** The user is about to move: the sound of the move must not be late. */
function startAtTable(): void {
  if (route.peek().at !== "table") return;
  removeEventListener("pointerdown", startAtTable);
  removeEventListener("keydown", startAtTable);
  isStarted = true;
  if (audioOutput()) load().catch(() => undefined);
}

/** Tell whether other people play: the first moves of bots have no sound. */
function isFromPeople({ room, you }: TableState): boolean {
  return room.seats.some((taken, seat) => taken && seat !== you && !taken.bot);
}
