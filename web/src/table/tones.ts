/** Plays sounds, once the user has made a gesture and unless they are switched off. Everything they need is loaded with the first one. */

import { signal } from "@preact/signals";

/** Sounds of the page; a game may have others. */
export type Tone = "move" | "capture" | "check" | "dice" | "boom" | "lowTime" | "won" | "lost" | "turn" | "seat" | "chat";

const KEY = "qipai.sound";

/** The switch in the header. */
export const soundOn = signal(localStorage.getItem(KEY) !== "off");

let context: AudioContext | null = null;

/** Switch all sounds on or off and remember it. */
export function setSoundOn(on: boolean): void {
  soundOn.value = on;
  localStorage.setItem(KEY, on ? "on" : "off");
}

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

/** Return where sounds are played; null if there is no sound now. */
export function audioOutput(): AudioContext | null {
  return soundOn.peek() ? context : null;
}

/** Play a sound of the page. */
export function playTone(tone: Tone): void {
  if (audioOutput()) void import("../sounds/alerts").then(({ playTones }) => playTones([tone]), () => undefined);
}
