/** The size of a hand and the options that differ from the default, as short tags; at the table also length and stakes. */

import type { Texts } from "../../i18n/types";
import type { MahjongTexts } from "./texts/types";
import type { MahjongHouseRules, MahjongOptions } from "../../net/protocol";
import { allowedHints, HINTS } from "./allowedHints";

type House = keyof MahjongHouseRules;
type Named = keyof MahjongTexts["tags"]["house"];

/** House rules with a tag, and their defaults. */
const DEFAULTS: Readonly<Record<Named, boolean>> = {
  several_winners: true,
  seven_pairs: true,
  thirteen_orphans: true,
  ligu: true,
  no_swap_call: false,
  declare_ting: false,
};
const NAMED_RULES = Object.keys(DEFAULTS) as Named[];
/** Rules that apply to one hand size only. */
const ONLY_FOR_TILES: Partial<Record<Named, number>> = { seven_pairs: 13, thirteen_orphans: 13, ligu: 16 };

export function optionTags(options: MahjongOptions, { games: { mahjong } }: Texts, atTable = false): readonly string[] {
  const { tiles = 13, rounds = 4, base = 100, unit = 20, house = {}, flowers, hints } = options;
  const text = mahjong.tags;
  const changed = NAMED_RULES.filter((rule) => (house[rule] ?? DEFAULTS[rule]) !== DEFAULTS[rule] && (ONLY_FOR_TILES[rule] ?? tiles) === tiles);
  const others = (Object.keys(house) as House[]).some((rule) => !(rule in DEFAULTS)) || flowers === "keep";
  const off = HINTS.filter((hint) => !allowedHints(hints)[hint]);
  return [
    tiles === 16 ? text.sixteen : text.thirteen,
    ...(atTable || rounds < 4 ? [text.rounds(rounds)] : []),
    ...(atTable ? [text.stakes(base, unit)] : base === 100 && unit === 20 ? [] : [`${base}/${unit}`]),
    ...changed.map((rule) => text.house[rule]),
    ...(others ? [text.others] : []),
    ...(off.length === HINTS.length ? [text.noHints] : off.map((hint) => text.noHint[hint])),
  ];
}
