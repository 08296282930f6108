/** Ways to play gomoku that the lobby offers. */

import type { GomokuOptions } from "../../net/protocol";
import type { Preset } from "../gameInterface";

type PresetName = "free" | "swap2" | "renju" | "large";

const OPTIONS: Record<PresetName, GomokuOptions> = { free: {}, swap2: { rule: "swap2" }, renju: { rule: "renju" }, large: { size: 19 } };
const PATHS: Record<PresetName, string> = {
  free: "M3 17 17 3M6 11a3 3 0 1 1-.01 0M14 3a3 3 0 1 1-.01 0",
  swap2: "M4 8h11l-3-3M16 12H5l3 3",
  renju: "M10 3a7 7 0 1 1-.01 0M5.200 5.200l9.600 9.600",
  large: "M3 3h14v14H3zM7.700 3v14M12.300 3v14M3 7.700h14M3 12.300h14",
};

export const presets: readonly Preset<"gomoku">[] = (Object.keys(OPTIONS) as PresetName[]).map((id) => ({
  id,
  options: OPTIONS[id],
  texts: ({ games: { gomoku } }) => gomoku.presets[id],
  Icon: () => (
    <svg class="preset-icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[id]} />
    </svg>
  ),
}));
