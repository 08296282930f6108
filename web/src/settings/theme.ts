/** Light or dark mode: chosen, or that of the system. Before the first frame `startTheme.ts` applies it. */

import { computed, effect } from "@preact/signals";
import { mediaQuery } from "../common/windowSize";
import { choice } from "./setting";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

export const theme = choice<Theme>("theme", THEMES);

const systemIsDark = mediaQuery("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export const isDark = computed(() => (theme.value === "system" ? systemIsDark.value : theme.value === "dark"));

/** Apply the theme from now on, to the page and to what the browser draws around it. */
export function followTheme(): void {
  const root = document.documentElement;
  const around = document.querySelector<HTMLMetaElement>("meta[name=theme-color]");
  effect(() => {
    root.style.colorScheme = theme.value === "system" ? "" : theme.value;
    if (around) around.content = isDark.value ? around.dataset["dark"]! : around.dataset["light"]!;
  });
}
