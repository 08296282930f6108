/** Type of the texts of the settings sheet; they are loaded with it. */

import type { BackgroundSounds, SoundKind } from "../../settings/soundSettings";
import type { Speed, Theme } from "../../settings/theme";

export interface SettingsTexts {
  /** Changes are saved at once. */
  saved: string;
  theme: { title: string; options: Record<Theme, string> };
  speed: {
    title: string;
    options: Record<Speed, string>;
    /** Shown while the system asks for less motion. */
    reduced: string;
  };
  board: {
    title: string;
    coordinates: string;
    confirmMoves: string;
    confirmMovesNote: string;
    zenMode: string;
    zenModeNote: string;
    /** How to draw on a board. */
    drawing: string;
  };
  sounds: {
    title: string;
    volume: string;
    kinds: Record<SoundKind, string>;
    /** What is heard while the tab is hidden. */
    background: { label: string; options: Record<BackgroundSounds, string> };
    spokenCalls: { label: string; note: string };
  };
  notifications: {
    title: string;
    notAsked: string;
    allow: string;
    denied: string;
    unsupported: string;
    turn: { label: string; note: string };
    seat: string;
    offer: { label: string; note: string };
    challenge: string;
    /** Title of a notification. */
    satDown: (name: string) => string;
  };
}
