/** Texts of games from outside, by game, in the language that was loaded last. */

import { signal } from "@preact/signals";
import type { BaseGameTexts } from "./types";

export const outsideTexts = signal<Readonly<Record<string, BaseGameTexts>>>({});
