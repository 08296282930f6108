/** Plays a record by itself, in three speeds, or goes where its slider is pulled. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";
import { follow, Steps } from "./steps";

const SPEEDS = { slow: 2_400, normal: 1_200, fast: 400 } as const;
type Speed = keyof typeof SPEEDS;

interface AutoplayProps {
  step: number;
  total: number;
  onTurn: (step: number) => void;
  /** What is counted; without it moves. */
  at?: (step: number, total: number) => string;
  /** There are no buttons for single steps elsewhere. */
  stepping?: boolean;
}

export function Autoplay({ step, total, onTurn, at, stepping = false }: AutoplayProps) {
  const { replay } = words.value;
  const here = (at ?? replay.at)(step, total);
  const speed = useSignal<Speed>("normal");
  const wanted = useSignal(false);
  const playing = wanted.value && step < total;
  const toggle = () => {
    if (!playing && step >= total) onTurn(0);
    wanted.value = !playing;
  };

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => onTurn(step + 1), SPEEDS[speed.value]);
    return () => clearTimeout(timer);
  }, [playing, step, speed.value]);

  useEffect(() => {
    if (step >= total) wanted.value = false;
  }, [step, total]);

  const latest = useRef({ step, total, onTurn, toggle });
  latest.current = { step, total, onTurn, toggle };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || isUsed(event)) return;
      if (event.key !== " ") return follow(latest.current, event);
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
        onInput={(event) => onTurn(Number(event.currentTarget.value))}
      />
      <div class="autoplay-foot">
        <output class="soft autoplay-at">{here}</output>
        {stepping && <Steps text={replay} step={step} total={total} onTurn={onTurn} />}
      </div>
    </div>
  );
}

/** Tell whether a key means something to whatever has the focus: fields take all, buttons the space bar. */
function isUsed({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("input, select, textarea") || (key === " " && target.matches("button, a, summary"));
}
