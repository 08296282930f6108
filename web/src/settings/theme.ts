/** Light or dark mode: chosen, or that of the system. */

import { computed, effect } from "@preact/signals";
import { mediaQuery } from "../common/windowSize";
import { choice } from "./setting";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

export const theme = choice("theme", THEMES);

const systemIsDark = mediaQuery("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export const isDark = computed(() => (theme.value === "system" ? systemIsDark.value : theme.value === "dark"));

/** Apply the theme from now on. */
export function startTheme(): void {
  const root = document.documentElement;
  effect(() => {
    root.dataset["theme"] = isDark.value ? "dark" : "light";
  });
}
