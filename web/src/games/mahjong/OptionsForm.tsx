/** Forms for the options of mahjong: length and stakes, and house rules. */

import { texts } from "../../i18n/language";
import type { MahjongHouseRules } from "../../net/protocol";
import type { OptionsFormProps } from "../gameInterface";
import { allowedHints, HINTS, hintsOption } from "./allowedHints";

const STAKES = [[30, 10], [50, 20], [100, 20], [300, 100], [500, 200]] as const;

export function OptionsForm({ options, onChange }: OptionsFormProps<"mahjong">) {
  const text = texts.value.games.mahjong.options;
  const { tiles = 13, rounds = 4, base = 100, unit = 20 } = options;
  const change = (some: OptionsFormProps<"mahjong">["options"]) => onChange({ ...options, ...some });
  return (
    <>
      <fieldset>
        <legend>{text.tiles}</legend>
        <div class="segments">
          {([13, 16] as const).map((size) => (
            <label class="segment" key={size}>
              <input type="radio" name="tiles" checked={tiles === size} onChange={() => change({ tiles: size })} />
              <span>{size === 13 ? text.thirteen : text.sixteen}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        <label class="field">
          <span>{text.rounds}</span>
          <select value={rounds} onChange={(event) => change({ rounds: Number(event.currentTarget.value) })}>
            {[1, 2, 3, 4].map((count) => (
              <option key={count} value={count}>
                {text.roundsOf(count)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{text.stakes}</span>
          <select
            value={`${base}/${unit}`}
            onChange={(event) => {
              const [low, each] = event.currentTarget.value.split("/").map(Number);
              change({ base: low ?? 100, unit: each ?? 20 });
            }}
          >
            {STAKES.map(([low, each]) => (
              <option key={low} value={`${low}/${each}`}>
                {low}/{each}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

export function MoreOptionsForm({ options, onChange }: OptionsFormProps<"mahjong">) {
  const text = texts.value.games.mahjong.options;
  const { tiles = 13, hints = true, house = {} } = options;
  const rule = (some: MahjongHouseRules) => onChange({ ...options, house: { ...house, ...some } });
  return (
    <>
      <fieldset>
        <legend>{text.house}</legend>
        <RuleCheckbox label={text.several} on={house.several_winners ?? true} onChange={(on) => rule({ several_winners: on })} />
        {tiles === 13 ? (
          <>
            <RuleCheckbox label={text.pairs} on={house.seven_pairs ?? true} onChange={(on) => rule({ seven_pairs: on })} />
            <RuleCheckbox label={text.orphans} on={house.thirteen_orphans ?? true} onChange={(on) => rule({ thirteen_orphans: on })} />
          </>
        ) : (
          <RuleCheckbox label={text.ligu} on={house.ligu ?? true} onChange={(on) => rule({ ligu: on })} />
        )}
        <RuleCheckbox label={text.swap} on={house.no_swap_call ?? false} onChange={(on) => rule({ no_swap_call: on })} />
        <RuleCheckbox label={text.ready} on={house.declare_ting ?? false} onChange={(on) => rule({ declare_ting: on })} />
      </fieldset>
      <fieldset>
        <legend>{text.hints}</legend>
        {HINTS.map((hint) => (
          <RuleCheckbox
            key={hint}
            label={text.hint[hint]}
            on={allowedHints(hints)[hint]}
            onChange={(on) => onChange({ ...options, hints: hintsOption({ ...allowedHints(hints), [hint]: on }) })}
          />
        ))}
      </fieldset>
    </>
  );
}

function RuleCheckbox({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
