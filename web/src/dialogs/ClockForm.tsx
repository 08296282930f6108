/** Form for the clock of a new table: presets or custom. */

import { texts } from "../i18n/language";
import { clockText } from "../lobby/tableSummary";
import type { ClockPlanView } from "../net/protocol";
import { clockPlanOf, compensatesLag, DEFAULT_CHOICE, mayCompensateLag, type ClockChoice } from "./clockChoice";

const MAX_MINUTES = 180;
const MAX_SECONDS = 180;

interface ClockFormProps {
  plans: readonly (ClockPlanView | null)[];
  choice: ClockChoice;
  onChange: (choice: ClockChoice) => void;
  /** Whether a custom clock is offered. */
  custom: boolean;
}

export function ClockForm({ plans, choice, onChange, custom }: ClockFormProps) {
  const { createTable } = texts.value;
  const known = choice.preset < plans.length && (custom || choice.preset >= 0);
  const plan = clockPlanOf(known ? choice : { ...choice, preset: 0 }, plans, 0);
  return (
    <>
      <label class="field">
        <span>{createTable.clock}</span>
        <select
          value={known ? choice.preset : 0}
          onChange={(event) => onChange({ ...choice, preset: Number(event.currentTarget.value) })}
        >
          {plans.map((plan, index) => (
            <option key={index} value={index}>
              {plan === null ? createTable.noClock : clockText(plan, texts.value)}
            </option>
          ))}
          {custom && <option value={-1}>{createTable.clockCustom}</option>}
        </select>
      </label>
      {custom && choice.preset < 0 && (
        <div class="fields">
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
      {plan !== null && mayCompensateLag(plan) && (
        <label class="choice">
          <input
            type="checkbox"
            checked={compensatesLag(plan)}
            onChange={(event) => onChange({ ...choice, lagCompensation: event.currentTarget.checked })}
          />
          <span>{createTable.lagCompensation}</span>
        </label>
      )}
    </>
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
