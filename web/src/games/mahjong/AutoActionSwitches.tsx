/** Switches for automatic actions and display settings. */

import { language, texts } from "../../i18n/language";
import type { AutoActions } from "./table/availableActions";
import { autoActions as stored, changeDisplay, displaySettings } from "./autoActions";

export function AutoActionSwitches({ actions, hints }: { actions: AutoActions; hints: boolean }) {
  const text = texts.value.games.mahjong.table;
  const signs = displaySettings.value.numbers ?? language.value === "en";
  return (
    <div class="mj-switches" role="group" aria-label={text.switches}>
      <Switch
        on={displaySettings.value.autoDraw}
        label={text.autoDraw}
        title={text.autoDrawTitle}
        onChange={(autoDraw) => changeDisplay({ autoDraw })}
      />
      <Switch
        on={actions.noCalls}
        label={text.autoPass}
        title={text.autoPassTitle}
        onChange={(noCalls) => (stored.value = { ...actions, noCalls })}
      />
      <Switch
        on={actions.autoDiscard}
        label={text.autoDiscard}
        title={text.autoDiscardTitle}
        onChange={(autoDiscard) => (stored.value = { ...actions, autoDiscard })}
      />
      {hints && <Switch on={displaySettings.value.hints} label={text.hints} onChange={(wanted) => changeDisplay({ hints: wanted })} />}
      <Switch on={signs} label={text.numbers} onChange={(wanted) => changeDisplay({ numbers: wanted })} />
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
