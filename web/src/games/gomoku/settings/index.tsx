/** What the settings sheet offers for gomoku. */

import { lazyTexts } from "../../../i18n/lazyTexts";
import type { GameSetting } from "../../gameInterface";
import { board, BOARDS } from "./looks";
import "./previews.css";
import type { GomokuSettingsTexts } from "./texts/types";

const FILES = import.meta.glob<GomokuSettingsTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/gameSettings/gomoku.ts"], {
  import: "texts",
});

/** Load the texts, and return the settings. */
export async function loadSettings(): Promise<readonly GameSetting[]> {
  const texts = await lazyTexts(FILES);
  return [
    {
      title: () => texts.value.board,
      value: board,
      options: BOARDS.map((value) => ({ value, name: () => texts.value.boards[value], Preview: () => <Preview board={value} /> })),
    },
  ];
}

function Preview({ board: look }: { board: string }) {
  return (
    <svg class="gomoku-board-preview" data-gomoku-board={look} viewBox="0 0 128 64" preserveAspectRatio="xMidYMid slice">
      <path class="lobby-picture-wood-line" d="M0 12h128M0 32h128M0 52h128M24 0v64M44 0v64M64 0v64M84 0v64M104 0v64" />
      <circle class="lobby-picture-black" cx="44" cy="32" r="9" />
      <circle class="lobby-picture-white" cx="64" cy="32" r="9" />
      <circle class="lobby-picture-black" cx="84" cy="12" r="9" />
    </svg>
  );
}
