/** What the patterns of a win count for, in a few words; loaded with the first result. */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { Texts } from "../../../i18n/types";
import { lazyTexts } from "../../../i18n/lazyTexts";
import type { MahjongWinner } from "../../../net/protocol";
import type { MahjongLessonTexts } from "../learn/texts/types";
import type { FullPosition } from "../position";
import { tileName } from "../tiles/tileNames";

type NoteTexts = Pick<MahjongLessonTexts, "notes" | "notesWith">;

/** What is known about a win, as texts: the winds of the round and of the winner, the winning tile. */
export interface WinFacts {
  roundWind: string;
  seatWind: string;
  tile: string;
}

const FILES = import.meta.glob<NoteTexts>(["../learn/texts/*.ts", "!../learn/texts/types.ts", "../../../i18n/*/lessons/mahjong.ts"], { import: "texts" });

const loaded = signal<ReadonlySignal<NoteTexts> | null>(null);
let asked = false;

/** Load the notes, in the language of the page. */
export function loadTaiNotes(): void {
  if (asked) return;
  asked = true;
  void lazyTexts(FILES).then((texts) => (loaded.value = texts));
}

/** Return the notes; null until they are loaded. */
export function taiNotes(): NoteTexts | null {
  return loaded.value?.value ?? null;
}

export function factsOf(game: FullPosition, { seat, win }: MahjongWinner, texts: Texts): WinFacts {
  const { winds } = texts.games.mahjong;
  return { roundWind: winds[game.wind] ?? "", seatWind: winds[game.players[seat]?.wind ?? 0] ?? "", tile: tileName(win, texts) };
}

/** Return what a pattern counts for; without facts in general. An unknown pattern has no note. */
export function taiNote({ notes, notesWith }: NoteTexts, name: string, facts: WinFacts | null = null): string {
  const word = name.replace(/^連.拉.$/, "連莊").replace(/[\s(].*$/, "");
  const known = facts && { 圈風刻: facts.roundWind, 門風刻: facts.seatWind, 正花: facts.seatWind, 獨聽: facts.tile };
  if (known && word in known) return notesWith[word as keyof typeof known](known[word as keyof typeof known]);
  return (notes as Readonly<Record<string, string>>)[word] ?? "";
}
