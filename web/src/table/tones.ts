/** Synthesises the sounds; silent before the first gesture or when switched off. */

import { signal } from "@preact/signals";

export type Tone = "move" | "capture" | "check" | "dice" | "boom" | "end" | "chow" | "pong" | "kong" | "win" | "lowTime";

const KEY = "qipai.sound";

export const soundOn = signal(localStorage.getItem(KEY) !== "off");

/** Switch all sounds on or off and remember it. */
export function setSoundOn(on: boolean): void {
  soundOn.value = on;
  localStorage.setItem(KEY, on ? "on" : "off");
  if (on) playTone("move");
}

let context: AudioContext | null = null;

/** Browsers allow sounds only after a gesture. */
export function enableAudioOnGesture(): void {
  const wake = () => {
    removeEventListener("pointerdown", wake);
    removeEventListener("keydown", wake);
    if (typeof AudioContext !== "undefined") context = new AudioContext();
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
}

/** Play a tone if sound is on. */
export function playTone(tone: Tone): void {
  if (context === null || !soundOn.value || document.hidden) return;
  void context.resume();
  TONES[tone](context, context.currentTime + 0.01);
}

type PlayTone = (context: AudioContext, at: number) => void;

const TONES: Record<Tone, PlayTone> = {
  move: (to, at) => playKnock(to, at, 210, 0.5),
  capture: (to, at) => {
    playKnock(to, at, 150, 0.7);
    playKnock(to, at + 0.05, 260, 0.4);
  },
  check: (to, at) => {
    playKnock(to, at, 210, 0.5);
    playNote(to, at + 0.03, 880, 0.22, 0.12);
  },
  dice: (to, at) => [0, 0.07, 0.13, 0.21, 0.26].forEach((late, index) => playKnock(to, at + late, 420 + 90 * (index % 3), 0.25)),
  boom: (to, at) => playNoise(to, at, 0.9),
  chow: (to, at) => playCall(to, at, [330, 440]),
  pong: (to, at) => playCall(to, at, [262, 262]),
  kong: (to, at) => playCall(to, at, [220, 262, 330]),
  win: (to, at) => playCall(to, at, [392, 523, 659, 784]),
  lowTime: (to, at) => [0, 0.16].forEach((late) => playNote(to, at + late, 988, 0.12, 0.16)),
  end: (to, at) => [392, 523, 659].forEach((pitch, index) => playNote(to, at + 0.13 * index, pitch, 0.4, 0.14)),
};

/** A short thud that falls in pitch, like wood on wood. */
function playKnock(to: AudioContext, at: number, pitch: number, loud: number): void {
  const wave = to.createOscillator();
  wave.type = "triangle";
  wave.frequency.setValueAtTime(pitch * 1.8, at);
  wave.frequency.exponentialRampToValueAtTime(pitch, at + 0.04);
  wave.connect(fadingGain(to, at, loud * 0.5, 0.11));
  wave.start(at);
  wave.stop(at + 0.15);
}

/** The sound of a call: a tile that is put down, and a note for each pitch. */
function playCall(to: AudioContext, at: number, pitches: readonly number[]): void {
  playKnock(to, at, 170, 0.7);
  pitches.forEach((pitch, index) => playNote(to, at + 0.05 + 0.1 * index, pitch, 0.28, 0.16));
}

function playNote(to: AudioContext, at: number, pitch: number, long: number, loud: number): void {
  const wave = to.createOscillator();
  wave.frequency.value = pitch;
  wave.connect(fadingGain(to, at, loud, long));
  wave.start(at);
  wave.stop(at + long + 0.05);
}

/** Noise with a falling filter, like a distant explosion. */
function playNoise(to: AudioContext, at: number, long: number): void {
  const noise = to.createBufferSource();
  const buffer = to.createBuffer(1, Math.ceil(long * to.sampleRate), to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  noise.buffer = buffer;
  const dull = to.createBiquadFilter();
  dull.type = "lowpass";
  dull.frequency.setValueAtTime(1400, at);
  dull.frequency.exponentialRampToValueAtTime(80, at + long);
  noise.connect(dull).connect(fadingGain(to, at, 0.5, long));
  noise.start(at);
}

function fadingGain(to: AudioContext, at: number, loud: number, long: number): GainNode {
  const gain = to.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  gain.connect(to.destination);
  return gain;
}
