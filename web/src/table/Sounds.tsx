/** Plays a sound for events of the table. */

import { useEffect, useRef } from "preact/hooks";
import type { GameParts } from "../games/gameInterface";
import { playTone, type Tone } from "./tones";
import type { TableState } from "../net/store";
import type { GameName } from "../net/protocol";

/** Of several events at once, only the first in this list is played. */
const PRIORITY: readonly Tone[] = ["win", "end", "boom", "check", "dice", "kong", "pong", "chow", "capture", "move"];

export function Sounds({ seen, parts }: { seen: TableState; parts: GameParts<GameName> | undefined }) {
  const before = useRef(seen.last);
  useEffect(() => {
    const { last } = seen;
    if (last === null || last === before.current) return;
    before.current = last;
    const tones = last.events.map((event) => (event.e === "game_over" ? "end" : (parts?.tone?.(event) ?? null)));
    const tone = PRIORITY.find((one) => tones.includes(one));
    if (tone) playTone(tone);
  }, [seen.last]);
  return null;
}
