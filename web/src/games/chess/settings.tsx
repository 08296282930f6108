/** How chess is to be played at a new table: dice, fog, mines. */

import type { ChessThrowing } from "../../wire";
import { words } from "../../i18n";
import type { SettingsProps } from "../game";

const USUAL_MINES = 5;
const MOST_MINES = 20;

export function Settings({ options, onChange }: SettingsProps<"chess">) {
  const text = words.value.chess;
  const { dice = "", rerolls = 0, fog = false, mines = 0 } = options;
  const change = (some: SettingsProps<"chess">["options"]) => onChange({ dice, rerolls, fog, mines, ...some });
  return (
    <fieldset class="chess-settings">
      <legend>{text.mode}</legend>
      <div class="fields">
        <label class="field field-wide">
          <span class="hidden">{text.modeDice}</span>
          <select
            value={dice}
            onChange={(event) => change({ dice: event.currentTarget.value as ChessThrowing, rerolls: 0 })}
          >
            <option value="">{text.modeDiceNone}</option>
            <option value="sequential">{text.modeDiceSequential}</option>
            <option value="free">{text.modeDiceFree}</option>
          </select>
        </label>
        {dice && (
          <label class="field-line">
            <span>{text.modeRerolls}</span>
            <select value={rerolls} onChange={(event) => change({ rerolls: Number(event.currentTarget.value) })}>
              {[0, 1, 2, 3].map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <label class="choice">
        <input type="checkbox" checked={fog} onChange={(event) => change({ fog: event.currentTarget.checked })} />
        <span>{text.modeFog}</span>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={mines > 0}
          onChange={(event) => change({ mines: event.currentTarget.checked ? USUAL_MINES : 0 })}
        />
        <span>{text.modeMines}</span>
      </label>
      {mines > 0 && (
        <label class="field-line">
          <span>{text.modeMinesCount}</span>
          <input
            type="number"
            min={1}
            max={MOST_MINES}
            value={mines}
            onChange={(event) => {
              const wanted = Math.round(Number(event.currentTarget.value)) || USUAL_MINES;
              change({ mines: Math.min(MOST_MINES, Math.max(1, wanted)) });
            }}
          />
        </label>
      )}
    </fieldset>
  );
}
