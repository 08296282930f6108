/** All patterns with their tai, as tables play them unless they choose other house rules. */

import { texts } from "../../../i18n/language";
import examples from "./examples.json";
import "./lesson-table.css";
import { taiNote } from "../scoring/taiNotes";
import { lessonTexts } from "./lessonTexts";

/** The size of the hand by page; patterns of other hands are left out. */
const TILES: Readonly<Record<string, number>> = { sixteen: 16, thirteen: 13 };

export function TaiTable({ page, step }: { page: string; step: string }) {
  const size = TILES[page];
  if (step !== "tai" || size === undefined) return null;
  const { table } = texts.value.games.mahjong;
  const text = lessonTexts.value!;
  const rows = examples.tai.filter(({ tiles = size }: { tiles?: number }) => tiles === size);
  return (
    <section class="mj-tai-table" aria-labelledby="mj-tai-title">
      <h2 id="mj-tai-title">{text.table.allTai}</h2>
      <ul>
        {rows.map(({ name, tai }) => (
          <li key={name}>
            <span>
              {table.pattern(name)} <small>{taiNote(text, name)}</small>
            </span>{" "}
            <b>{name === "連一拉一" ? text.table.perStreak(tai) : table.tai(tai)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
