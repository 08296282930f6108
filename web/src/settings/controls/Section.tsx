/** A titled group of settings. */

import type { ComponentChildren } from "preact";

interface SectionProps {
  title: string;
  children: ComponentChildren;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section class="settings-section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
