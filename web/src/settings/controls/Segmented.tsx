/** A row of a few named options, one of which is chosen. */

import type { ReadonlySignal, Signal } from "@preact/signals";
import { useId } from "preact/hooks";

interface SegmentedProps<T extends string> {
  label: string;
  value: Signal<T> | ReadonlySignal<T>;
  options: readonly { value: T; label: string; lang?: string }[];
  /** What a choice does, if more than setting the value. */
  onChange?: (value: T) => void;
}

export function Segmented<T extends string>({ label, value, options, onChange = (chosen) => ((value as Signal<T>).value = chosen) }: SegmentedProps<T>) {
  const name = useId();
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label class="segmented-option" key={option.value} lang={option.lang}>
          <input type="radio" name={name} checked={value.value === option.value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
