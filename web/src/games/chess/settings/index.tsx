/** What the settings sheet offers for chess. */

import { lazyTexts } from "../../../i18n/lazyTexts";
import type { GameSetting } from "../../gameInterface";
import { board, BOARDS, pieces, PIECES } from "./looks";
import "./previews.css";
import type { ChessSettingsTexts } from "./texts/types";

const FILES = import.meta.glob<ChessSettingsTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/gameSettings/chess.ts"], {
  import: "texts",
});

/** Load the texts, and return the settings. */
export async function loadSettings(): Promise<readonly GameSetting[]> {
  const texts = await lazyTexts(FILES);
  return [
    {
      title: () => texts.value.board,
      value: board,
      options: BOARDS.map((value) => ({
        value,
        name: () => texts.value.boards[value],
        Preview: () => <span class="chess-board-preview" data-chess-board={value} />,
      })),
    },
    {
      title: () => texts.value.pieces,
      value: pieces,
      options: PIECES.map((value) => ({
        value,
        name: () => texts.value.sets[value],
        Preview: () => (
          <span class="chess-pieces-preview" data-chess-pieces={value}>
            <i class="chess-piece black knight" />
            <i class="chess-piece queen" />
          </span>
        ),
      })),
    },
  ];
}
