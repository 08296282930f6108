/** A slider for a value between 0 and 100. */

import type { ComponentChildren } from "preact";

interface SliderProps {
  label: string;
  /** Shown before the slider, for example an icon. */
  children?: ComponentChildren;
  /** In percent. */
  value: number;
  step?: number;
  /** Called while the slider is moved. */
  onInput: (value: number) => void;
  /** Called once when it is released. */
  onChange?: (value: number) => void;
  disabled?: boolean;
}

export function Slider({ label, children, value, step = 5, onInput, onChange, disabled = false }: SliderProps) {
  return (
    <label class="slider">
      {children}
      <input
        type="range"
        min="0"
        max="100"
        step={step}
        value={value}
        aria-label={label}
        aria-valuetext={`${value} %`}
        disabled={disabled}
        style={{ "--share": `${value}%` }}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        onChange={(event) => onChange?.(event.currentTarget.valueAsNumber)}
      />
      <span class="slider-value" aria-hidden="true">
        {value} %
      </span>
    </label>
  );
}
