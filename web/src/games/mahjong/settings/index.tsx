/** What the settings sheet offers for mahjong. */

import { lazyTexts } from "../../../i18n/lazyTexts";
import type { GameSetting } from "../../gameInterface";
import "../styles/tiles.css";
import { TileFace } from "../tiles/TileFaces";
import { cornerOf, DRAGON, EAST } from "../tiles/tiles";
import { hasNumbers, showNumbers, table, TABLES, tiles, TILES } from "./looks";
import "./previews.css";
import type { MahjongSettingsTexts } from "./texts/types";

/** 中, 東 and 一筒. */
const SHOWN = [DRAGON, EAST, 9] as const;

const FILES = import.meta.glob<MahjongSettingsTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/gameSettings/mahjong.ts"], {
  import: "texts",
});

/** Load the texts, and return the settings. */
export async function loadSettings(): Promise<readonly GameSetting[]> {
  const texts = await lazyTexts(FILES);
  return [
    {
      title: () => texts.value.tiles,
      value: tiles,
      options: TILES.map((value) => ({ value, name: () => texts.value.faces[value], Preview: () => <Tiles look={value} /> })),
    },
    { title: () => texts.value.numbers, note: () => texts.value.numbersNote, isOn: hasNumbers, change: showNumbers },
    {
      title: () => texts.value.table,
      value: table,
      options: TABLES.map((value) => ({
        value,
        name: () => texts.value.tables[value],
        Preview: () => <span class="mj-table-preview" data-mahjong-table={value} />,
      })),
    },
  ];
}

/** A few tiles on the chosen table. */
function Tiles({ look }: { look: string }) {
  return (
    <span class={`mj-tiles-preview ${hasNumbers() ? "mj-numbers" : ""}`} data-mahjong-tiles={look}>
      {SHOWN.map((kind) => (
        <span class="mj-tile" key={kind}>
          <svg viewBox="0 0 60 80">
            <TileFace kind={kind} />
            <text class="mj-corner" x="3" y="14">
              {cornerOf(kind)}
            </text>
          </svg>
        </span>
      ))}
    </span>
  );
}
