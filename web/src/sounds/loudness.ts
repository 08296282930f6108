/** How loud a sound is now: 0 is silent, 1 is the level of its file. */

import { backgroundSounds, volume, volumes } from "../settings/soundSettings";
import type { Sound } from "./soundFiles";

/** Return the gain of a sound. Loudness is heard roughly as the root of the gain, so half the volume is a quarter of it. */
export function gainOf({ kind, inBackground }: Pick<Sound, "kind" | "inBackground">, hidden: boolean): number {
  if (hidden && !(backgroundSounds.value === "all" || (backgroundSounds.value === "turn" && inBackground))) return 0;
  return ((volume.value / 100) * (volumes[kind].value / 100)) ** 2;
}
