/** Form for the clock of a new table: presets or custom. */

import type { GameParts } from "../games/gameInterface";
import { texts } from "../i18n/language";
import { clockText } from "../lobby/tableSummary";
import type { ClockPlanView, GameName, Seat } from "../net/protocol";

/** Choice of a clock: a preset or custom minutes and seconds. */
export interface ClockChoice {
  /** Index of the preset; -1: custom. */
  preset: number;
  minutes: number;
  /** Minutes of the opponent, if they differ. */
  other: number | null;
  seconds: number;
  /** Whether lag is compensated; absent: as the server does by default. */
  lagCompensation?: boolean;
}

export const DEFAULT_CHOICE: ClockChoice = { preset: 0, minutes: 10, other: null, seconds: 5 };

const minutesPlan = (main: number, seconds: number): ClockPlanView => ({ main: [main * 60_000], increment: seconds * 1000 });
const perMovePlan = (seconds: number): ClockPlanView => ({ move: seconds * 1000 });

/** Null: no clock. */
const DEFAULT_PRESETS: readonly (ClockPlanView | null)[] = [
  null, minutesPlan(1, 2), minutesPlan(3, 2), minutesPlan(5, 5), minutesPlan(10, 10), perMovePlan(30), perMovePlan(60),
];

/** Return the clock presets of a game. */
export function clockPresets(parts: GameParts<GameName> | undefined): readonly (ClockPlanView | null)[] {
  return parts?.clockPresets ?? DEFAULT_PRESETS;
}

const MAX_MINUTES = 180;
const MAX_SECONDS = 180;

/** Return the chosen clock plan for a player in this seat. */
export function clockPlanOf(choice: ClockChoice, plans: readonly (ClockPlanView | null)[], seat: Seat): ClockPlanView | null {
  const plan = timesOf(choice, plans, seat);
  const chosen = choice.lagCompensation;
  return plan === null || chosen === undefined || !mayCompensateLag(plan) ? plan : { ...plan, lag_compensation: chosen };
}

function timesOf({ preset, minutes, other, seconds }: ClockChoice, plans: readonly (ClockPlanView | null)[], seat: Seat): ClockPlanView | null {
  if (preset >= 0) return plans[preset] ?? null;
  const [mine, theirs] = [minutes * 60_000, (other ?? minutes) * 60_000];
  return { main: mine === theirs ? [mine] : seat === 0 ? [mine, theirs] : [theirs, mine], increment: seconds * 1000 };
}

const SHORT_CLOCK = 10 * 60_000;
const mayCompensateLag = ({ main = [] }: ClockPlanView): boolean => main.some((budget) => budget > 0);

/** Tell whether the server compensates lag with this plan. */
export function compensatesLag(plan: ClockPlanView): boolean {
  return plan.lag_compensation ?? (mayCompensateLag(plan) && (plan.main ?? []).every((budget) => budget < SHORT_CLOCK));
}

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
