/** Clock of a new table: presets as chips, or custom times. */

import { texts } from "../../i18n/language";
import { clockText, shortClockText } from "../../lobby/tableSummary";
import type { ClockPlanView } from "../../net/protocol";
import { DEFAULT_CHOICE, type ClockChoice } from "../clockChoice";

const MAX_MINUTES = 180;
const MAX_SECONDS = 180;

interface ClockFieldProps {
  plans: readonly (ClockPlanView | null)[];
  choice: ClockChoice;
  onChange: (choice: ClockChoice) => void;
  /** Whether a custom clock is offered. */
  custom: boolean;
}

export function ClockField({ plans, choice, onChange, custom }: ClockFieldProps) {
  const { createTable } = texts.value;
  const known = choice.preset < plans.length && (custom || choice.preset >= 0);
  const chosen = known ? choice.preset : 0;
  const chips = plans.map((plan, preset) => ({
    preset,
    label: plan ? shortClockText(plan, texts.value) : createTable.noClock,
    meaning: plan ? clockText(plan, texts.value) : createTable.noClock,
  }));
  if (custom) chips.push({ preset: -1, label: createTable.clockCustom, meaning: createTable.clockCustom });
  return (
    <fieldset>
      <legend>{plans.some((plan) => plan?.main) ? createTable.clockOfMinutes : createTable.clock}</legend>
      <div class="create-clocks">
        {chips.map(({ preset, label, meaning }) => (
          <label class="create-choice create-clock" key={preset}>
            <input type="radio" name="clock" aria-label={meaning} checked={preset === chosen} onChange={() => onChange({ ...choice, preset })} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {custom && choice.preset < 0 && (
        <div class="fields create-times">
          <NumberField
            label={createTable.minutes}
            value={choice.minutes}
            min={0.5}
            max={MAX_MINUTES}
            onChange={(minutes) => onChange({ ...choice, minutes: minutes ?? DEFAULT_CHOICE.minutes })}
          />
          <NumberField
            label={createTable.minutesOther}
            value={choice.other}
            hint={choice.minutes}
            min={0.5}
            max={MAX_MINUTES}
            onChange={(other) => onChange({ ...choice, other })}
          />
          <NumberField
            label={createTable.seconds}
            value={choice.seconds}
            min={0}
            max={MAX_SECONDS}
            onChange={(seconds) => onChange({ ...choice, seconds: seconds ?? 0 })}
          />
        </div>
      )}
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | null;
  /** Value that applies while the field is empty. */
  hint?: number;
  min: number;
  max: number;
  onChange: (value: number | null) => void;
}

function NumberField({ label, value, hint, min, max, onChange }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={min}
        max={max}
        step={min || 1}
        value={value ?? ""}
        placeholder={hint === undefined ? undefined : String(hint)}
        onChange={({ currentTarget: { value: typed } }) => {
          const amount = Number(typed);
          onChange(typed === "" || Number.isNaN(amount) ? null : Math.min(max, Math.max(min, amount)));
        }}
      />
    </label>
  );
}
