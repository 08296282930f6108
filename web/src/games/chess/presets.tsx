/** Ways to play chess that the lobby offers. */

import type { ChessOptions, ClockPlanView } from "../../net/protocol";
import type { Preset } from "../gameInterface";

type PresetName = "plain" | "dice" | "fog" | "mines";

const OPTIONS: Record<PresetName, ChessOptions> = { plain: {}, dice: { dice: "free" }, fog: { fog: true }, mines: { mines: 5 } };
const PATHS: Record<PresetName, string> = {
  plain: "M6 16.5h8M7 14.2c0-3 2.6-3.6 3-6.200-.9.3-1.500 1.300-2.800 1.300-1.200 0-1.900-.9-1.600-2 .3-1 1.400-2 1.900-3.800l.2-1.900 1.600 1.300c3.400.4 5.700 3.400 5.700 7.700 0 1.300-.2 2.500-.5 3.600z",
  dice: "M5.500 3h9A2.500 2.500 0 0 1 17 5.500v9a2.500 2.500 0 0 1-2.500 2.500h-9A2.500 2.500 0 0 1 3 14.500v-9A2.500 2.500 0 0 1 5.500 3zM7 7h.01M13 7h.01M10 10h.01M7 13h.01M13 13h.01",
  fog: "M5.500 11.500a3 3 0 0 1 .3-6 4.500 4.500 0 0 1 8.600 1.200 2.500 2.500 0 0 1 .1 4.800zM4 14.500h9M7 17h9",
  mines: "M10 5.500a4.500 4.500 0 1 1-.01 0M10 2.500v3M10 14.500v3M2.500 10h3M14.500 10h3M4.700 4.700l2.100 2.100M13.200 13.200l2.100 2.100M15.300 4.700l-2.100 2.100M6.800 13.200l-2.100 2.100",
};

/** Tell whether each twist is as the lobby offers it, also several together. */
export const isUsual = ({ dice = "", mines = 0, rerolls = 0 }: ChessOptions): boolean =>
  (!dice || dice === OPTIONS.dice.dice) && (!mines || mines === OPTIONS.mines.mines) && !rerolls;

const MINUTE = 60_000;
/** The estimated time of a player from which on the next speed begins, in minutes. */
const SPEEDS = [["bullet", 3], ["blitz", 8], ["rapid", 25], ["classical", Infinity]] as const;

export function twistOf({ dice, fog, mines }: ChessOptions): string {
  const twists = [dice ? "dice" : "", fog ? "fog" : "", mines ? "mines" : ""].filter(Boolean);
  return twists.length > 1 ? "mixed" : (twists[0] ?? "plain");
}

/** Without a twist it is the speed: the time of a player who makes forty moves. */
export function ratingCategory(options: ChessOptions, { main = [], increment = 0, move = 0 }: ClockPlanView): string {
  const twist = twistOf(options);
  const time = main[0] ? main[0] + 40 * increment : 40 * move;
  return `chess-${twist === "plain" ? SPEEDS.find(([, end]) => time < end * MINUTE)![0] : twist}`;
}

export const presets: readonly Preset<"chess">[] = (Object.keys(OPTIONS) as PresetName[]).map((id) => ({
  id,
  options: OPTIONS[id],
  texts: ({ games: { chess } }) => chess.presets[id],
  Icon: () => (
    <svg class="preset-icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[id]} />
    </svg>
  ),
}));
