/** Rows of tiles that explain suits, sets and a whole hand. */

import type { Texts } from "../../../i18n/types";
import { Kind } from "../lazyParts";
import examples from "./examples.json";
import { lessonTexts } from "./lessonTexts";

export function ExampleTiles({ what, texts }: { what: "tiles" | "sets"; texts: Texts }) {
  const text = lessonTexts.value!.examples;
  const names = (kinds: readonly number[]) => kinds.map((kind) => texts.games.mahjong.tiles[kind]).join(texts.games.mahjong.comma);
  const rows = what === "tiles" ? examples.suits.map((kinds, number) => [text.suits[number]!, [kinds]] as const) : [
    ...examples.sets.map((kinds, number) => [text.sets[number]!, [kinds]] as const),
    [text.hand, examples.hand] as const,
  ];
  return (
    <dl class="mj-lesson-felt mj-examples">
      {rows.map(([label, groups]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {groups.map((kinds, group) => (
              <span key={group} class="mj-set" role="img" aria-label={names(kinds)}>
                {kinds.map((kind, number) => (
                  <Kind key={number} kind={kind} />
                ))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
