/** How much time each player has: one of the usual clocks, or one's own. */

import type { GameParts } from "../games/game";
import { words } from "../i18n";
import { clockText } from "../listing";
import type { ClockPlan, GameName, Seat } from "../wire";

/** A clock as it is chosen: one of a list, or minutes and seconds of one's own. */
export interface Choice {
  /** Its place in the list; -1 is one's own. */
  place: number;
  minutes: number;
  /** The opponent's, if he gets other ones. */
  other: number | null;
  seconds: number;
}

export const USUAL: Choice = { place: 0, minutes: 10, other: null, seconds: 5 };

const minutes = (main: number, seconds: number): ClockPlan => ({ main: [main * 60_000], increment: seconds * 1000 });
const move = (seconds: number): ClockPlan => ({ move: seconds * 1000 });

/** Nothing for a table without a clock. */
const CLOCKS: readonly (ClockPlan | null)[] = [
  null, minutes(1, 2), minutes(3, 2), minutes(5, 5), minutes(10, 10), move(30), move(60),
];

/** Return the clocks that a game can be played with. */
export function plansOf(parts: GameParts<GameName> | undefined): readonly (ClockPlan | null)[] {
  return parts?.clocks ?? CLOCKS;
}

const MOST_MINUTES = 180;
const MOST_SECONDS = 180;

/** Return the plan that was chosen, for somebody who takes this seat. */
export function planOf(choice: Choice, plans: readonly (ClockPlan | null)[], seat: Seat): ClockPlan | null {
  const { place, minutes, other, seconds } = choice;
  if (place >= 0) return plans[place] ?? null;
  const [mine, theirs] = [minutes * 60_000, (other ?? minutes) * 60_000];
  return { main: mine === theirs ? [mine] : seat === 0 ? [mine, theirs] : [theirs, mine], increment: seconds * 1000 };
}

interface PlanProps {
  plans: readonly (ClockPlan | null)[];
  choice: Choice;
  onChange: (choice: Choice) => void;
  /** Tell whether there are clocks of one's own. */
  own: boolean;
}

export function Plan({ plans, choice, onChange, own }: PlanProps) {
  const { create } = words.value;
  const known = choice.place < plans.length && (own || choice.place >= 0);
  return (
    <>
      <label class="field">
        <span>{create.clock}</span>
        <select
          value={known ? choice.place : 0}
          onChange={(event) => onChange({ ...choice, place: Number(event.currentTarget.value) })}
        >
          {plans.map((plan, place) => (
            <option key={place} value={place}>
              {plan === null ? create.noClock : clockText(plan, words.value)}
            </option>
          ))}
          {own && <option value={-1}>{create.clockOwn}</option>}
        </select>
      </label>
      {own && choice.place < 0 && (
        <div class="fields">
          <Amount
            label={create.minutes}
            value={choice.minutes}
            least={0.5}
            most={MOST_MINUTES}
            onChange={(minutes) => onChange({ ...choice, minutes: minutes ?? USUAL.minutes })}
          />
          <Amount
            label={create.minutesOther}
            value={choice.other}
            hint={choice.minutes}
            least={0.5}
            most={MOST_MINUTES}
            onChange={(other) => onChange({ ...choice, other })}
          />
          <Amount
            label={create.seconds}
            value={choice.seconds}
            least={0}
            most={MOST_SECONDS}
            onChange={(seconds) => onChange({ ...choice, seconds: seconds ?? 0 })}
          />
        </div>
      )}
    </>
  );
}

interface AmountProps {
  label: string;
  value: number | null;
  /** What counts while the field is empty. */
  hint?: number;
  least: number;
  most: number;
  onChange: (value: number | null) => void;
}

function Amount({ label, value, hint, least, most, onChange }: AmountProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={least}
        max={most}
        step={least || 1}
        value={value ?? ""}
        placeholder={hint === undefined ? undefined : String(hint)}
        onChange={({ currentTarget: { value: typed } }) => {
          const amount = Number(typed);
          onChange(typed === "" || Number.isNaN(amount) ? null : Math.min(most, Math.max(least, amount)));
        }}
      />
    </label>
  );
}
