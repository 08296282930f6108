/** Drawer with switches for automatic actions and display settings. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { autoActions, changeDisplay, displaySettings } from "../autoActions";

interface SwitchDrawerProps {
  /** The table allows hints. */
  hints: boolean;
  /** The user is asked for a decision; the drawer closes. */
  asked: boolean;
}

export function SwitchDrawer({ hints, asked }: SwitchDrawerProps) {
  const text = texts.value.games.mahjong.table;
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const actions = autoActions.value;
  const { autoDraw, hints: showHints } = displaySettings.value;
  const on = [actions.noCalls && text.autoPass, actions.autoDiscard && text.autoDiscard].filter(Boolean);
  useEffect(() => {
    if (asked) open.value = false;
  }, [asked]);
  useEffect(() => {
    if (!open.value) return;
    const leave = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) open.value = false;
    };
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, [open.value]);
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open.value) return;
    open.value = false;
    box.current?.querySelector<HTMLElement>(".mj-drawer-button")?.focus();
  };
  return (
    <div class="mj-settings" ref={box} onKeyDown={keys}>
      <button class="mj-drawer-button" aria-expanded={open.value} aria-controls="mj-drawer" onClick={() => (open.value = !open.value)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 7h9M18 7h3M3 17h3M12 17h9" />
          <circle cx="15" cy="7" r="2.6" />
          <circle cx="9" cy="17" r="2.6" />
        </svg>
        <span class="mj-drawer-label">{text.settings}</span>
        {on.map((name) => (
          <span class="mj-chip" key={name}>
            {name}
          </span>
        ))}
      </button>
      {open.value && (
        <div class="mj-drawer" id="mj-drawer" role="group" aria-label={text.settings}>
          <h2>{text.settings}</h2>
          <Switch on={autoDraw} label={text.autoDraw} note={text.autoDrawTitle} onChange={(wanted) => changeDisplay({ autoDraw: wanted })} />
          <Switch
            on={actions.noCalls}
            label={text.autoPass}
            note={text.autoPassTitle}
            onChange={(noCalls) => (autoActions.value = { ...actions, noCalls })}
          />
          <Switch
            on={actions.autoDiscard}
            label={text.autoDiscard}
            note={text.autoDiscardTitle}
            onChange={(autoDiscard) => (autoActions.value = { ...actions, autoDiscard })}
          />
          {hints && <Switch on={showHints} label={text.hints} note={text.hintsTitle} onChange={(wanted) => changeDisplay({ hints: wanted })} />}
        </div>
      )}
    </div>
  );
}

interface SwitchProps {
  on: boolean;
  label: string;
  note: string;
  onChange: (on: boolean) => void;
}

function Switch({ on, label, note, onChange }: SwitchProps) {
  return (
    <button class="mj-switch" role="switch" aria-checked={on} aria-label={label} onClick={() => onChange(!on)}>
      <span class="mj-switch-text">
        <b>{label}</b>
        <small>{note}</small>
      </span>
      <span class="mj-toggle" aria-hidden="true" />
    </button>
  );
}
