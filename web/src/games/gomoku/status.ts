/** Status line of gomoku: an earlier position, the swap2 opening, forbidden points, a stone to confirm. */

import type { Status } from "../gameInterface";
import { earlierStatus } from "../../boardKit/moveNavigation";
import { shownMove, type GomokuScene } from "./moveNavigation";
import { coordinate, forbiddenKind, sizeOf, stageOf, STAGE_CHOICES } from "./position";

/** Return the status of the game; null: the default of the table. */
export function status(scene: GomokuScene): Status | null {
  const text = scene.texts.games.gomoku;
  return earlierStatus(scene, shownMove(scene).total, text) ?? draftStatus(scene) ?? openingStatus(scene);
}

/** A stone that waits for confirmation, or the reason why it cannot be placed. */
function draftStatus({ draft, mayMove, position, texts, play }: GomokuScene): Status | null {
  if (!draft || !mayMove || !position || draft.do !== "place") return null;
  const text = texts.games.gomoku;
  const size = sizeOf(position);
  const cell = draft.x + size * draft.y;
  const where = coordinate(cell, size);
  const kind = forbiddenKind(position, cell);
  if (kind) return { text: text.refused(where, text.forbiddenReasons[kind]), mine: true };
  return { text: text.tapAgain(where), mine: true, button: { label: text.place(where), press: () => play(draft) } };
}

/** Who does what in the swap2 opening. */
function openingStatus({ position, room, you, pending, mayMove, texts, play, nameAt }: GomokuScene): Status | null {
  const stage = position && room.phase === "playing" ? stageOf(position) : null;
  if (!position || !stage) return null;
  const text = texts.games.gomoku;
  const mine = you === position.turn;
  if (!mine) return { text: text.otherStages[stage](nameAt(position.turn)), mine };
  const label = text.ownStages[stage](position.moves.length + 1);
  if (!mayMove || pending) return { text: label, mine };
  const buttons = STAGE_CHOICES[stage].map((choice) => ({ label: text.choices[choice], press: () => play({ do: "choose", choice }) }));
  return { text: label, mine, buttons };
}
