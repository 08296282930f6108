/** Lets what happens at the table be heard. */

import { useEffect, useRef } from "preact/hooks";
import type { GameParts } from "../games/game";
import { sound, type Tone } from "../sound";
import type { Seen } from "../store";
import type { GameName } from "../wire";

/** The loudest of what happened at once is heard, and nothing else. */
const LOUDEST: readonly Tone[] = ["end", "boom", "check", "dice", "capture", "move"];

export function Heard({ seen, parts }: { seen: Seen; parts: GameParts<GameName> | undefined }) {
  const before = useRef(seen.last);
  useEffect(() => {
    const { last } = seen;
    if (last === null || last === before.current) return;
    before.current = last;
    const tones = last.events.map((event) => (event.e === "over" ? "end" : (parts?.tone?.(event) ?? null)));
    const tone = LOUDEST.find((one) => tones.includes(one));
    if (tone) sound(tone);
  }, [seen.last]);
  return null;
}
