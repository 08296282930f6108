/** Form for the options of chess: dice, fog, mines. */

import type { ChessDiceMode } from "../../net/protocol";
import { texts } from "../../i18n/language";
import type { OptionsFormProps } from "../gameInterface";

const DEFAULT_MINES = 5;
const MAX_MINES = 20;

export function OptionsForm({ options, onChange }: OptionsFormProps<"chess">) {
  const text = texts.value.games.chess;
  const { dice = "", rerolls = 0, fog = false, mines = 0 } = options;
  const change = (some: OptionsFormProps<"chess">["options"]) => onChange({ dice, rerolls, fog, mines, ...some });
  return (
    <fieldset class="chess-settings">
      <legend>{text.mode}</legend>
      <div class="fields">
        <label class="field field-wide">
          <span class="hidden">{text.modeDice}</span>
          <select
            value={dice}
            onChange={(event) => change({ dice: event.currentTarget.value as ChessDiceMode, rerolls: 0 })}
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
          onChange={(event) => change({ mines: event.currentTarget.checked ? DEFAULT_MINES : 0 })}
        />
        <span>{text.modeMines}</span>
      </label>
      {mines > 0 && (
        <label class="field-line">
          <span>{text.modeMinesCount}</span>
          <input
            type="number"
            min={1}
            max={MAX_MINES}
            value={mines}
            onChange={(event) => {
              const wanted = Math.round(Number(event.currentTarget.value)) || DEFAULT_MINES;
              change({ mines: Math.min(MAX_MINES, Math.max(1, wanted)) });
            }}
          />
        </label>
      )}
    </fieldset>
  );
}
