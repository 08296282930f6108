/** Light or dark. */

import { Section } from "../controls/Section";
import { Segmented } from "../controls/Segmented";
import { theme, THEMES } from "../theme";
import type { SectionProps } from ".";

export function ThemeSection({ text: { theme: text } }: SectionProps) {
  return (
    <Section title={text.title}>
      <Segmented label={text.title} value={theme} options={THEMES.map((value) => ({ value, label: text.options[value] }))} />
    </Section>
  );
}
