/** Plays a record at three speeds, with a slider. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../i18n/language";
import { stepByKey, StepButtons } from "./StepButtons";
import "./styles/replay.css";

const SPEEDS = { slow: 2_400, normal: 1_200, fast: 400 } as const;
type Speed = keyof typeof SPEEDS;

interface AutoplayProps {
  step: number;
  total: number;
  onStep: (step: number) => void;
  /** Text of the position; counts moves by default. */
  at?: (step: number, total: number) => string;
  /** Show buttons for single steps here. */
  stepping?: boolean;
}

export function Autoplay({ step, total, onStep, at, stepping = false }: AutoplayProps) {
  const { replay } = texts.value;
  const here = (at ?? replay.at)(step, total);
  const speed = useSignal<Speed>("normal");
  const wanted = useSignal(false);
  const playing = wanted.value && step < total;
  const toggle = () => {
    if (!playing && step >= total) onStep(0);
    wanted.value = !playing;
  };

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => onStep(step + 1), SPEEDS[speed.value]);
    return () => clearTimeout(timer);
  }, [playing, step, speed.value]);

  useEffect(() => {
    if (step >= total) wanted.value = false;
  }, [step, total]);

  const latest = useRef({ step, total, onStep, toggle });
  latest.current = { step, total, onStep, toggle };
  // Before the next paint: a key may be pressed as soon as the page is seen.
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || isInUse(event)) return;
      if (event.key !== " ") return stepByKey(latest.current, event);
      event.preventDefault();
      latest.current.toggle();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);

  return (
    <div class="autoplay">
      <button class="primary autoplay-button" aria-keyshortcuts="Space" onClick={toggle}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={playing ? "M4.5 3v10M11.5 3v10" : "M4.5 3L12 8l-7.5 5z"} />
        </svg>
        {playing ? replay.pause : replay.play}
      </button>
      <select
        aria-label={replay.speed}
        value={speed.value}
        onChange={(event) => (speed.value = event.currentTarget.value as Speed)}
      >
        {(Object.keys(SPEEDS) as Speed[]).map((name) => (
          <option key={name} value={name}>
            {replay[name]}
          </option>
        ))}
      </select>
      <input
        class="autoplay-slider"
        type="range"
        min={0}
        max={total}
        value={step}
        aria-label={replay.slider}
        aria-valuetext={here}
        onInput={(event) => onStep(Number(event.currentTarget.value))}
      />
      <div class="autoplay-foot">
        <output class="soft autoplay-at">{here}</output>
        {stepping && <StepButtons text={replay} step={step} total={total} onStep={onStep} />}
      </div>
    </div>
  );
}

/** Tell whether the focused element uses a key itself: fields use all keys, buttons the space bar. */
function isInUse({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("input, select, textarea") || (key === " " && target.matches("button, a, summary"));
}
