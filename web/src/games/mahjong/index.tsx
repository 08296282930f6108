/** Mahjong on the table page; the table itself comes later. */

import { useSignal } from "@preact/signals";
import { words } from "../../i18n";
import type { Tone } from "../../sound";
import type { Games, RoomEvent } from "../../wire";
import type { GameParts } from "../game";
import { later } from "../later";
import { Motif } from "./motif";
import { headingOf } from "./names";
import { full, seen } from "./position";
import { announce, statusOf } from "./said";
import { Settings } from "./settings";
import { Badge, Emblem, Score } from "./signs";
import { tags } from "./tags";
// Where things stand is known before the table is here, so that nothing jumps when it comes.
import "./page.css";

const part = later(() => import("./table"));
const Explain = part(({ Explain: Whole }) => Whole, null);

export const mahjong: GameParts<"mahjong"> = {
  Board: part(({ Board }) => Board, <div class="board" />),
  Badge,
  Score,
  Emblem,
  Motif,
  Settings,
  More,
  around: true,
  clocks: [null, { move: 20_000 }],
  hasChance: () => true,
  redraw: () => import("./redraw").then(({ redraw }) => redraw),
  seen,
  drawing: () => import("./drawing").then(({ drawing }) => drawing),
  hides: () => true,
  tags,
  tone,
  tools: [],
  offers: () => [],
  heading: (position, said) => headingOf(full(position), said),
  status: statusOf,
  announce,
};

/** Any hand can be counted, at a table or not. */
function More() {
  const open = useSignal(false);
  return (
    <>
      <button onClick={() => (open.value = true)}>
        {words.value.mahjong.explain}
      </button>
      {open.value && <Explain onClose={() => (open.value = false)} />}
    </>
  );
}

function tone(event: RoomEvent | Games["mahjong"]["event"]): Tone | null {
  switch (event.e) {
    case "discarded":
      return "move";
    case "melded":
      return "capture";
    case "hand_began":
      return "dice";
    case "hand_over":
      return "end";
    default:
      return null;
  }
}
