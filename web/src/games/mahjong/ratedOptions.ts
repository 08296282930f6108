/** The options of a rated table: tiles and length as chosen, no hints, everything else as usual. */

import type { MahjongHouseRules, MahjongOptions } from "../../net/protocol";

/** The usual value of each house rule that the dialog offers. */
const USUAL: MahjongHouseRules = { several_winners: true, seven_pairs: true, thirteen_orphans: true, ligu: true, no_swap_call: false, declare_ting: false };

export function ratedOptions({ tiles = 13, rounds = 4, base = 100, unit = 20, house = {} }: MahjongOptions): MahjongOptions | null {
  const isUsual = base === 100 && unit === 20 && Object.entries(house).every(([rule, value]) => USUAL[rule as keyof MahjongHouseRules] === value);
  return isUsual ? { tiles, rounds, hints: false } : null;
}
