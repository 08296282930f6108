/** Type of the texts of the settings sheet; they are loaded with it. */

import type { Theme } from "../../settings/theme";

export interface SettingsTexts {
  /** Changes are saved at once. */
  saved: string;
  theme: { title: string; options: Record<Theme, string> };
}
