/** All sections of the settings sheet, by column. */

import type { FunctionComponent } from "preact";
import type { SettingsTexts } from "../../i18n/types/settings";
import { BoardSection } from "./BoardSection";
import { GameSections } from "./GameSections";
import { LanguageSection } from "./LanguageSection";
import { NotificationSection } from "./NotificationSection";
import { SoundSection } from "./SoundSection";
import { SpeedSection } from "./SpeedSection";
import { ThemeSection } from "./ThemeSection";

export interface SectionProps {
  text: SettingsTexts;
}

export const COLUMNS: readonly (readonly FunctionComponent<SectionProps>[])[] = [
  [ThemeSection, GameSections, SpeedSection, LanguageSection],
  [BoardSection, SoundSection, NotificationSection],
];
