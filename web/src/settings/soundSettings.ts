/** Settings of sounds and notifications. */

import { computed, type Signal } from "@preact/signals";
import { setting } from "./setting";

/** Kinds of sounds, each with its own volume. `turn`: your turn, seats and chat. */
export const SOUND_KINDS = ["moves", "calls", "clock", "turn", "endings"] as const;

export type SoundKind = (typeof SOUND_KINDS)[number];

/** What is heard while the tab is hidden; `turn`: your turn, seats and the clock warning. */
export const BACKGROUND_SOUNDS = ["none", "turn", "all"] as const;

export type BackgroundSounds = (typeof BACKGROUND_SOUNDS)[number];

const level = (name: string, initial: number) =>
  setting(name, initial, (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100);

/** Volume of all sounds, in percent. */
export const volume = level("volume", 70);

/** Volume of each kind, in percent of the volume of all. */
export const volumes: Readonly<Record<SoundKind, Signal<number>>> = {
  moves: level("volumeMoves", 100),
  calls: level("volumeCalls", 100),
  clock: level("volumeClock", 100),
  turn: level("volumeTurn", 100),
  endings: level("volumeEndings", 100),
};

/** Stored as a number: settings that are strings are attributes of the page, for its style sheets. */
const background = setting("backgroundSounds", BACKGROUND_SOUNDS.indexOf("turn"), (value) => Object.keys(BACKGROUND_SOUNDS).includes(String(value)));

export const backgroundSounds = computed(() => BACKGROUND_SOUNDS[background.value]!);

export function setBackgroundSounds(sounds: BackgroundSounds): void {
  background.value = BACKGROUND_SOUNDS.indexOf(sounds);
}

/** Calls are also spoken, by a voice of the browser. */
export const spokenCalls = setting("spokenCalls", false);

export const notifyTurn = setting("notifyTurn", true);
export const notifySeat = setting("notifySeat", true);
export const notifyOffer = setting("notifyOffer", true);
export const notifyChallenge = setting("notifyChallenge", true);
