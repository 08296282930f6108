/** What is not as usual at a table, in a few words each: its rule sheet. */

import type { MahjongWords } from "../../i18n/mahjong/words";
import type { MahjongHouse, MahjongOptions } from "../../wire";
import { allowed, HINTS } from "./hinting";

type House = keyof MahjongHouse;
type Named = keyof MahjongWords["tags"]["house"];

/** House rules that have a name here, with what they usually are. */
const USUAL: Readonly<Record<Named, boolean>> = {
  several_winners: true,
  seven_pairs: true,
  thirteen_orphans: true,
  ligu: true,
  no_swap_call: false,
  declare_ting: false,
};
const NAMED = Object.keys(USUAL) as Named[];
/** Those that matter to hands of one size only. */
const ONLY: Partial<Record<Named, number>> = { seven_pairs: 13, thirteen_orphans: 13, ligu: 16 };

export function tags(options: MahjongOptions, { mahjong }: { mahjong: MahjongWords }): readonly string[] {
  const { tiles = 13, rounds = 4, base = 100, unit = 20, house = {}, flowers, hints } = options;
  const said = mahjong.tags;
  const changed = NAMED.filter((rule) => (house[rule] ?? USUAL[rule]) !== USUAL[rule] && (ONLY[rule] ?? tiles) === tiles);
  const others = (Object.keys(house) as House[]).some((rule) => !(rule in USUAL)) || flowers === "keep";
  const off = HINTS.filter((hint) => !allowed(hints)[hint]);
  return [
    ...(tiles === 16 ? [said.sixteen] : []),
    ...(rounds < 4 ? [said.rounds(rounds)] : []),
    ...(base === 100 && unit === 20 ? [] : [`${base}/${unit}`]),
    ...changed.map((rule) => said.house[rule]),
    ...(others ? [said.others] : []),
    ...(off.length === HINTS.length ? [said.noHints] : off.map((hint) => said.noHint[hint])),
  ];
}
