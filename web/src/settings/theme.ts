/** Light or dark mode, and the speed of animations; the style sheets do the rest. */

import { choice } from "./setting";

export const THEMES = ["system", "light", "dark"] as const;
export const SPEEDS = ["normal", "slow", "fast", "none"] as const;

export type Theme = (typeof THEMES)[number];
export type Speed = (typeof SPEEDS)[number];

export const theme = choice<Theme>("theme", THEMES);
export const speed = choice<Speed>("speed", SPEEDS);
