/** Small tones for what happens at a table; silent until the reader has touched the page, and on demand. */

import { signal } from "@preact/signals";

export type Tone = "move" | "capture" | "check" | "dice" | "boom" | "end";

const KEY = "qipai.sound";

export const audible = signal(localStorage.getItem(KEY) !== "off");

/** Switch all sounds on or off, today and next time. */
export function setAudible(on: boolean): void {
  audible.value = on;
  localStorage.setItem(KEY, on ? "on" : "off");
  if (on) sound("move");
}

let context: AudioContext | null = null;

/** Browsers allow sounds only after a gesture. */
export function awaitGesture(): void {
  const wake = () => {
    removeEventListener("pointerdown", wake);
    removeEventListener("keydown", wake);
    if (typeof AudioContext !== "undefined") context = new AudioContext();
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
}

/** Let a tone be heard, if anything may be. */
export function sound(tone: Tone): void {
  if (context === null || !audible.value || document.hidden) return;
  void context.resume();
  TONES[tone](context, context.currentTime + 0.01);
}

type Play = (context: AudioContext, at: number) => void;

const TONES: Record<Tone, Play> = {
  move: (to, at) => knock(to, at, 210, 0.5),
  capture: (to, at) => {
    knock(to, at, 150, 0.7);
    knock(to, at + 0.05, 260, 0.4);
  },
  check: (to, at) => {
    knock(to, at, 210, 0.5);
    note(to, at + 0.03, 880, 0.22, 0.12);
  },
  dice: (to, at) => [0, 0.07, 0.13, 0.21, 0.26].forEach((late, index) => knock(to, at + late, 420 + 90 * (index % 3), 0.25)),
  boom: (to, at) => hiss(to, at, 0.9),
  end: (to, at) => [392, 523, 659].forEach((pitch, index) => note(to, at + 0.13 * index, pitch, 0.4, 0.14)),
};

/** Wood on wood: a short thud that falls in pitch. */
function knock(to: AudioContext, at: number, pitch: number, loud: number): void {
  const wave = to.createOscillator();
  wave.type = "triangle";
  wave.frequency.setValueAtTime(pitch * 1.8, at);
  wave.frequency.exponentialRampToValueAtTime(pitch, at + 0.04);
  wave.connect(fading(to, at, loud * 0.5, 0.11));
  wave.start(at);
  wave.stop(at + 0.15);
}

function note(to: AudioContext, at: number, pitch: number, long: number, loud: number): void {
  const wave = to.createOscillator();
  wave.frequency.value = pitch;
  wave.connect(fading(to, at, loud, long));
  wave.start(at);
  wave.stop(at + long + 0.05);
}

/** Noise that gets duller: an explosion far enough away. */
function hiss(to: AudioContext, at: number, long: number): void {
  const noise = to.createBufferSource();
  const buffer = to.createBuffer(1, Math.ceil(long * to.sampleRate), to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  noise.buffer = buffer;
  const dull = to.createBiquadFilter();
  dull.type = "lowpass";
  dull.frequency.setValueAtTime(1400, at);
  dull.frequency.exponentialRampToValueAtTime(80, at + long);
  noise.connect(dull).connect(fading(to, at, 0.5, long));
  noise.start(at);
}

function fading(to: AudioContext, at: number, loud: number, long: number): GainNode {
  const gain = to.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  gain.connect(to.destination);
  return gain;
}
