/** Texts of the settings sheet, English. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "Saved as you go",
  theme: { title: "Theme", options: { system: "System", light: "Light", dark: "Dark" } },
  speed: {
    title: "Animations",
    options: { normal: "Normal", slow: "Slow", fast: "Fast", none: "Off" },
    reduced: "Your system asks for less motion, so nothing moves here.",
  },
  board: {
    title: "Board",
    coordinates: "Coordinates",
    confirmMoves: "Confirm moves",
    confirmMovesNote: "A move waits until you press it again, press Enter or choose Confirm.",
    zenMode: "Zen mode",
    zenModeNote: "During a game, only the board, players, clocks and actions are shown. Key: Z",
    drawing: "Drawing on chess and gomoku boards: drag with the right mouse button, or press long and drag, for an arrow; without dragging, a circle. Shift, Alt or both change the colour. On the focused square, C draws a circle, A starts and ends an arrow. Only you see it; a click or the next move clears it.",
  },
  sounds: {
    title: "Sounds",
    volume: "Volume",
    kinds: { moves: "Moves and tiles", calls: "Mahjong calls", clock: "Clock warning", turn: "Turn, seats, chat", endings: "End of a game" },
    background: { label: "While this tab is hidden", options: { turn: "Turn and seats", all: "All sounds", none: "Silent" } },
    spokenCalls: { label: "Spoken calls", note: "Your browser says chow, pong, kong and win" },
  },
  notifications: {
    title: "Notifications",
    notAsked: "Your browser has not allowed them yet.",
    allow: "Allow",
    denied: "Your browser blocks notifications from this site. To allow them, press the icon beside the address and change the site settings.",
    unsupported: "This browser cannot show notifications. On an iPhone or iPad, add this page to the home screen first.",
    turn: { label: "It is my turn", note: "Notifications come while this tab is hidden" },
    seat: "Somebody sat down",
    offer: { label: "Somebody makes an offer", note: "Rematch, draw, takeback" },
    challenge: "Somebody challenges me",
    satDown: (name) => `${name} sat down at your table`,
  },
};
