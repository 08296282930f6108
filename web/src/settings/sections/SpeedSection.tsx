/** The speed of animations. */

import { mediaQuery } from "../../common/windowSize";
import { Section } from "../controls/Section";
import { Segmented } from "../controls/Segmented";
import { speed, type Speed } from "../theme";
import type { SectionProps } from ".";

const ORDER: readonly Speed[] = ["slow", "normal", "fast", "none"];
const systemReduces = mediaQuery("(prefers-reduced-motion: reduce)");

export function SpeedSection({ text: { speed: text } }: SectionProps) {
  return (
    <Section title={text.title}>
      <Segmented label={text.title} value={speed} options={ORDER.map((value) => ({ value, label: text.options[value] }))} />
      {systemReduces.value && <p class="settings-note">{text.reduced}</p>}
    </Section>
  );
}
