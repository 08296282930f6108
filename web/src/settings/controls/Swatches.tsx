/** A choice between things to look at, each with a preview. */

import type { Signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useId } from "preact/hooks";

interface SwatchesProps {
  label: string;
  value: Signal<string>;
  options: readonly { value: string; label: string; Preview: FunctionComponent }[];
}

export function Swatches({ label, value, options }: SwatchesProps) {
  const name = useId();
  return (
    <div class="swatches" role="radiogroup" aria-label={label} style={{ "--columns": options.length }}>
      {options.map(({ value: option, label: text, Preview }) => (
        <label class="swatch" key={option}>
          <input type="radio" name={name} checked={value.value === option} onChange={() => (value.value = option)} />
          <span class="swatch-picture" aria-hidden="true">
            <Preview />
          </span>
          <span class="swatch-name">{text}</span>
        </label>
      ))}
    </div>
  );
}
