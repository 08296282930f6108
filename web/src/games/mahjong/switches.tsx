/** What the page may do for us, and what it shows. */

import { language } from "../../i18n";
import { text } from "../../i18n/mahjong/table";
import type { Habits } from "./choices";
import { habits as kept, show, shown } from "./habits";

export function Switches({ habits, hints }: { habits: Habits; hints: boolean }) {
  const said = text.value;
  const signs = shown.value.signs ?? language.value === "en";
  return (
    <div class="mj-switches" role="group" aria-label={said.switches}>
      <Switch
        on={shown.value.drawing}
        label={said.autoDraw}
        title={said.autoDrawTitle}
        onChange={(drawing) => show({ drawing })}
      />
      <Switch
        on={habits.passing}
        label={said.autoPass}
        title={said.autoPassTitle}
        onChange={(passing) => (kept.value = { ...habits, passing })}
      />
      <Switch
        on={habits.discarding}
        label={said.autoDiscard}
        title={said.autoDiscardTitle}
        onChange={(discarding) => (kept.value = { ...habits, discarding })}
      />
      {hints && <Switch on={shown.value.hints} label={said.hints} onChange={(wanted) => show({ hints: wanted })} />}
      <Switch on={signs} label={said.signs} onChange={(wanted) => show({ signs: wanted })} />
    </div>
  );
}

interface SwitchProps {
  on: boolean;
  label: string;
  title?: string;
  onChange: (on: boolean) => void;
}

function Switch({ on, label, title, onChange }: SwitchProps) {
  return (
    <button class="mj-switch" role="switch" aria-checked={on} title={title} onClick={() => onChange(!on)}>
      {label}
    </button>
  );
}
