/** What the settings sheet offers for mahjong. */

import { lazyTexts } from "../../../i18n/lazyTexts";
import type { GameSetting } from "../../gameInterface";
import { Dragon, Tile, Wind } from "../LobbyPicture";
import "../styles/colours.css";
import { hasNumbers, showNumbers, table, TABLES, tiles, TILES } from "./looks";
import "./previews.css";
import type { MahjongSettingsTexts } from "./texts/types";

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
    <svg class="mj-tiles-preview" data-mahjong-tiles={look} viewBox="2 0 138 73">
      <Tile x={6} y={2}>
        <Dragon />
      </Tile>
      <Tile x={51} y={2}>
        <Wind />
      </Tile>
      <Tile x={96} y={2}>
        <circle class="mj-preview-ring" cx="20" cy="33" r="13" />
        <circle class="lobby-picture-dot" cx="20" cy="33" r="5" />
      </Tile>
    </svg>
  );
}
