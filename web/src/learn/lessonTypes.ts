/** What the lessons of a game consist of: pages of steps with positions and moves to try. */

import type { FunctionComponent } from "preact";
import type { BoardProps } from "../games/gameInterface";
import type { Texts } from "../i18n/types";
import type { GameName, Games, Seat } from "../net/protocol";

/** A move that is not the answer, and the key of the text that says why. */
export interface WrongMove<G extends GameName> {
  move: Games[G]["move"];
  reason: string;
}

/** A moment of a step at which the reader moves. */
export interface Stage<G extends GameName> {
  position: Games[G]["position"];
  /** Moves that continue the step; only those of the last stage may be several. None: there is nothing to try. */
  right: readonly Games[G]["move"][];
  /** Moves that the rules refuse. */
  refused?: readonly WrongMove<G>[];
  /** Moves that the rules allow, but that are not what the step asks for. */
  other?: readonly WrongMove<G>[];
}

/** One idea of a page. */
export interface Step<G extends GameName> {
  id: string;
  options: Games[G]["options"];
  /** The reader's seat. */
  you: Seat;
  stages: readonly Stage<G>[];
  /** The positions after each right move of the last stage. */
  after: readonly Games[G]["position"][];
}

/** A page of lessons about a game or a way to play it. */
export interface LessonPage<G extends GameName> {
  id: string;
  steps: readonly Step<G>[];
  Icon?: FunctionComponent;
}

/** Texts of a step. */
export interface StepTexts {
  title: string;
  /** Paragraphs. */
  text: readonly string[];
  /** What to try at each stage; none if there is nothing to try. */
  tasks?: readonly string[];
  /** Shown after the right move. */
  done?: string;
  /** Answer to a move that is allowed but not asked for. */
  other?: string;
}

/** Texts of a page. */
export interface PageTexts<S extends string = string> {
  name: string;
  /** One line for its card. */
  hint: string;
  steps: Record<S, StepTexts>;
}

/** Texts of all lessons of a game in one language. */
export interface LessonTexts {
  pages: Readonly<Record<string, PageTexts>>;
  /** Why a move is refused, by key. */
  reasons: Readonly<Record<string, string>>;
  /** Names of the players by seat; that of the reader is not used. */
  names?: readonly string[];
}

/** The lessons of a game. */
export interface Lessons<G extends GameName, T extends LessonTexts = LessonTexts> {
  pages: readonly LessonPage<G>[];
  /** Return the id of the page for a table with these options. */
  pageFor: (options: Games[G]["options"]) => string;
  /** Number of players; two by default. */
  seats?: number;
  /** Load the texts in a language, given by its tag in lower case. */
  loadTexts: (language: string) => Promise<T>;
  /** Board for lessons, instead of that of the table. */
  Board?: FunctionComponent<BoardProps<G> & { step: string }>;
  /** More below the board, for example a table of values. */
  Appendix?: FunctionComponent<{ page: string; step: string }>;
  /** Return the options of the board; it must let the reader try any move. */
  boardOptions?: (options: Games[G]["options"]) => Games[G]["options"];
  /** Return why a move that the step does not list cannot be made; null if it can. */
  explain?(stage: Stage<G>, move: Games[G]["move"], lesson: T, texts: Texts): string | null;
  /** Return the move that a press on a disabled part of the board means. */
  blockedMove?: (data: DOMStringMap, position: Games[G]["position"]) => Games[G]["move"] | null;
}

export type AnyLessons = Lessons<GameName>;
