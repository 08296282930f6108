/** Frame for the end of a game: title, detail, the game's own content, actions. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./result-panel.css";

interface ResultPanelProps {
  title: string;
  /** How the game ended. */
  detail: ComponentChildren;
  /** Buttons: rematch, new opponent, replay, share. */
  actions: ComponentChildren;
  class?: string;
  /** It lies over the page, which can still be used. */
  dialog?: boolean;
  children?: ComponentChildren;
}

export function ResultPanel({ title, detail, actions, class: style = "", dialog = false, children }: ResultPanelProps) {
  const id = useId();
  return (
    <section class={`result-panel ${style}`} role={dialog ? "dialog" : undefined} aria-labelledby={id}>
      <header class="result-panel-head">
        <h2 id={id}>{title}</h2>
        <div class="result-panel-detail">{detail}</div>
      </header>
      <div class="result-panel-body">{children}</div>
      <footer class="result-panel-actions">{actions}</footer>
    </section>
  );
}
