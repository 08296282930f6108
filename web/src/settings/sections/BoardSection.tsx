/** Settings of how boards are used: coordinates, confirmation of moves, zen mode; and how to draw on them. */

import { confirmMoves, coordinates, zenMode } from "../boardSettings";
import { Section } from "../controls/Section";
import { Toggle } from "../controls/Toggle";
import type { SectionProps } from ".";

export function BoardSection({ text: { board: text } }: SectionProps) {
  return (
    <Section title={text.title}>
      <Toggle label={text.coordinates} on={coordinates.value} onChange={(on) => (coordinates.value = on)} />
      <Toggle label={text.confirmMoves} note={text.confirmMovesNote} on={confirmMoves.value} onChange={(on) => (confirmMoves.value = on)} />
      <Toggle label={text.zenMode} note={text.zenModeNote} on={zenMode.value} onChange={(on) => (zenMode.value = on)} />
      <p class="settings-note">{text.drawing}</p>
    </Section>
  );
}
