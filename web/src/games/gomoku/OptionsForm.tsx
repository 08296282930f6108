/** Form for the options of gomoku: opening rule and board size. */

import { texts } from "../../i18n/language";
import type { GomokuOpeningRule, GomokuOptions } from "../../net/protocol";
import type { OptionsFormProps } from "../gameInterface";
import { SIZE } from "./position";

const RULES: readonly GomokuOpeningRule[] = ["free", "swap2", "renju"];
const SIZES = [15, 19] as const;

export function OptionsForm({ options, onChange }: OptionsFormProps<"gomoku">) {
  const text = texts.value.games.gomoku;
  const { rule = "free", size = SIZE } = options;
  const change = (some: GomokuOptions) => {
    const chosen = { rule, size, ...some };
    // Only what differs from the default is stored and sent.
    onChange({ ...(chosen.rule !== "free" && { rule: chosen.rule }), ...(chosen.size === 19 && { size: 19 }) });
  };
  return (
    <>
      <fieldset>
        <legend>{text.opening}</legend>
        <div class="segments">
          {RULES.map((each) => (
            <label class="segment" key={each}>
              <input type="radio" name="rule" checked={rule === each} aria-describedby="gomoku-rule" onChange={() => change({ rule: each })} />
              <span>{text.rules[each]}</span>
            </label>
          ))}
        </div>
        <p class="soft gomoku-rule" id="gomoku-rule">
          {text.ruleNotes[rule]}
        </p>
      </fieldset>
      <fieldset>
        <legend>{text.boardSize}</legend>
        <div class="segments">
          {SIZES.map((each) => (
            <label class="segment" key={each}>
              <input type="radio" name="size" checked={size === each} onChange={() => change({ size: each })} />
              <span>{text.lines(each)}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}
