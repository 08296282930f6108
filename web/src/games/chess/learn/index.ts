/** The lessons of chess: plain, with dice, in fog and with mines. */

import { loadLanguage } from "../../../learn/languageFile";
import type { LessonPage, Lessons } from "../../../learn/lessonTypes";
import { colourOf, fullDice } from "../position";
import { presets } from "../presets";
import { colourOfPiece, kindOf, type Kind } from "../squares";
import { explainMove } from "./explainMove";
import dice from "./pages/dice.json";
import fog from "./pages/fog.json";
import mines from "./pages/mines.json";
import plain from "./pages/plain.json";
import type { ChessLessonTexts } from "./texts/types";

type Page = LessonPage<"chess">;

const PAGES: Readonly<Record<string, unknown>> = { plain, dice, fog, mines };
const TEXTS = import.meta.glob<ChessLessonTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/lessons/chess.ts"], { import: "texts" });

export const lessons: Lessons<"chess", ChessLessonTexts> = {
  pages: presets.map(({ id, Icon }) => ({ id, Icon, steps: (PAGES[id] as Page).steps })),
  pageFor: ({ dice, fog, mines: count }) => (dice ? "dice" : fog ? "fog" : count ? "mines" : "plain"),
  loadTexts: (language) => loadLanguage(TEXTS, language),
  // The board lets the reader move anywhere, and the lesson says what is wrong.
  boardOptions: (options) => ({ ...options, unchecked_moves: true }) as typeof options,
  explain: ({ position }, move, { moves }, { games: { chess } }) => {
    if (move.do !== "move") return null;
    const refusal = explainMove(position, move.uci);
    if (refusal === null) return null;
    const { code, kind, blocker } = refusal;
    const name = chess.pieces[kind];
    switch (code) {
      case "shape":
        return moves.shape[kind];
      case "blocked":
        return moves.blocked(name, chess.pieces[kindOf(blocker!)], colourOfPiece(blocker!) === colourOf(position, position.turn));
      case "ownPiece":
        return moves.ownPiece(name);
      case "die": {
        const { movers, current, dice: faces } = fullDice(position.dice!);
        const shown = current < 0 ? [...movers] : [faces[current]!];
        return moves.die(shown.map((one) => chess.pieces[one as Kind]).join(chess.comma), current < 0);
      }
      default:
        return moves[code];
    }
  },
};
